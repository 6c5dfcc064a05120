package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/chat/eval"
	"quaestor/chat/rules"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	objectivepages "quaestor/web/objectives"
)

// rehearsals returns what holds rehearsals of drafts with the simulated people of the
// evaluation. The interviewer is the rules: they are quick, cost nothing and answer
// the same each time.
func rehearsals() objectivepages.Rehearsals {
	interviewer := rules.New()
	return objectivepages.Rehearsals{
		Personas: func(d *objectives.Definition) ([]objectivepages.Player, error) {
			people, err := personas(d)
			out := make([]objectivepages.Player, len(people))
			for i := range people {
				out[i] = player(&people[i])
			}
			return out, err
		},
		Play: func(ctx context.Context, d *objectives.Definition, name string) (objectivepages.Played, error) {
			return play(ctx, interviewer, d, name)
		},
	}
}

// personas returns the people that d can be tried on. The talkative and the silent
// one come first; they are made from the objective, so every draft fits them.
func personas(d *objectives.Definition) ([]eval.Persona, error) {
	year := time.Now().Year()
	fitting, err := eval.Fitting(year, d)
	return append([]eval.Persona{eval.Talkative(year, d), eval.Silent(d)}, fitting...), err
}

// player returns a persona as the page lists it, under the name it is chosen by.
func player(p *eval.Persona) objectivepages.Player {
	kind := strings.ReplaceAll(string(p.Kind), "_", " ")
	return objectivepages.Player{Name: p.Context + "/" + p.Name, Kind: kind, About: p.About}
}

// play holds a rehearsal of d with the person of that name.
func play(ctx context.Context, interviewer chat.Interviewer, d *objectives.Definition, name string) (objectivepages.Played, error) {
	people, err := personas(d)
	if err != nil {
		return objectivepages.Played{}, err
	}
	i := slices.IndexFunc(people, func(p eval.Persona) bool { return player(&p).Name == name })
	if i < 0 {
		return objectivepages.Played{}, fault.New(fault.NotFound, "nobody of that name fits this draft; choose one of those listed").At("who").Coded("player_not_found")
	}
	t, err := eval.Rehearse(ctx, d, interviewer, &people[i])
	if err != nil {
		return objectivepages.Played{}, err
	}
	return played(d, player(&people[i]), &t), nil
}

// played is a transcript as the page shows it.
func played(d *objectives.Definition, who objectivepages.Player, t *eval.Transcript) objectivepages.Played {
	a := t.Summary(d)
	n := templates{}
	for i := range d.Obligations {
		n[d.Obligations[i].Key] = &d.Obligations[i]
	}
	out := objectivepages.Played{Who: who, Ended: t.Stop, Score: a.Score}
	for _, s := range a.Settled {
		k := n.key(s.Key, s.Value)
		k.Turn, k.Skipped = s.Turn, s.Value == nil
		out.Settled = append(out.Settled, k)
	}
	for _, key := range a.Open {
		out.Open = append(out.Open, n.key(key, nil))
	}
	for _, key := range a.Unasked {
		out.Unasked = append(out.Unasked, n.key(key, nil))
	}
	for _, r := range a.Repeated {
		k := n.key(r.Key, nil)
		k.Times = r.Times
		out.Again = append(out.Again, k)
	}
	var held []obligations.Obligation
	for _, x := range t.Exchanges {
		out.Turns = append(out.Turns, n.turn(x, held))
		held = x.Response.List
	}
	return out
}

// templates are the obligations of an objective by key.
type templates map[string]*obligations.Template

// key returns an obligation and a value of it as the page shows them.
func (n templates) key(key string, v json.RawMessage) objectivepages.PlayedKey {
	t := n[key]
	if t == nil { // a question that emerged in the interview: no template names it
		return objectivepages.PlayedKey{Key: key, Name: key, Value: string(v)}
	}
	return objectivepages.PlayedKey{Key: key, Name: t.Name(), Value: sessions.Display(t, v)}
}

// turn returns an exchange as the page shows it. held is what was known before it, so
// what differs was learnt in it.
func (n templates) turn(x eval.Exchange, held []obligations.Obligation) objectivepages.PlayedTurn {
	out := objectivepages.PlayedTurn{N: x.Response.Turn, Said: x.Line.Message, Reply: x.Response.Reply}
	for _, key := range slices.Sorted(maps.Keys(x.Line.Answers)) {
		out.Filled = append(out.Filled, n.key(key, x.Line.Answers[key]))
	}
	for i := range x.Response.List {
		o := &x.Response.List[i]
		before := obligations.Find(held, o.Key)
		if o.Value != nil && (before == nil || !obligations.SameValue(before.Value, o.Value)) {
			out.Learnt = append(out.Learnt, n.key(o.Key, o.Value))
		}
	}
	return out
}
