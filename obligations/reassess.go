package obligations

import (
	"slices"
)

// sourceReevaluation marks changes made by a re-evaluation in the audit trail.
const sourceReevaluation = "reevaluation"

// Reassessment is the result of re-evaluating a session's values.
type Reassessment struct {
	Changes []Change   // values that lost a premise, and statuses that no longer hold
	Found   []Conflict // new conflicts, without an id
	Closed  []Conflict // known conflicts, now resolved because their values fit or are gone
}

// Empty reports whether the re-evaluation found nothing.
func (r Reassessment) Empty() bool { return len(r.Changes)+len(r.Found)+len(r.Closed) == 0 }

// Reassess re-evaluates all values of a session, given its constraints and the
// conflicts it has had. It does not modify its arguments and is idempotent: a second
// run on the result finds nothing.
//
//   - An inferred value is retracted if a premise is gone or was set after the value
//     was inferred. It may be inferred again.
//   - A status that no longer agrees with its condition is corrected, either way.
//   - Rules of inferred obligations are applied to what is known.
//   - Dependencies are updated.
//   - Values that cannot all hold become a conflict, once for each set of values.
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

// reevaluateSession re-evaluates every obligation.
func reevaluateSession(list []Obligation, turn int) []Change {
	if consistent(list) { // as after nearly every turn
		return nil
	}
	a := newApplier(list, turn)
	for i := range a.list {
		a.reevaluateObligation(&a.list[i])
	}
	a.infer()
	a.unlock()
	for _, key := range a.order {
		if a.source[key] == "" {
			a.source[key] = sourceReevaluation
		}
	}
	return a.changes(list)
}

// consistent reports whether re-evaluating list would change nothing.
func consistent(list []Obligation) bool {
	a := &applier{list: list} // used for reading only
	for i := range list {
		o := &list[i]
		if premise, misjudged := a.inconsistent(o); premise != "" || misjudged || Ready(list, o) != o.Unlocked {
			return false
		}
		if _, differs := o.overdue(list); differs {
			return false
		}
	}
	return true
}

// reevaluateObligation re-evaluates one obligation and, if its value is retracted,
// everything that rests on it.
func (a *applier) reevaluateObligation(o *Obligation) {
	premise, misjudged := a.inconsistent(o)
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

// inconsistent returns the premise that o's inferred value has lost, empty if none, and
// whether o's status disagrees with its condition.
func (a *applier) inconsistent(o *Obligation) (premise string, misjudged bool) {
	if o.Value == nil {
		return "", false
	}
	if premise := a.lostPremise(o); premise != "" {
		return premise, false
	}
	if o.Status != Satisfied && o.Status != Partial && o.Status != InProgress {
		return "", false
	}
	return "", (satisfies(o) && founded(o)) != (o.Status == Satisfied)
}

// lostPremise returns a premise that is gone, or was set after o was inferred from it;
// empty if all premises hold or o has evidence that is not inferred.
func (a *applier) lostPremise(o *Obligation) string {
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

// since returns the turn in which o got the value it holds: the first piece of
// evidence is always the one that brought the value.
func (o *Obligation) since() int {
	if len(o.Evidence) == 0 {
		return 0
	}
	return o.Evidence[0].Turn
}

// DetectConflicts returns the conflicts of violated constraints that are not already
// known for these values.
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

// settled returns the open conflicts of constraints that are over: the constraint is
// gone or holds now, or one of the values has changed.
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

// Combine merges two successive sets of changes into one change for each obligation,
// from its state before the first to its state after the second, with the events of
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
