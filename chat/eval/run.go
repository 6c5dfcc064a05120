package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"quaestor/sessions/objectives"
)

// Budget bounds one interview.
type Budget struct {
	Turns int // including the opening; zero means the objective's own, or 100 when it has none
}

// defaultTurns bounds an interview whose objective has no budget. The shipped objectives
// allow 60 turns.
const defaultTurns = 100

// of returns b with the default for an objective.
func (b Budget) of(d *objectives.Definition) Budget {
	switch {
	case b.Turns > 0:
	case d.Budget.Turns > 0:
		b.Turns = d.Budget.Turns
	default:
		b.Turns = defaultTurns
	}
	return b
}

// Exchange is one turn: what the person said and what it led to. The first has an empty
// line, because the interviewer opens.
type Exchange struct {
	Line     Line
	Response TurnResult
}

// Transcript is a whole interview.
type Transcript struct {
	Exchanges []Exchange
	Stop      string // why it ended; empty when the budget ran out first
	Budget    Budget
}

// answered is the reason with which a turn ends after which the session goes on.
const answered = "answered"

// Run has a person talk in h until the session ends or pauses, or the budget is used up. The
// budget must have a number of turns; [RunAll] fills in the objective's.
func Run(ctx context.Context, h Host, p *Persona, b Budget) (Transcript, error) {
	t := Transcript{Budget: b}
	person := NewSimulatedPerson(p)
	var line Line
	for range b.Turns {
		response, err := h.Say(ctx, line.Message, line.Answers)
		if err != nil {
			return t, fmt.Errorf("interview of %s/%s: %w", p.Context, p.Name, err)
		}
		t.Exchanges = append(t.Exchanges, Exchange{Line: line, Response: response})
		if response.Reason != answered {
			t.Stop = response.Reason
			return t, nil
		}
		line = person.Answer(response.Question, response.Turn+1)
	}
	return t, nil
}

// Markdown writes the interview for people to read: what was said, asked and stored, turn
// by turn.
func (t *Transcript) Markdown(w io.Writer) error {
	p := page{w: w}
	for _, x := range t.Exchanges {
		if x.Response.Turn > 1 {
			p.say("\n**Person** (%d, %s): %s", x.Response.Turn, x.Line.Kind, cell(x.Line.words()))
		}
		p.say("\n**Interviewer** (%d): %s\n", x.Response.Turn, cell(x.Response.Reply))
		for _, e := range x.Response.Audit {
			if e.Meta.Set.Value != nil || e.Meta.Set.Cleared {
				p.say("- %s: %s (%s)", e.Key, shown(e.Meta.Set.Value), e.NewConfidence)
			}
		}
	}
	p.say("\nEnded: %s.", stop(t.Stop))
	return p.err
}

// words returns a line with its widgets.
func (l *Line) words() string {
	out := []string{l.Message}
	for _, key := range slices.Sorted(maps.Keys(l.Answers)) {
		out = append(out, "["+key+": "+string(l.Answers[key])+"]")
	}
	return strings.TrimSpace(strings.Join(out, " "))
}

// shown returns a value as it is stored, or "withdrawn" for nil.
func shown(v json.RawMessage) string {
	if v == nil {
		return "withdrawn"
	}
	return string(v)
}
