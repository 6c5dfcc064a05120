package obligations

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// says is what a person says in a turn; ada is the owner of the session.
func says(person, value string, turn int) Contribution {
	v, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	e := Evidence{Kind: Stated, By: person, Turn: turn, Message: fmt.Sprint(turn, "-user"), Span: &Span{0, len(value)}, Quote: value}
	return Contribution{Person: person, Owner: person == "ada", Value: v, Evidence: e}
}

func decides(value string, turn int) Contribution {
	c := says("rae", value, turn)
	c.Evidence = Evidence{Kind: Reviewer, By: "rae", Turn: turn}
	return c
}

func TestReconcile(t *testing.T) {
	t.Parallel()

	ada, bo, cy, di := says("ada", "red", 1), says("bo", "blue", 2), says("cy", "red", 3), says("di", "blue", 4)
	for _, tt := range []struct {
		name    string
		rule    MergeRule
		in      []Contribution
		value   string
		settled bool
		sides   int
	}{
		{"nobody", MergeLatest, nil, ``, true, 0},
		{"one", MergeReviewer, []Contribution{ada}, `"red"`, true, 0},
		{"agreement", MergeReviewer, []Contribution{ada, cy}, `"red"`, true, 0},
		{"agreement but for letter case", MergeLatest, []Contribution{ada, says("bo", "RED", 2)}, `"RED"`, true, 0},
		{"latest", MergeLatest, []Contribution{ada, bo}, `"blue"`, false, 2},
		{"no rule is latest", "", []Contribution{ada, bo}, `"blue"`, false, 2},
		{"latest after a change of mind", MergeLatest, []Contribution{ada, bo, says("bo", "red", 5)}, `"red"`, true, 0},
		{"owner", MergeOwner, []Contribution{ada, bo, di}, `"red"`, true, 2},
		{"owner who thinks again", MergeOwner, []Contribution{ada, bo, says("ada", "green", 7), di}, `"green"`, true, 2},
		{"no owner has spoken", MergeOwner, []Contribution{bo, cy}, `"red"`, false, 2},
		{"majority", MergeMajority, []Contribution{ada, cy, bo}, `"red"`, true, 2},
		{"majority of equally many", MergeMajority, []Contribution{ada, bo, cy, di}, `"blue"`, false, 2},
		{"majority of those who have not changed their mind", MergeMajority, []Contribution{ada, bo, cy, di, says("cy", "blue", 5)}, `"blue"`, true, 2},
		{"most, not more than half", MergeMajority, []Contribution{ada, cy, bo, says("di", "green", 9)}, `"red"`, false, 3},
		{"reviewer has not spoken", MergeReviewer, []Contribution{ada, bo}, `"blue"`, false, 2},
		{"reviewer", MergeReviewer, []Contribution{ada, bo, decides("red", 3), di}, `"red"`, true, 2},
		{"reviewer against an owner", MergeOwner, []Contribution{decides("blue", 1), ada}, `"blue"`, true, 2},
		{"reviewer against most", MergeMajority, []Contribution{decides("green", 1), ada, cy}, `"green"`, true, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := Reconcile(tt.in, tt.rule)

			if string(got.Lead.Value) != tt.value || got.Settled != tt.settled || len(got.Sides) != tt.sides {
				t.Errorf("Reconcile = %s, settled %t, %d sides; want %s, %t, %d", got.Lead.Value, got.Settled, len(got.Sides), tt.value, tt.settled, tt.sides)
			}
			if got.Doubted != (tt.rule == MergeReviewer && !tt.settled) {
				t.Errorf("doubted %t", got.Doubted)
			}
			for i, side := range got.Sides {
				if len(side.Evidence) == 0 || side.Kept != SameValue(side.Value, got.Lead.Value) {
					t.Errorf("side %d is %+v", i, side)
				}
			}
		})
	}
}

func anyContribution() *rapid.Generator[Contribution] {
	return rapid.Custom(func(t *rapid.T) Contribution {
		c := says(rapid.SampledFrom([]string{"ada", "bo", "cy", "di", "ed"}).Draw(t, "person"), rapid.SampledFrom([]string{"red", "Red", "blue", "green"}).Draw(t, "value"),
			rapid.IntRange(1, 4).Draw(t, "turn"))
		c.Evidence.Span.Start = rapid.IntRange(0, 2).Draw(t, "start")
		c.Owner = rapid.Bool().Draw(t, "owner")
		if rapid.IntRange(0, 9).Draw(t, "reviewer") == 0 {
			c.Evidence.Kind = Reviewer
		}
		return c
	})
}

// Whatever order and grouping the same contributions come in, the outcome is the
// same, and saying all of it again changes nothing.
func TestReconcileIsOrderIndependent(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(append(slices.Clone(mergeRules), "")).Draw(t, "rule")
		list := rapid.SliceOfN(anyContribution(), 0, 12).Draw(t, "contributions")
		want := Reconcile(list, rule)

		shuffled := rapid.Permutation(list).Draw(t, "order")
		cut := rapid.IntRange(0, len(list)).Draw(t, "cut")
		left, right := Reconcile(shuffled[:cut], rule).Stands, Reconcile(shuffled[cut:], rule).Stands

		for name, got := range map[string]Outcome{
			"in another order":  Reconcile(shuffled, rule),
			"in two groups":     Reconcile(append(slices.Clone(right), left...), rule),
			"one group at once": Reconcile(append(slices.Clone(left), shuffled[cut:]...), rule),
			"twice":             Reconcile(append(slices.Clone(list), shuffled...), rule),
			"merged again":      Reconcile(want.Stands, rule),
		} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}

