package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// MemoryHost is a conversation in memory, for trying objectives that are not published. It
// leaves nothing behind.
type MemoryHost struct {
	rehearsal   *chat.Rehearsal
	interviewer string // name
	person      string // id
}

var _ Host = (*MemoryHost)(nil)

// NewMemoryHost returns a conversation about d, which must be valid. The rules interview.
func NewMemoryHost(d *objectives.Definition, rules chat.Interviewer, person string) *MemoryHost {
	return &MemoryHost{rehearsal: chat.NewRehearsal(d, rules, rules), interviewer: rules.Name(), person: person}
}

// Say implements [Host]. Its only error is that of ctx.
func (s *MemoryHost) Say(ctx context.Context, message string, answers map[string]json.RawMessage) (TurnResult, error) {
	got, err := s.rehearsal.Say(ctx, chat.RehearsalInput{Person: s.person, Message: message, Answers: answers, At: time.Now()})
	if err != nil {
		return TurnResult{}, err
	}
	h := TurnResult{Turn: got.Turn, Interviewer: s.interviewer, Degraded: got.Degraded, Reply: got.Reply, Question: got.Question,
		List: slices.Clone(s.rehearsal.Obligations()), Reason: string(got.Ends)}
	if h.Reason == "" {
		h.Reason = answered
	}
	return h, nil
}

// Fitting returns the shipped personas with which an objective can be tried, because all
// their facts can be stored under it. year is as in [Shipped].
func Fitting(year int, d *objectives.Definition) ([]Persona, error) {
	all, err := Shipped(year)
	return slices.DeleteFunc(all, func(p Persona) bool { return p.validate(d) != nil }), err
}

// Silent returns a person who knows nothing of what an objective asks.
func Silent(d *objectives.Definition) Persona {
	p := Persona{Context: d.ContextType, Name: "silent", Kind: Refusing, About: "Knows nothing of what is asked, and says so each time."}
	p.normalize()
	return p
}

// Talkative returns a person who has a long answer to everything that an objective asks.
// Their dates are of the given year.
func Talkative(year int, d *objectives.Definition) Persona {
	p := Persona{Context: d.ContextType, Name: "talkative", Kind: Rambling, About: "Has an answer to everything, and gives it at length."}
	for i := range d.Obligations {
		p.Facts = append(p.Facts, anyFact(year, &d.Obligations[i]))
	}
	p.normalize()
	return p
}

// anyFact returns something that could be true of an obligation.
func anyFact(year int, t *obligations.Template) PersonaFact {
	f := PersonaFact{Key: t.Key, Widget: true}
	switch t.Widget {
	case obligations.ChoiceOne:
		f.Gold = encoded(t.Choices[0].Value)
	case obligations.MultiSelect:
		f.Gold = encoded([]string{t.Choices[0].Value})
	case obligations.Number:
		n := 12.0
		if t.Max != nil {
			n = min(n, *t.Max)
		}
		if t.Min != nil {
			n = max(n, *t.Min)
		}
		f.Gold = encoded(n)
	case obligations.Date:
		f.Gold = encoded(strconv.Itoa(year))
	case obligations.Text:
		f.Widget = false
		say := "as to " + strings.ToLower(t.Name()) + ", we settled on the plain way, which everybody here agrees with."
		if len(t.Examples) > 0 {
			say = t.Examples[0] + "."
		}
		say = "Let me tell you at some length, because there is more to it than one would think: " + say
		f.Gold, f.Say = encoded(say), []string{say}
	}
	return f
}

// encoded returns v, a text, a number or a list of texts, as JSON.
func encoded(v any) json.RawMessage {
	out, _ := json.Marshal(v) // cannot fail for these
	return out
}

// ObligationSummary is what became of the obligations in an interview. Lists are in the order of the
// objective.
type ObligationSummary struct {
	Settled  []SettledObligation
	Open     []string // keys that were asked and are not settled
	Unasked  []string // keys that were never asked and have no value
	Repeated []Repetition
	Score    obligations.Completeness
}

// SettledObligation is an obligation that was satisfied or skipped.
type SettledObligation struct {
	Key   string
	Value json.RawMessage // nil when it was skipped
	Turn  int             // in which it was satisfied; 0 when it was skipped
}

// Repetition is an obligation that was asked more than once.
type Repetition struct {
	Key   string
	Times int
}

// Summary sums up an interview about d.
func (t *Transcript) Summary(d *objectives.Definition) ObligationSummary {
	asked := map[string]int{}
	for _, x := range t.Exchanges {
		for _, key := range x.Response.Question.Keys() {
			asked[key]++
		}
	}
	var out ObligationSummary
	if len(t.Exchanges) == 0 {
		return out
	}
	list := t.Exchanges[len(t.Exchanges)-1].Response.List
	out.Score = d.Completion.Score(list)
	for i := range list {
		out.add(&list[i], asked[list[i].Key])
	}
	return out
}

// add adds an obligation that was asked that many times.
func (a *ObligationSummary) add(o *obligations.Obligation, asked int) {
	switch {
	case o.Resolved():
		s := SettledObligation{Key: o.Key, Turn: o.SatisfiedTurn}
		if o.Status == obligations.Satisfied {
			s.Value = o.Value
		}
		a.Settled = append(a.Settled, s)
	case asked == 0 && o.Value == nil:
		a.Unasked = append(a.Unasked, o.Key)
	default:
		a.Open = append(a.Open, o.Key)
	}
	if asked > 1 {
		a.Repeated = append(a.Repeated, Repetition{o.Key, asked})
	}
}

// Rehearse has a person talk about d in memory, for as many turns as its budget allows and
// at most 100.
func Rehearse(ctx context.Context, d *objectives.Definition, rules chat.Interviewer, p *Persona) (Transcript, error) {
	b := Budget{}.of(d)
	b.Turns = min(b.Turns, defaultTurns)
	t, err := Run(ctx, NewMemoryHost(d, rules, p.Name), p, b)
	if err != nil {
		return t, fmt.Errorf("rehearse %s: %w", d.ContextType, err)
	}
	return t, nil
}
