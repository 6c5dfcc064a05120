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

// Stage is a conversation in memory: a [Host] that leaves nothing behind. It
// tries objectives that are not published.
type Stage struct {
	rehearsal *chat.Rehearsal
	mind      string // name of the interviewer
	person    string
}

var _ Host = (*Stage)(nil)

// NewStage returns a stage for a conversation about d, which must be one that
// could be published. The rules interview.
func NewStage(d *objectives.Definition, rules chat.Interviewer, person string) *Stage {
	return &Stage{rehearsal: chat.NewRehearsal(d, rules, rules), mind: rules.Name(), person: person}
}

// Say implements [Host]. Its error is ctx's alone.
func (s *Stage) Say(ctx context.Context, message string, answers map[string]json.RawMessage) (Heard, error) {
	got, err := s.rehearsal.Say(ctx, chat.Line{Person: s.person, Message: message, Answers: answers, At: time.Now()})
	if err != nil {
		return Heard{}, err
	}
	h := Heard{Turn: got.Turn, Interviewer: s.mind, Degraded: got.Degraded, Reply: got.Reply, Question: got.Question,
		List: slices.Clone(s.rehearsal.Obligations()), Phase: s.rehearsal.Session().Phase, Reason: string(got.Ends)}
	if h.Reason == "" {
		h.Reason = answered
	}
	return h, nil
}

// Fitting returns the shipped personas that an objective can be tried on: all
// they hold to be true can be stored under it. Year is as in [Shipped].
func Fitting(year int, d *objectives.Definition) ([]Persona, error) {
	all, err := Shipped(year)
	return slices.DeleteFunc(all, func(p Persona) bool { return p.validate(d) != nil }), err
}

// Silent is somebody who knows nothing of what an objective asks for.
func Silent(d *objectives.Definition) Persona {
	p := Persona{Context: d.ContextType, Name: "silent", Kind: Refusing, About: "Knows nothing of what is asked, and says so each time."}
	p.normalize()
	return p
}

// Talkative is somebody who has an answer to everything an objective asks for,
// and takes their time. Year is the one their dates are of.
func Talkative(year int, d *objectives.Definition) Persona {
	p := Persona{Context: d.ContextType, Name: "talkative", Kind: Rambling, About: "Has an answer to everything, and gives it at length."}
	for i := range d.Obligations {
		p.Facts = append(p.Facts, anyFact(year, &d.Obligations[i]))
	}
	p.normalize()
	return p
}

// anyFact is something that could be true of an obligation.
func anyFact(year int, t *obligations.Template) Fact {
	f := Fact{Key: t.Key, Widget: true}
	switch t.Widget {
	case obligations.ChoiceOne:
		f.Gold = quoted(t.Choices[0].Value)
	case obligations.MultiSelect:
		f.Gold = json.RawMessage("[" + string(quoted(t.Choices[0].Value)) + "]")
	case obligations.Number:
		f.Gold = json.RawMessage(strconv.FormatFloat(anyNumber(t), 'f', -1, 64))
	case obligations.Date:
		f.Gold = quoted(strconv.Itoa(year))
	case obligations.Text:
		f.Widget = false
		say := "Let me tell you at some length, because there is more to it than one would think: " + anyWords(t)
		f.Gold, f.Say = quoted(say), []string{say}
	}
	return f
}

// anyNumber is a number an obligation takes.
func anyNumber(t *obligations.Template) float64 {
	n := 12.0
	if t.Max != nil {
		n = min(n, *t.Max)
	}
	if t.Min != nil {
		n = max(n, *t.Min)
	}
	return n
}

func anyWords(t *obligations.Template) string {
	if len(t.Examples) > 0 {
		return t.Examples[0] + "."
	}
	return "as to " + strings.ToLower(t.Name()) + ", we settled on the plain way, which everybody here agrees with."
}

func quoted(s string) json.RawMessage {
	out, _ := json.Marshal(s) // every text can be
	return out
}

// Account is what became of the obligations in an interview. Lists are in the
// order of the objective.
type Account struct {
	Settled  []Settled
	Open     []string // keys that were asked for and are not settled
	Unasked  []string // keys that were never asked for and hold nothing
	Repeated []Repeated
	Score    obligations.Completeness
}

// Settled is an obligation that was satisfied or skipped.
type Settled struct {
	Key   string
	Value json.RawMessage // nil for one that was skipped
	Turn  int             // in which it was; 0 for one that was skipped
}

// Repeated is an obligation that was asked for more than once.
type Repeated struct {
	Key   string
	Times int
}

// Account takes stock of an interview under d.
func (t *Transcript) Account(d *objectives.Definition) Account {
	asked := map[string]int{}
	for _, x := range t.Exchanges {
		for _, key := range x.Heard.Question.Keys() {
			asked[key]++
		}
	}
	var out Account
	if len(t.Exchanges) == 0 {
		return out
	}
	list := t.Exchanges[len(t.Exchanges)-1].Heard.List
	out.Score = d.Completion.Score(list)
	for i := range list {
		out.add(&list[i], asked[list[i].Key])
	}
	return out
}

func (a *Account) add(o *obligations.Obligation, asked int) {
	switch {
	case o.Resolved():
		s := Settled{Key: o.Key, Turn: o.SatisfiedTurn}
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
		a.Repeated = append(a.Repeated, Repeated{o.Key, asked})
	}
}

// Rehearse lets a person talk on a stage of their own, at most so many turns as
// the budget says, and 100 at most.
func Rehearse(ctx context.Context, d *objectives.Definition, rules chat.Interviewer, p *Persona) (Transcript, error) {
	b := Budget{}.of(d)
	b.Turns = min(b.Turns, defaultTurns)
	t, err := Run(ctx, NewStage(d, rules, p.Name), p, b)
	if err != nil {
		return t, fmt.Errorf("rehearse %s: %w", d.ContextType, err)
	}
	return t, nil
}