// One by one, as turns bring them, is a grouping, too.
func TestReconcileOneByOne(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(mergeRules).Draw(t, "rule")
		list := rapid.SliceOfN(anyContribution(), 1, 12).Draw(t, "contributions")
		var got Outcome
		for _, c := range list {
			got = Reconcile(append(slices.Clone(got.Stands), c), rule)
		}

		if diff := cmp.Diff(Reconcile(list, rule), got); diff != "" {
			t.Errorf("one by one (-all at once +one by one):\n%s", diff)
		}
	})
}

// group plays findings of several people, one a turn, against an obligation
// under a rule; ada began the session.
func group(t *testing.T, rule MergeRule, findings ...Finding) ([]Obligation, []Change) {
	t.Helper()
	template := sound("a")
	template.Merge = rule
	list := Fresh([]Template{template}, Origin{Layer: Shipped, Source: "objective"})
	var changes []Change
	var history []Event
	for _, o := range list {
		history = append(history, Birth(o, 0))
	}
	for i, f := range findings {
		changes = Apply(list, []Finding{f}, i+1)
		list = Merge(list, changes)
		for _, c := range changes {
			history = append(history, c.Events...)
		}
	}
	replayed, err := Replay([]Template{template}, history)
	if diff := cmp.Diff(list, replayed); diff != "" || err != nil {
		t.Errorf("Replay: %v (-held +replayed):\n%s", err, diff)
	}
	return list, changes
}

func by(person string, act Act, v json.RawMessage, turn int) Finding {
	e := said(fmt.Sprint(turn, "-user"))
	e.By = person
	return Finding{Key: "a", Act: act, Value: v, Evidence: e, Starter: "ada", Owner: person == "ada"}
}

func TestApplyMergesWhatSeveralPeopleSay(t *testing.T) {
	t.Parallel()

	decision := Finding{Key: "a", Act: Correct, Value: red, Evidence: review, Source: SourceReviewer}
	for _, tt := range []struct {
		name     string
		rule     MergeRule
		in       []Finding
		value    json.RawMessage
		status   Status
		conflict string // status of the last turn's; empty for none
		stands   int
	}{
		{"one person", MergeMajority, []Finding{by("ada", Tell, red, 1), by("ada", Correct, blue, 2)}, blue, Satisfied, "", 0},
		{"two who agree", "", []Finding{by("ada", Tell, red, 1), by("bo", Tell, red, 2)}, red, Satisfied, "", 2},
		{"two who differ", "", []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2)}, blue, Satisfied, ConflictOpen, 2},
		{"one corrects another", "", []Finding{by("ada", Tell, red, 1), by("bo", Correct, blue, 2)}, blue, Satisfied, ConflictOpen, 2},
		{"saying it again is no new conflict", "", []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2), by("bo", Tell, blue, 3)}, blue, Satisfied, "", 2},
		{"giving in ends it", "", []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2), by("bo", Correct, red, 3)}, red, Satisfied, "", 2},
		{"owner first", MergeOwner, []Finding{by("ada", Tell, red, 1), by("bo", Correct, blue, 2)}, red, Satisfied, ConflictResolved, 2},
		{"owner last", MergeOwner, []Finding{by("bo", Tell, blue, 1), by("ada", Tell, red, 2), by("bo", Tell, blue, 3)}, red, Satisfied, "", 2},
		{"majority", MergeMajority, []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2), by("cy", Tell, red, 3), by("di", Tell, red, 4), by("bo", Tell, blue, 5)}, red, Satisfied, "", 4},
		{"majority turns by a change of mind", MergeMajority,
			[]Finding{by("ada", Tell, red, 1), by("bo", Tell, red, 2), by("cy", Tell, blue, 3), by("ada", Correct, blue, 4)}, blue, Satisfied, "", 3},
		{"reviewer is waited for", MergeReviewer, []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2)}, blue, Partial, ConflictOpen, 2},
		{"reviewer decides", MergeReviewer, []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2), decision}, red, Satisfied, ConflictOpen, 2},
		{"agreement needs no reviewer", MergeReviewer, []Finding{by("ada", Tell, red, 1), by("bo", Tell, blue, 2), by("ada", Correct, blue, 3)}, blue, Satisfied, "", 2},
		{"nobody overrules a reviewer", "", []Finding{by("ada", Tell, red, 1), decision, by("bo", Tell, blue, 3)}, red, Satisfied, ConflictOpen, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list, changes := group(t, tt.rule, tt.in...)

			conflict := ""
			for _, c := range changes {
				if c.Conflict != nil {
					conflict = c.Conflict.Status
					wantBothSides(t, c.Conflict)
				}
			}
			if o := list[0]; !SameValue(o.Value, tt.value) || o.Status != tt.status || conflict != tt.conflict && tt.name != "reviewer decides" || len(o.Stands) != tt.stands {
				t.Errorf("%s %s, conflict %q, stands %+v; want %s %s, %q, %d of them", o.Value, o.Status, conflict, o.Stands, tt.value, tt.status, tt.conflict, tt.stands)
			}
		})
	}
}

// wantBothSides checks that a conflict between persons has evidence by name on
// each side.
func wantBothSides(t *testing.T, c *Conflict) {
	t.Helper()
	if c.Kind != BetweenPersons || len(c.Sides) < 2 {
		t.Errorf("conflict %+v", c)
	}
	for _, side := range c.Sides {
		if side.Key != "a" || len(side.Evidence) == 0 || side.Evidence[0].By == "" {
			t.Errorf("side %+v", side)
		}
	}
}
