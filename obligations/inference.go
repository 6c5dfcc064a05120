package obligations

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
)

// InferenceRule says what an inferred obligation is when the values of others are known:
// if all of When hold, it is Then. Of an obligation's rules the first one counts whose
// values are all known and hold.
type InferenceRule struct {
	When    []Premise       `json:"when"`    // at least one; all must hold
	Then    json.RawMessage `json:"then"`    // the value, in the shape of [Template.Check]
	Because string          `json:"because"` // one sentence for people: why it follows
}

// Premise is a condition on the value of another obligation. It has one of Equals, In,
// Contains and ContainsAny, or a bound. A range, and a date without a day, meet a bound only if all that
// they cover does.
type Premise struct {
	Key      string            `json:"key"`                // of the other obligation
	Equals   json.RawMessage   `json:"equals,omitempty"`   // this value, ignoring letter case
	In       []json.RawMessage `json:"in,omitempty"`       // one of these values
	AtLeast  json.RawMessage   `json:"atLeast,omitempty"`  // a number or a date, itself included
	AtMost   json.RawMessage   `json:"atMost,omitempty"`   // a number or a date, itself included
	Contains string            `json:"contains,omitempty"` // a choice of several, or words within a text, ignoring letter case

	ContainsAny []string `json:"containsAny,omitempty"` // at least one of these, each as in Contains
}

// RenamePremises replaces the key from by to in the rules of t.
func (t *Template) RenamePremises(from, to string) {
	for i := range t.Inference {
		for j := range t.Inference[i].When {
			if p := &t.Inference[i].When[j]; p.Key == from {
				p.Key = to
			}
		}
	}
}

// established reports whether o's value may be concluded from: somebody said it or a
// document has it, and it is not going to be asked about any more.
func (o *Obligation) established() bool {
	return o.Value != nil && o.Status != Skipped && o.Bears() && founded(o)
}

// Proposed reports whether o holds a value that was only concluded or found by research,
// which a person has yet to confirm.
func (o *Obligation) Proposed() bool {
	return o.Value != nil && len(o.Evidence) > 0 && !slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return !proposes(e.Kind) })
}

// Pending reports whether o is to be concluded or looked up, and holds a value that was
// proposed since the person was last asked about it.
func (o *Obligation) Pending() bool {
	if o.Collection == DirectQuestion || o.Status != Partial || !o.Proposed() {
		return false
	}
	return o.Attempts == 0 || o.Evidence[len(o.Evidence)-1].Turn >= o.LastTurn
}

// holds reports whether the value meets the premise.
func (p *Premise) holds(o *Obligation) bool {
	is := func(v json.RawMessage) bool { return SameValue(o.Value, v) }
	switch {
	case p.Equals != nil:
		return is(p.Equals)
	case p.In != nil:
		return slices.ContainsFunc(p.In, is)
	case p.Contains != "":
		return containsWords(o, []string{p.Contains})
	case p.ContainsAny != nil:
		return containsWords(o, p.ContainsAny)
	}
	least, most, ok := ends(o.Template, o.Value)
	if from, _, bound := ends(o.Template, p.AtLeast); p.AtLeast != nil && (!bound || least < from) {
		return false
	}
	if _, to, bound := ends(o.Template, p.AtMost); p.AtMost != nil && (!bound || most > to) {
		return false
	}
	return ok
}

// containsWords reports whether one of the choices that o holds is one of a list, or the text of o
// has the words of one in a row.
func containsWords(o *Obligation, list []string) bool {
	for _, v := range readingsOf(o) {
		switch v := v.(type) {
		case []string:
			return slices.ContainsFunc(v, func(item string) bool {
				return slices.ContainsFunc(list, func(s string) bool { return sameFolded(item, s) })
			})
		case string:
			text := spaced(v)
			return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, spaced(s)) })
		}
	}
	return false
}

// spaced returns the words of s in lower case with a space around each.
func spaced(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) && s != "" { // most are one plain word
		return " " + s + " "
	}
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range language.Words(s) {
		b.WriteString(language.Fold(w.Text) + " ")
	}
	return b.String()
}

// ends returns the lowest and the highest that a number or a date of t may mean; ok is
// false for anything else.
func ends(t *Template, v json.RawMessage) (low, high float64, ok bool) {
	if t.Widget != Number && t.Widget != Date {
		return 0, 0, false
	}
	read := readingsOf(&Obligation{Template: t, Value: v})
	if len(read) == 0 {
		return 0, 0, false
	}
	return scalar(read[0]), scalar(read[len(read)-1]), true
}

// scalar returns a number, or a day as a number, so that either can be compared.
func scalar(v any) float64 {
	if day, ok := v.(time.Time); ok {
		return float64(day.Unix())
	}
	n, _ := v.(float64) // readingsOf yields nothing else for a number
	return n
}

