package chat

import (
	"context"
	"fmt"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Branch is what a session's messages come to under other conditions.
type Branch struct {
	Objective   string // context and version
	Interviewer string
	Turns       []RehearsalTurn
	Session     sessions.Session
	Obligations []obligations.Obligation
}

// Rerun says what people said in a recorded session once more, up to a turn (0
// for all), to another interviewer or about another objective. It writes nothing.
// Messages keep their words, widgets and times; the questions between them may be
// others.
func Rerun(ctx context.Context, r *sessions.Record, d *objectives.Definition, mind, rules Interviewer, until int) (Branch, error) {
	h := NewRehearsal(d, mind, rules)
	out := Branch{Objective: d.ContextType + " " + d.Version, Interviewer: mind.Name()}
	for _, l := range lines(r, until) {
		turn, err := h.Say(ctx, l)
		if err != nil {
			return out, fmt.Errorf("rerun session %s: %w", r.Session.ID, err)
		}
		if turn.Turn > 0 {
			out.Turns = append(out.Turns, turn)
		}
	}
	out.Session, out.Obligations = h.Session(), h.Obligations()
	return out, nil
}

// lines returns what people contributed, turn by turn. A turn that failed is left
// out: what was said in it was asked for again.
func lines(r *sessions.Record, until int) []Line {
	said := map[int]string{}
	for _, m := range r.Messages {
		if m.Role == sessions.FromUser {
			said[m.Turn] = m.Content
		}
	}
	var out []Line
	for _, t := range r.Turns {
		if t.Status == sessions.TurnFailed || until > 0 && t.Number > until {
			continue
		}
		out = append(out, Line{Person: t.User, Message: said[t.Number], Answers: t.Answers, Files: r.FilesOf(t.Number), At: t.StartedAt})
	}
	return out
}

// Difference is one obligation that two states hold differently. A side is nil
// where the obligation does not exist.
type Difference struct {
	Key          string
	First, Other *obligations.Obligation
}

// Differences compares what two states know: status, value and confidence. They
// come in the order of the first state, what only the other has last.
func Differences(first, other []obligations.Obligation) []Difference {
	var out []Difference
	for i := range first {
		a := &first[i]
		if b := obligations.Find(other, a.Key); b == nil || !sameKnowledge(a, b) {
			out = append(out, Difference{a.Key, a, b})
		}
	}
	for i := range other {
		b := &other[i]
		if !slices.ContainsFunc(first, func(a obligations.Obligation) bool { return a.Key == b.Key }) {
			out = append(out, Difference{b.Key, nil, b})
		}
	}
	return out
}

func sameKnowledge(a, b *obligations.Obligation) bool {
	return a.Status == b.Status && a.Confidence == b.Confidence && obligations.SameValue(a.Value, b.Value)
}
