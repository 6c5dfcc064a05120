package obligations

import (
	"slices"
)

// sourceReevaluation marks in the history what a re-evaluation changed.
const sourceReevaluation = "reevaluation"

// Reassessment is what looking again at a session's values finds.
type Reassessment struct {
	Changes []Change   // values that fell with a premise, statuses that no longer hold
	Found   []Conflict // new, without an id
	Closed  []Conflict // of those known: resolved, for their values fit now or are gone
}

// Empty reports whether nothing was found.
func (r Reassessment) Empty() bool { return len(r.Changes)+len(r.Found)+len(r.Closed) == 0 }

// Reassess looks again at all values of a session, given its constraints and the
// conflicts it has had. It touches nothing it was given, and finds nothing more
// in what it leaves:
//
//   - a value that only follows from others is taken back when one of them is
//     gone or was set after it was concluded; it may be concluded anew;
//   - what is satisfied by a condition that no longer holds is not, and the
//     other way about;
//   - dependencies are brought up to date;
//   - values that cannot all hold become a conflict, each set of values once.
func Reassess(list []Obligation, constraints []Constraint, known []Conflict, turn int) Reassessment {
	var out Reassessment
	out.Changes = reevaluateSession(list, turn)
	after := list
	if len(out.Changes) > 0 {
		after = Merge(list, out.Changes)
	}
	out.Found = DetectConflicts(after, constraints, known, turn)
	out.Closed = settled(after, constraints, known)
	return out
}

// reevaluateSession looks again at every obligation.
func reevaluateSession(list []Obligation, turn int) []Change {
	if unmoved(list) { // as after nearly every turn
		return nil
	}
	a := newApplier(list, turn)
	for i := range a.list {
		a.reevaluateObligation(&a.list[i])
	}
	a.unlock()
	for _, key := range a.order {
		if a.source[key] == "" {
			a.source[key] = sourceReevaluation
		}
	}
	return a.changes(list)
}

// unmoved reports whether looking at list again changes nothing.
func unmoved(list []Obligation) bool {
	a := &applier{list: list} // which only looks
	for i := range list {
		o := &list[i]
		if premise, misjudged := a.astray(o); premise != "" || misjudged || Ready(list, o) != o.Unlocked {
			return false
		}
	}
	return true
}

// reevaluateObligation looks again at one obligation, and at what rests on it if
// its value falls.
func (a *applier) reevaluateObligation(o *Obligation) {
	premise, misjudged := a.astray(o)
	switch {
	case premise != "":
		a.note(Finding{Key: o.Key, Source: sourceReevaluation, Reason: "it followed from " + premise + ", which no longer stands as it did"})
		a.retract(o, Pending)
		a.reopenDerived(o.Key)
	case misjudged:
		a.note(Finding{Key: o.Key, Source: sourceReevaluation, Reason: "its condition was looked at again"})
		a.rate(o)
	}
}

// stray returns the premise with which o's value falls, empty for none, and whether
// its status is not what its condition says.
func (a *applier) astray(o *Obligation) (premise string, misjudged bool) {
	if o.Value == nil {
		return "", false
	}
	if premise := a.fallen(o); premise != "" {
		return premise, false
	}
	if o.Status != Satisfied && o.Status != Partial && o.Status != InProgress {
		return "", false
	}
	return "", (satisfies(o) && founded(o)) != (o.Status == Satisfied)
}

// fallen returns a premise of o, which has no other evidence, that is gone or
// was set after o was concluded; empty when all stand.
func (a *applier) fallen(o *Obligation) string {
	for _, e := range o.Evidence {
		if e.Kind != InferredEvidence {
			return ""
		}
	}
	for _, e := range o.Evidence {
		for _, key := range e.Premises {
			if p := Find(a.list, key); p == nil || p.Value == nil || p.since() > e.Turn {
				return key
			}
		}
	}
	return ""
}

// since returns the turn in which o got the value it holds: what is kept first
// of a value's evidence is what brought it.
func (o *Obligation) since() int {
	if len(o.Evidence) == 0 {
		return 0
	}
	return o.Evidence[0].Turn
}

// DetectConflicts returns the conflicts of constraints that are violated and
// were not found before for these values.
func DetectConflicts(list []Obligation, constraints []Constraint, known []Conflict, turn int) []Conflict {
	var out []Conflict
	for i := range constraints {
		if !constraints[i].Violated(list) {
			continue
		}
		c := constraints[i].conflict(list, turn)
		if !slices.ContainsFunc(known, func(k Conflict) bool { return k.same(&c) }) {
			out = append(out, c)
		}
	}
	return out
}

// settled returns the open conflicts of constraints that are over: their
// constraint is gone or holds, or one of their values is held no longer.
func settled(list []Obligation, constraints []Constraint, known []Conflict) []Conflict {
	var out []Conflict
	for _, c := range known {
		if c.Kind != Constrained || c.Status != ConflictOpen {
			continue
		}
		i := slices.IndexFunc(constraints, func(k Constraint) bool { return k.Name == c.Constraint })
		if i >= 0 && c.stands(list) && constraints[i].Violated(list) {
			continue
		}
		c.Status, c.Resolution = ConflictResolved, "the values fit together now"
		out = append(out, c)
	}
	return out
}

// Combine returns what changes lead to one after the other: one change for each
// obligation, from before the first to after the second, with the events of
// both in order.
func Combine(first, second []Change) []Change {
	out := slices.Clone(first)
	for _, c := range second {
		i := slices.IndexFunc(out, func(o Change) bool { return o.After.Key == c.After.Key })
		if i < 0 {
			out = append(out, c)
			continue
		}
		out[i].After, out[i].Events = c.After, append(slices.Clone(out[i].Events), c.Events...)
		if out[i].Conflict == nil {
			out[i].Conflict = c.Conflict
		}
	}
	return out
}