// conclusion returns the first rule of o whose premises are all established and hold, or
// nil.
func conclusion(list []Obligation, o *Obligation) *InferenceRule {
	for i := range o.Inference {
		if r := &o.Inference[i]; r.fires(list) {
			return r
		}
	}
	return nil
}

func (r *InferenceRule) fires(list []Obligation) bool {
	return !slices.ContainsFunc(r.When, func(p Premise) bool {
		o := Standing(list, p.Key)
		return o == nil || !o.established() || !p.holds(o)
	})
}

// Awaits reports whether a value of o may still follow from a rule once more is known: no
// rule fires, and of one of them no premise has failed and one can still be asked for.
func (o *Obligation) Awaits(list []Obligation) bool {
	return o.Value == nil && !o.Negotiation.Open() && conclusion(list, o) == nil &&
		slices.ContainsFunc(o.Inference, func(r InferenceRule) bool { return r.undecided(list) })
}

func (r *InferenceRule) undecided(list []Obligation) bool {
	asking := false
	for i := range r.When {
		o := Standing(list, r.When[i].Key)
		switch {
		case o == nil:
			return false
		case o.established():
			if !r.When[i].holds(o) {
				return false
			}
		case o.Open() && o.Attempts < o.maxAttempts():
			asking = true
		default:
			return false
		}
	}
	return asking
}

// finding returns what the rule says about the obligation of key.
func (r *InferenceRule) finding(list []Obligation, key string) Finding {
	e := Evidence{Kind: InferredEvidence, Because: r.Because}
	for _, p := range r.When {
		if k := Standing(list, p.Key).Key; !slices.Contains(e.Premises, k) {
			e.Premises = append(e.Premises, k)
		}
	}
	return Finding{Key: key, Act: Tell, Value: r.Then, Evidence: e, Source: sourceRule, Reason: r.Because}
}

// sourceRule marks in the audit trail what follows from a rule of the objective.
const sourceRule = "rule"

// concludedOnly reports whether the value held was concluded, by a rule or a model, and
// nobody has confirmed it.
func (o *Obligation) concludedOnly() bool {
	return o.Value != nil && len(o.Evidence) > 0 && !slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return e.Kind != InferredEvidence })
}

// concluded reports whether the value of o follows from a rule and nothing else.
func (o *Obligation) concluded() bool {
	return o.concludedOnly() && !slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return e.Because == "" })
}

// concludable reports whether a rule may give o a value: it has none, or only one that
// was concluded and nobody has confirmed, or a hint.
func (o *Obligation) concludable() bool {
	if len(o.Inference) == 0 || o.Status == Skipped || o.Status == Deferred || o.MergedInto != "" || o.SplitInto != nil {
		return false
	}
	return o.Value == nil || o.Hinted() || o.concludedOnly()
}

// overdue returns what the rules of o conclude now, and whether that differs from what o
// holds. What the person has rejected on the same premises is not concluded again.
func (o *Obligation) overdue(list []Obligation) (f *Finding, differs bool) {
	if !o.concludable() {
		return nil, false
	}
	if r := conclusion(list, o); r != nil {
		found := r.finding(list, o.Key)
		if !o.Negotiation.Rejected(found.Value, found.Evidence) && o.Check(found.Value) == nil && !slices.Contains(found.Evidence.Premises, o.Key) {
			f = &found
		}
	}
	if f == nil {
		return nil, o.concluded()
	}
	return f, !o.follows(f)
}

// follows reports whether o holds what f concludes, on the same premises if it was
// concluded by a rule.
func (o *Obligation) follows(f *Finding) bool {
	if o.Hinted() || !SameValue(o.Value, f.Value) {
		return false
	}
	last := o.Evidence[len(o.Evidence)-1]
	return last.Because == "" || last.Because == f.Evidence.Because && slices.Equal(last.Premises, f.Evidence.Premises)
}

// infer draws the conclusions of all rules. One that no longer follows is withdrawn, and
// one that follows anew takes its place. A withdrawal may take conclusions of a model with
// it, which a rule may then replace.
func (a *applier) infer() {
	for range a.list {
		again := false
		for i := range a.list {
			again = a.inferOne(&a.list[i]) || again
		}
		if !again {
			return
		}
	}
}

// inferOne brings o in line with its rules, and reports whether it changed.
func (a *applier) inferOne(o *Obligation) bool {
	f, differs := o.overdue(a.list)
	if !differs {
		return false
	}
	if o.Value != nil && !o.Hinted() {
		a.note(Finding{Key: o.Key, Source: sourceRule, Reason: "it no longer follows from the other answers"})
		a.retract(o, Pending)
		a.reopenDerived(o.Key)
	}
	if f != nil {
		a.applyFinding(*f)
	}
	return true
}
