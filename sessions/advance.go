package sessions

import (
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Advance returns the session after changes to its obligations, and the events of them:
// what was learnt, what is in dispute or in conflict, how complete the session is, and
// the phase if it changed. It is pure.
func Advance(s Session, d *objectives.Definition, after []obligations.Obligation, changes []obligations.Change, turn int) (Session, []Payload) {
	var out []Payload
	for _, c := range changes {
		if told(c) {
			out = append(out, LearntFrom(c, turn))
		}
	}
	for _, c := range changes {
		if n := c.After.Negotiation; n != nil && n != c.Before.Negotiation {
			out = append(out, NegotiationEvent{Turn: turn, Key: c.After.Key, Negotiation: n})
		}
	}
	for _, c := range changes {
		if c.Conflict != nil {
			out = append(out, ConflictEvent{turn, *c.Conflict})
		}
	}
	got := d.Completion.Score(after)
	out = append(out, CompletenessEvent{Turn: turn, Categories: got.Categories, Score: got.Score, Progress: got.Progress, Met: got.Met, Satisfied: got.Satisfied,
		Partial: got.Partial, Skipped: got.Skipped, Total: got.Total, Missing: got.MissingKeys})
	before := s.Phase
	s.Score, s.Progress = got.Score, got.Progress
	if s.Status != Completed { // an interview that is over begins no phase
		s.Phase = PhaseFor(got.Progress, s.Phase)
	}
	if s.Phase != before {
		out = append(out, PhaseEvent{Turn: turn, Phase: s.Phase, From: before, Goal: s.Phase.In(d.Phases).Goal})
	}
	return s, out
}

// told reports whether a change is worth an event. That a question was asked again, or
// that a dependency was resolved, is not.
func told(c obligations.Change) bool {
	a, b := c.Before, c.After
	return a.Status != b.Status || a.Confidence != b.Confidence || !obligations.SameValue(a.Value, b.Value) || len(a.Evidence) != len(b.Evidence)
}
