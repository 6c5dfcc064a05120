package obligations

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// MergeRule says whose word holds when several people answer the same question
// differently. A template declares it.
type MergeRule string

// The rules. Under all of them a reviewer's answer wins against everybody's.
const (
	MergeLatest   MergeRule = "latest"   // the latest answer holds and the disagreement stays open; the default
	MergeOwner    MergeRule = "owner"    // the latest answer of an owner of the session holds; like latest until an owner has spoken
	MergeMajority MergeRule = "majority" // the most frequent answer holds; on a tie, the side that spoke last, and the disagreement stays open
	MergeReviewer MergeRule = "reviewer" // the latest answer is held in doubt until a reviewer decides
)

var mergeRules = []MergeRule{MergeLatest, MergeOwner, MergeMajority, MergeReviewer}

// Valid reports whether r is one of the rules; the empty rule means the default.
func (r MergeRule) Valid() bool { return r == "" || slices.Contains(mergeRules, r) }

// Contribution is one person's answer to an obligation.
type Contribution struct {
	Person   string          `json:"person"`
	Owner    bool            `json:"owner,omitempty"` // of the session
	Value    json.RawMessage `json:"value"`
	Evidence Evidence        `json:"evidence"` // its Turn is when they said it
}

// Outcome is the result of merging contributions.
type Outcome struct {
	Lead    Contribution   // the latest contribution with the value that holds; the zero value if nobody has spoken
	Stands  []Contribution // each person's latest, earliest first: all that a later merge needs
	Sides   []Side         // each value with its evidence, ordered by when its first speaker settled on it; nil unless people differ
	Settled bool           // the rule decided between the sides, or there was only one
	Doubted bool           // the value must not be relied on until a reviewer decides
}

// Reconcile merges what people say about one obligation. The order of the list, and
// repetitions in it, do not matter. Neither does grouping: the Stands of an outcome
// carry everything that went into it, so that for any rule
//
//	Reconcile(A ∪ B) = Reconcile(Reconcile(A).Stands ∪ B)
//
// Of each person the latest contribution counts: that of the later turn, then of the
// later place in the message. Remaining ties are broken by the value and evidence as
// JSON, and between people of one turn by name. Values are compared by [SameValue].
func Reconcile(list []Contribution, rule MergeRule) Outcome {
	if len(list) == 1 { // the usual case
		return Outcome{Stands: []Contribution{list[0]}, Lead: list[0], Settled: true}
	}
	out := Outcome{Stands: latestOfEach(list)}
	if len(out.Stands) == 0 {
		return Outcome{Settled: true}
	}
	camps := campsOf(out.Stands)
	out.Lead, out.Settled = rule.lead(out.Stands, camps)
	if len(camps) == 1 {
		out.Settled = true
		return out
	}
	out.Doubted = rule == MergeReviewer && !out.Settled
	out.Sides = sidesOf(camps, out.Lead)
	return out
}

// latestOfEach returns the latest contribution of each person, earliest first.
func latestOfEach(list []Contribution) []Contribution {
	latest := map[string]Contribution{}
	for _, c := range list {
		if held, ok := latest[c.Person]; !ok || later(c, held) > 0 {
			latest[c.Person] = c
		}
	}
	out := make([]Contribution, 0, len(latest))
	for _, c := range latest {
		out = append(out, c)
	}
	slices.SortFunc(out, later)
	return out
}

// later orders contributions by when they were made. It returns 0 only for equal ones.
func later(a, b Contribution) int {
	first := cmp.Or(
		cmp.Compare(a.Evidence.Turn, b.Evidence.Turn),
		cmp.Compare(placeOf(a.Evidence), placeOf(b.Evidence)),
		cmp.Compare(a.Person, b.Person),
	)
	if first != 0 { // usually decided here; encoding JSON would cost more than applying the finding
		return first
	}
	return cmp.Or(
		bytes.Compare(canonical(a.Value), canonical(b.Value)),
		bytes.Compare(asJSON(a), asJSON(b)),
	)
}

// placeOf returns where in its message evidence starts; evidence without a quote comes
// before any with one.
func placeOf(e Evidence) int {
	if e.Span == nil {
		return -1
	}
	return e.Span.Start
}

func asJSON(c Contribution) []byte {
	out, err := json.Marshal(c)
	if err != nil {
		return c.Value // not JSON, but good enough to tell contributions apart
	}
	return out
}

// campsOf groups contributions by value, in the order in which each value first occurs.
func campsOf(stands []Contribution) [][]Contribution {
	var out [][]Contribution
	at := map[string]int{}
	for _, c := range stands {
		key := string(canonical(c.Value))
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// lead returns the contribution that holds, and whether the rule decided for it.
func (r MergeRule) lead(stands []Contribution, camps [][]Contribution) (Contribution, bool) {
	last := stands[len(stands)-1]
	if c, ok := lastOf(stands, func(c Contribution) bool { return c.Evidence.Kind == Reviewer }); ok {
		return c, true
	}
	switch r {
	case MergeOwner:
		if c, ok := lastOf(stands, func(c Contribution) bool { return c.Owner }); ok {
			return c, true
		}
		return last, false
	case MergeMajority:
		largest := slices.MaxFunc(camps, func(a, b []Contribution) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), later(a[len(a)-1], b[len(b)-1]))
		})
		return largest[len(largest)-1], 2*len(largest) > len(stands)
	case MergeLatest, MergeReviewer, "":
		return last, false
	}
	return last, false
}

