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
	"quaestor/web"
	objectivepages "quaestor/web/objectives"
)

// rehearsals returns what holds rehearsals of drafts with the simulated people of the
// evaluation. The interviewer is the rules: they are quick, cost nothing and answer
// the same each time.
func rehearsals(interviewer *rules.Interviewer) objectivepages.Rehearsals {
	return objectivepages.Rehearsals{
		Personas: func(d *objectives.Definition) ([]objectivepages.Persona, error) {
			people, err := personas(d)
			return web.Map(people, asListed), err
		},
		Rehearse: func(ctx context.Context, d *objectives.Definition, name string) (objectivepages.Rehearsal, error) {
			return rehearse(ctx, interviewer, d, name)
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

// asListed returns a persona as the page lists it, under the name it is chosen by.
func asListed(p eval.Persona) objectivepages.Persona {
	kind := strings.ReplaceAll(string(p.Kind), "_", " ")
	return objectivepages.Persona{Name: p.Context + "/" + p.Name, Kind: kind, About: p.About}
}

// rehearse holds a rehearsal of d with the person of that name.
func rehearse(ctx context.Context, interviewer chat.Interviewer, d *objectives.Definition, name string) (objectivepages.Rehearsal, error) {
	people, err := personas(d)
	if err != nil {
		return objectivepages.Rehearsal{}, err
	}
	i := slices.IndexFunc(people, func(p eval.Persona) bool { return asListed(p).Name == name })
	if i < 0 {
		return objectivepages.Rehearsal{}, fault.New(fault.NotFound, "nobody of that name fits this draft; choose one of those listed").At("who").Coded("player_not_found")
	}
	t, err := eval.Rehearse(ctx, d, interviewer, &people[i])
	if err != nil {
		return objectivepages.Rehearsal{}, err
	}
	return outcome(d, &t), nil
}

// outcome returns a transcript as the page shows it.
func outcome(d *objectives.Definition, t *eval.Transcript) objectivepages.Rehearsal {
	a := t.Summary(d)
	n := templates{}
	for i := range d.Obligations {
		n[d.Obligations[i].Key] = &d.Obligations[i]
	}
	out := objectivepages.Rehearsal{Ended: t.Stop, Score: a.Score}
	for _, s := range a.Settled {
		k := n.key(s.Key, s.Value)
		k.Turn, k.Skipped = s.Turn, s.Value == nil
		out.Settled = append(out.Settled, k)
	}
	named := func(key string) objectivepages.RehearsedKey { return n.key(key, nil) }
	out.Open, out.Unasked = web.Map(a.Open, named), web.Map(a.Unasked, named)
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
func (n templates) key(key string, v json.RawMessage) objectivepages.RehearsedKey {
	t := n[key]
	if t == nil { // a question that emerged in the interview: no template names it
		return objectivepages.RehearsedKey{Name: key, Value: string(v)}
	}
	return objectivepages.RehearsedKey{Name: t.Name(), Value: sessions.Display(t, v)}
}

// turn returns an exchange as the page shows it. held is what was known before it, so
// what differs was learnt in it.
func (n templates) turn(x eval.Exchange, held []obligations.Obligation) objectivepages.RehearsalTurn {
	out := objectivepages.RehearsalTurn{N: x.Response.Turn, Said: x.Line.Message, Reply: x.Response.Reply}
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
