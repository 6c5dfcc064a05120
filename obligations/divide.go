package obligations

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/fault"
)

// Divide splits an overloaded obligation into children with keys of their own. From then on
// the parent is not asked: it is satisfied when the children are, and its value is composed
// of theirs. The interviewer sees the parent's former value with each child, and the audit
// trail keeps it. Only open questions can be split. Divide returns the changes and the
// children, and does not modify its arguments.
func Divide(list []Obligation, key string, children []Template, r ReviewDecision) ([]Change, []Obligation, error) {
	o := Find(list, key)
	if err := mayDivide(o, key, children); err != nil {
		return nil, nil, err
	}
	born, err := childrenOf(list, o, children)
	if err != nil {
		return nil, nil, err
	}
	all := append(slices.Clone(list), born...)
	a := newApplier(all, r.Turn)
	parent := Find(a.list, key)
	for _, c := range born {
		parent.SplitInto = append(parent.SplitInto, c.Key)
	}
	if err := refuseCircle(a.list); err != nil {
		return nil, nil, err
	}
	a.note(Finding{Key: key, Source: r.Source, Reason: r.reason("split into %s", strings.Join(parent.SplitInto, ", "))})
	a.retract(parent, Pending)
	a.reopenDerived(key)
	a.rollUp()
	a.unlock()
	for i := range born { // take over their final state, so that their first event has all of it
		born[i] = *Find(a.list, born[i].Key)
	}
	changes := a.changes(all)
	return slices.DeleteFunc(changes, func(c Change) bool { return Find(born, c.After.Key) != nil }), born, nil
}

// maxChildren bounds a split; more parts than that are an objective of their own.
const maxChildren = 8

func mayDivide(o *Obligation, key string, children []Template) error {
	switch {
	case o == nil:
		return fault.New(fault.NotFound, "the session has no obligation %q", clip(key)).Coded("obligation_not_found")
	case o.MergedInto != "":
		return fault.New(fault.Conflict, "%s was merged into %s; split that", key, o.MergedInto).Coded("obligation_merged")
	case o.SplitInto != nil:
		return fault.New(fault.Conflict, "%s was split already", key).Coded("obligation_split")
	case o.Negotiation.Open():
		return fault.New(fault.Conflict, "the value of %s is in dispute; settle that first", key).Coded("obligation_disputed")
	case o.Widget != Text:
		return fault.New(fault.Unprocessable, "%s asks for a %s, which is one thing; only open questions can be split", key, o.Widget).Coded("obligation_closed")
	case len(children) < 2 || len(children) > maxChildren:
		return fault.New(fault.Unprocessable, "must be 2 to %d, not %d", maxChildren, len(children)).At("children")
	}
	return refuseTwice(children)
}

// refuseTwice refuses children that are the same by their key, question or label.
func refuseTwice(children []Template) error {
	for i := range children {
		for j := range i {
			a, b := &children[i], &children[j]
			for _, text := range []struct{ field, a, b string }{{"key", a.Key, b.Key}, {"prompt", a.Prompt, b.Prompt}, {"label", a.Label, b.Label}} {
				if said := normalized(text.a); said != "" && said == normalized(text.b) {
					return fault.New(fault.Unprocessable, "is that of children[%d]; each part asks for something else", j).At(fmt.Sprintf("children[%d].%s", i, text.field)).Coded("children_alike")
				}
			}
		}
	}
	return nil
}

// normalized normalizes s for comparison: lower case, single spaces, no final punctuation.
func normalized(s string) string {
	return strings.TrimRight(strings.Join(strings.Fields(strings.ToLower(s)), " "), " .?!:")
}

// childrenOf makes templates into children of o, with the parent's settings as defaults.
func childrenOf(list []Obligation, o *Obligation, children []Template) ([]Obligation, error) {
	all := slices.Clone(list)
	made := make([]Template, len(children))
	var born []Obligation
	for i, t := range children {
		t.Key = freeKey(all, keyFrom(t.Key, t.Label, t.Prompt))
		t.FieldPath = t.Key
		t.Dependencies = slices.Clone(o.Dependencies)
		if t.Collection == "" {
			t.Collection = DirectQuestion
		}
		if t.Widget == "" {
			t.Widget = Text
		}
		if t.Priority == 0 {
			t.Priority = o.Priority
		}
		if t.Category == "" {
			t.Category = o.Category
		}
		if o.Value != nil {
			t.AgentNotes = strings.TrimSpace(t.AgentNotes + "\nSaid of " + o.Name() + " before it was split: " + clip(Spoken(o.Template, o.Value)))
		}
		made[i] = t
		child := Obligation{Template: &made[i], Status: Pending, Position: nextPosition(all), Origin: Origin{Layer: SessionOnly, Source: SourceSplit}}
		born, all = append(born, child), append(all, child)
	}
	return born, admit(list, made)
}

