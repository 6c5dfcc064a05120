package obligations

import (
	"encoding/json"
	"slices"
)

// deny retracts the value held, or marks a proposal as rejected. A reviewer's
// decision stays; the person's disagreement becomes a conflict for a reviewer to
// decide.
func (a *applier) deny(o *Obligation, f Finding) {
	reason := f.Reason
	if reason == "" {
		reason = "the person says this is not right"
	}
	if o.Value != nil && o.Decided() && f.Source != SourceReviewer {
		a.clash(o, Finding{Evidence: f.Evidence}, "the person denies what a reviewer decided")
		a.turnDown(o, o.Value, reason)
		if n, err := o.Negotiation.step(StepEscalate); err == nil {
			o.Negotiation = n
		}
		return
	}
	if o.Hinted() { // nobody had said or proposed it, so nothing is in dispute
		a.retract(o, InProgress)
		a.reopenDerived(o.Key)
		return
	}
	proposal := o.Value
	if proposal == nil {
		proposal = f.Value
	}
	if proposal == nil {
		return
	}
	a.turnDown(o, proposal, reason)
	a.retract(o, InProgress)
	a.reopenDerived(o.Key)
}

// turnDown opens a dispute over v, or adds a fruitless round to the open one.
func (a *applier) turnDown(o *Obligation, v json.RawMessage, why string) {
	step := StartNegotiation
	if o.Negotiation.Open() {
		step = (*Negotiation).reject
	}
	if n, err := step(o.Negotiation, a.rejection(o, v, why)); err == nil {
		o.Negotiation = n
	}
}

// rejection describes the rejection of v, which is o's value or one proposed for it.
func (a *applier) rejection(o *Obligation, v json.RawMessage, why string) Rejection {
	r := Rejection{Turn: a.turn, Proposal: v, Reason: why}
	if SameValue(v, o.Value) {
		r.Evidence = o.Evidence
	}
	return r
}

// reopen clears o so that it is asked as if for the first time. A reviewer's
// decision can be reopened only by a reviewer.
func (a *applier) reopen(o *Obligation, f Finding) {
	if o.Decided() && f.Source != SourceReviewer {
		return
	}
	a.retract(o, Pending)
	o.Attempts, o.LastTurn = 0, 0
	a.reopenDerived(o.Key)
}

// retract clears o's value and everything that rests on it, and sets its status.
func (a *applier) retract(o *Obligation, to Status) {
	o.Value, o.Evidence, o.Confidence, o.SatisfiedTurn, o.SkipReason = nil, nil, 0, 0, ""
	o.Status = to
}

// reopenDerived retracts every value that was inferred from key, recursively: no
// inferred value outlives a premise.
func (a *applier) reopenDerived(key string) {
	for i := range a.list {
		o := &a.list[i]
		if o.Key == key || o.Value == nil || !restsOn(o, key) {
			continue
		}
		a.note(Finding{Key: o.Key, Source: "derived", Reason: "it followed from " + key + ", which changed"})
		a.retract(o, Pending)
		a.reopenDerived(o.Key)
	}
}

// restsOn reports whether all of o's evidence is inferred and some of it from key.
func restsOn(o *Obligation, key string) bool {
	rests := false
	for _, e := range o.Evidence {
		if e.Kind != InferredEvidence {
			return false
		}
		rests = rests || slices.Contains(e.Premises, key)
	}
	return rests
}
