package obligations

import (
	"encoding/json"
	"slices"
	"strings"
)

// additionMark stands between a text and what the person added when they were asked for
// more.
const additionMark = "; "

// elaborate adds to a text what the person says when they are asked for more: the value held
// stays as it is and goes on with the addition, and its evidence grows. What is there
// already adds evidence only, and what does not fit adds nothing.
func (a *applier) elaborate(o *Obligation, f Finding) {
	if o.Value == nil {
		a.tell(o, f)
		return
	}
	held, err := decode[string](o.Value)
	added, err2 := decode[string](f.Value)
	if o.Widget != Text || err != nil || err2 != nil || o.Decided() || !f.Evidence.Kind.Valid() || f.Evidence.Unfounded() {
		return
	}
	grade := f.Grade
	grade.Agreement = o.reasons()
	f.Evidence.Grade, f.Evidence.Turn = &grade, a.turn
	o.Evidence = keepEvidence(append(slices.Clone(o.Evidence), f.Evidence))
	o.Confidence = max(o.Confidence, grade.Confidence())
	if joined, ok := o.extended(held, strings.TrimSpace(added)); ok {
		o.Value = joined
		a.reopenDerived(o.Key)
	}
	a.rate(o)
}

// extended returns the text held with an addition, if that is new and the whole may be the
// value of o.
func (o *Obligation) extended(held, added string) (json.RawMessage, bool) {
	if added == "" || strings.Contains(strings.ToLower(held), strings.ToLower(added)) {
		return nil, false
	}
	joined, err := json.Marshal(strings.TrimRight(held, " .;,") + additionMark + added)
	return joined, err == nil && o.Check(joined) == nil
}

// Elaborated returns what a change added to a text that was held before; "" when it did
// something else.
func (c *Change) Elaborated() string {
	before, err := decode[string](c.Before.Value)
	after, err2 := decode[string](c.After.Value)
	if c.Before.Value == nil || c.After.Value == nil || err != nil || err2 != nil {
		return ""
	}
	added, ok := strings.CutPrefix(after, strings.TrimRight(before, " .;,")+additionMark)
	if !ok {
		return ""
	}
	return added
}