func lastOf(stands []Contribution, is func(Contribution) bool) (Contribution, bool) {
	for i := len(stands) - 1; i >= 0; i-- {
		if is(stands[i]) {
			return stands[i], true
		}
	}
	return Contribution{}, false
}

// sidesOf returns the sides of a disagreement, in the order of the camps.
func sidesOf(camps [][]Contribution, lead Contribution) []Side {
	out := make([]Side, 0, len(camps))
	for _, camp := range camps {
		side := Side{Value: camp[len(camp)-1].Value, Kept: SameValue(camp[0].Value, lead.Value)}
		for _, c := range camp {
			side.Evidence = append(side.Evidence, c.Evidence)
		}
		out = append(out, side)
	}
	return out
}

// merged applies what one of several people says about o by the merge rule of its
// template, and reports whether it did. It leaves to the ordinary path what a single
// person says, inferences, documents, reviewers, and remarks too weak to stand against
// the value held.
func (a *applier) merged(o *Obligation, f Finding) bool {
	if f.Act == Confirm && f.Value == nil {
		f.Value = o.Value
	}
	if !isOwnAnswer(f) || !a.usable(o, f) || o.Value != nil && weaker(o, f) {
		return false
	}
	grade := f.Grade
	f.Evidence.Turn, f.Evidence.Grade = a.turn, &grade
	before := standsOf(o, f.Starter)
	out := Reconcile(append(before, Contribution{Person: f.Evidence.By, Owner: f.Owner, Value: f.Value, Evidence: f.Evidence}), o.Merge)
	if o.Value == nil || len(out.Stands) < 2 {
		if f.Starter != "" && f.Evidence.By != f.Starter { // the starter's own answer can be rebuilt from the evidence
			o.Stands = out.Stands
		}
		return false
	}
	o.Stands = out.Stands
	a.disagree(o, f, out, before)
	a.applyOutcome(o, f, out)
	return true
}

// isOwnAnswer reports whether f is a person's own answer.
func isOwnAnswer(f Finding) bool {
	act := f.Act == Tell || f.Act == Correct || f.Act == Confirm
	own := f.Evidence.Kind == Stated || f.Evidence.Kind == Accepted || f.Evidence.Kind == WidgetInput
	return act && own && f.Evidence.By != ""
}

// standsOf returns what each person has said about o so far, as a new list: the stored
// contributions, and those that the evidence of the value held implies.
func standsOf(o *Obligation, starter string) []Contribution {
	out := slices.Clone(o.Stands)
	for _, e := range o.Evidence {
		kept := slices.ContainsFunc(o.Stands, func(c Contribution) bool { return c.Person == e.By })
		if e.By == "" || e.Flag != "" || proposes(e.Kind) || e.Kind == Document || kept && e.Kind != Reviewer {
			continue
		}
		out = append(out, Contribution{Person: e.By, Owner: e.By == starter, Value: o.Value, Evidence: e})
	}
	return out
}

// disagree records a conflict if f differs from what others say. If its value was
// already one of the sides before, the disagreement is not new.
func (a *applier) disagree(o *Obligation, f Finding, out Outcome, before []Contribution) {
	old := slices.ContainsFunc(Reconcile(before, o.Merge).Sides, func(s Side) bool { return SameValue(s.Value, f.Value) })
	if len(out.Sides) == 0 || old {
		return
	}
	c := &Conflict{Kind: BetweenPersons, Keys: []string{o.Key}, Sides: out.Sides, Status: ConflictOpen, Detected: a.turn, Resolution: "people differ"}
	if out.Settled {
		c.Status, c.Resolution = ConflictResolved, "settled by the rule of this question: "+string(o.Merge)
	}
	for i := range c.Sides {
		c.Sides[i].Key = o.Key
	}
	a.conflict[o.Key] = c
}

// applyOutcome makes o hold what the contributions amount to.
func (a *applier) applyOutcome(o *Obligation, f Finding, out Outcome) {
	switch {
	case !SameValue(out.Lead.Value, o.Value):
		if out.Lead.Person != f.Evidence.By { // the speaker's change of mind made somebody else's value win
			f = Finding{Key: o.Key, Value: out.Lead.Value, Evidence: out.Lead.Evidence, Grade: gradeOf(out.Lead.Evidence), Reason: f.Reason}
		}
		a.replace(o, f, "people differ")
		o.Evidence = keepEvidence(evidenceFor(out, o.Value))
	case SameValue(f.Value, o.Value):
		a.agree(o, f)
	}
	if out.Doubted {
		a.doubt(o)
	}
}

// gradeOf returns what the confidence of e was computed from.
func gradeOf(e Evidence) Grade {
	if e.Grade == nil {
		return Grade{Kind: e.Kind}
	}
	return *e.Grade
}

// evidenceFor returns the evidence of everybody who says v, earliest first.
func evidenceFor(out Outcome, v json.RawMessage) []Evidence {
	var list []Evidence
	for _, c := range out.Stands {
		if SameValue(c.Value, v) {
			list = append(list, c.Evidence)
		}
	}
	return list
}

// doubt marks all evidence of o as disputed, so that nothing relies on it until a
// reviewer decides.
func (a *applier) doubt(o *Obligation) {
	o.Evidence = slices.Clone(o.Evidence)
	for i := range o.Evidence {
		grade := gradeOf(o.Evidence[i])
		grade.Disputed = true
		o.Evidence[i].Grade = &grade
		o.Confidence = min(o.Confidence, grade.Confidence())
	}
	a.rate(o)
}
