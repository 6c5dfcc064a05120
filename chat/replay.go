package chat

import (
	"context"
	"fmt"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Branch is what the messages of a session lead to under other conditions.
type Branch struct {
	Objective   string // context and version
	Interviewer string
	Turns       []RehearsalTurn
	Session     sessions.Session
	Obligations []obligations.Obligation
}

// Rerun sends the messages of a recorded session, up to a turn (0 means all), to another
// interviewer or with another objective. It writes nothing. Messages keep their words,
// widgets and times, while the questions between them may differ.
func Rerun(ctx context.Context, r *sessions.Record, d *objectives.Definition, interviewer, rules Interviewer, until int) (Branch, error) {
	h := NewRehearsal(d, interviewer, rules)
	if s := r.Session; s.LanguageSource == sessions.LanguageAsked || s.LanguageSource == sessions.LanguageAccepted {
		h.In(s.Language, s.LanguageSource)
	}
	out := Branch{Objective: d.ContextType + " " + d.Version, Interviewer: interviewer.Name()}
	for _, l := range lines(r, until) {
		if l.reopens {
			h.reopen()
			continue
		}
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

// lines returns what people contributed, turn by turn. Failed turns are left out, because
// people were asked to send their messages again.
func lines(r *sessions.Record, until int) []RehearsalInput {
	said, reopened := map[int]string{}, map[int]bool{}
	for _, e := range r.Log {
		if e.Kind == sessions.KindReopened {
			reopened[e.Turn] = true
		}
	}
	for _, m := range r.Messages {
		if m.Role == sessions.FromUser {
			said[m.Turn] = m.Content
		}
	}
	var out []RehearsalInput
	for _, t := range r.Turns {
		if t.Status == sessions.TurnFailed || until > 0 && t.Number > until {
			continue
		}
		out = append(out, RehearsalInput{Person: t.User, Message: said[t.Number], Answers: t.Answers, Files: r.FilesOf(t.Number), At: t.StartedAt, reopens: reopened[t.Number]})
	}
	return out
}

// Difference is an obligation that differs between two states. A side is nil where the
// obligation does not exist.
type Difference struct {
	Key          string
	First, Other *obligations.Obligation
}

// Differences compares status, value and confidence of two states. The result has the
// order of first, followed by what only other has.
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

// sameKnowledge reports whether two states know the same about an obligation.
func sameKnowledge(a, b *obligations.Obligation) bool {
	return a.Status == b.Status && a.Confidence == b.Confidence && obligations.SameValue(a.Value, b.Value)
}