// Spoken returns a value of t in words: the labels of choices, a text as it is, a number
// with its unit.
func Spoken(t *Template, v json.RawMessage) string {
	if one, err := decode[string](v); err == nil {
		return labels(t, []string{one})
	}
	if many, err := decode[[]string](v); err == nil {
		return labels(t, many)
	}
	words := strings.TrimSpace(string(v))
	if r, err := decodeRange(v); err == nil {
		words = fmt.Sprintf("%v to %v", r.Min, r.Max)
	}
	return strings.TrimSpace(words + " " + t.Unit)
}

// rollUp composes the values of split obligations from their parts until nothing changes,
// because a value that is retracted may take others with it.
func (a *applier) rollUp() {
	for range len(a.list) + 1 {
		settled := true
		for i := len(a.list) - 1; i >= 0; i-- { // parts come after their parent
			if o := &a.list[i]; o.SplitInto != nil && !a.compose(o) {
				settled = false
			}
		}
		if settled {
			return
		}
	}
}

// compose updates a split obligation and reports whether it was up to date.
func (a *applier) compose(o *Obligation) bool {
	whole := *o
	var said []string
	var declined, satisfied, open bool
	whole.Value, whole.Evidence, whole.Confidence, whole.SkipReason = nil, nil, 0, ""
	for _, key := range o.SplitInto {
		part := Standing(a.list, key)
		declined = declined || part.SkipReason == Declined
		satisfied = satisfied || part.Status == Satisfied
		open = open || !part.Resolved()
		evidence := apartFrom(part.Evidence, o.Key)
		if part.Value == nil || len(evidence) == 0 {
			continue
		}
		if whole.Evidence == nil || part.Confidence < whole.Confidence {
			whole.Confidence = part.Confidence
		}
		said = append(said, part.Name()+": "+Spoken(part.Template, part.Value))
		whole.Evidence = append(whole.Evidence, strongest(evidence))
	}
	if len(said) > 0 {
		whole.Value = text16K(strings.Join(said, "; "))
	}
	whole.Status, whole.SkipReason = standingOf(open, satisfied && founded(&whole), declined, whole.Value != nil)
	switch {
	case whole.Status != Satisfied:
		whole.SatisfiedTurn = 0
	case o.Status != Satisfied:
		whole.SatisfiedTurn = a.turn
	}
	return a.replaceWhole(o, whole)
}

// standingOf returns the status of a split obligation from what its parts have.
func standingOf(open, satisfied, declined, some bool) (Status, SkipReason) {
	switch {
	case open && some:
		return Partial, ""
	case open:
		return Pending, ""
	case satisfied:
		return Satisfied, ""
	case declined:
		return Skipped, Declined
	}
	return Skipped, NotApplicable
}

// replaceWhole gives o its new state and reports whether o had it already.
func (a *applier) replaceWhole(o *Obligation, whole Obligation) bool {
	same := SameValue(o.Value, whole.Value)
	if same && o.Status == whole.Status && o.Confidence == whole.Confidence && o.SkipReason == whole.SkipReason && sameEvidence(o.Evidence, whole.Evidence) {
		return true
	}
	if same && whole.Value != nil {
		whole.Value = o.Value // keep the bytes, so that no change is recorded
	}
	changed := o.Value != nil && !same
	*o = whole
	a.note(Finding{Key: o.Key, Source: "derived", Reason: "put together from its parts"})
	if changed {
		a.reopenDerived(o.Key)
	}
	return false
}

func sameEvidence(a, b []Evidence) bool {
	return slices.EqualFunc(a, b, func(x, y Evidence) bool {
		return x.Kind == y.Kind && x.Turn == y.Turn && x.Message == y.Message && x.Quote == y.Quote && x.Source == y.Source && slices.Equal(x.Premises, y.Premises)
	})
}

// strongest returns the latest of the weightiest pieces of evidence. Inferred evidence
// counts only if there is no other: the part's value would stand without it, and so must
// the whole.
func strongest(list []Evidence) Evidence {
	best := list[0]
	for _, e := range list[1:] {
		follows, followed := e.Kind == InferredEvidence, best.Kind == InferredEvidence
		if followed && !follows || follows == followed && weight(e) >= weight(best) {
			best = e
		}
	}
	return best
}

// text16K returns s as a JSON value, cut to maxValueBytes.
func text16K(s string) json.RawMessage {
	s = strings.ToValidUTF8(s, "")
	for {
		v, err := json.Marshal(s)
		if err != nil { // cannot happen: s is a string
			return nil
		}
		if len(v) <= maxValueBytes {
			return v
		}
		s = strings.ToValidUTF8(s[:len(s)/2], "")
	}
}
