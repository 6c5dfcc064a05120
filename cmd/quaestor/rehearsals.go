package main

import (
	"context"
	"encoding/json"
	"maps"
	objectivepages "quaestor/web/objectives"
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
)

// rehearsals tries drafts on the simulated people of the evaluation. The rules
// interview: they are quick, cost nothing and answer alike each time.
func rehearsals() objectivepages.Rehearsals {
	mind := rules.New()
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
			return play(ctx, mind, d, name)
		},
	}
}

// personas is who d can be tried on: first the two whom every objective fits.
func personas(d *objectives.Definition) ([]eval.Persona, error) {
	year := time.Now().Year()
	fitting, err := eval.Fitting(year, d)
	return append([]eval.Persona{eval.Talkative(year, d), eval.Silent(d)}, fitting...), err
}

func player(p *eval.Persona) objectivepages.Player {
	kind := strings.ReplaceAll(string(p.Kind), "_", " ")
	return objectivepages.Player{Name: p.Context + "/" + p.Name, Kind: kind, About: p.About}
}

func play(ctx context.Context, mind chat.Interviewer, d *objectives.Definition, name string) (objectivepages.Played, error) {
	people, err := personas(d)
	if err != nil {
		return objectivepages.Played{}, err
	}
	i := slices.IndexFunc(people, func(p eval.Persona) bool { return player(&p).Name == name })
	if i < 0 {
		return objectivepages.Played{}, fault.New(fault.NotFound, "nobody of that name fits this draft; choose one of those listed").At("who").Coded("player_not_found")
	}
	t, err := eval.Rehearse(ctx, d, mind, &people[i])
	if err != nil {
		return objectivepages.Played{}, err
	}
	return played(d, player(&people[i]), &t), nil
}

// played is a transcript as the page shows it.
func played(d *objectives.Definition, who objectivepages.Player, t *eval.Transcript) objectivepages.Played {
	a := t.Account(d)
	n := names{}
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
		held = x.Heard.List
	}
	return out
}

// names are the obligations of an objective by key.
type names map[string]*obligations.Template

func (n names) key(key string, v json.RawMessage) objectivepages.PlayedKey {
	t := n[key]
	if t == nil { // it came up on the way
		return objectivepages.PlayedKey{Key: key, Name: key, Value: string(v)}
	}
	return objectivepages.PlayedKey{Key: key, Name: t.Name(), Value: sessions.Display(t, v)}
}

// turn is an exchange; held is what was known before it.
func (n names) turn(x eval.Exchange, held []obligations.Obligation) objectivepages.PlayedTurn {
	out := objectivepages.PlayedTurn{N: x.Heard.Turn, Said: x.Line.Message, Reply: x.Heard.Reply}
	for _, key := range slices.Sorted(maps.Keys(x.Line.Answers)) {
		out.Filled = append(out.Filled, n.key(key, x.Line.Answers[key]))
	}
	for i := range x.Heard.List {
		o := &x.Heard.List[i]
		before := obligations.Find(held, o.Key)
		if o.Value != nil && (before == nil || !obligations.SameValue(before.Value, o.Value)) {
			out.Learnt = append(out.Learnt, n.key(o.Key, o.Value))
		}
	}
	return out
}
