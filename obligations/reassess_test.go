package obligations

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// changed returns list with o's fields changed as no rule would: what an older
// program, an import or a new version of an objective may leave.
func changed(list []Obligation, key string, f func(*Obligation)) []Obligation {
	out := Merge(list, nil)
	f(Find(out, key))
	return out
}

func TestReassess(t *testing.T) {
	t.Parallel()

	concluded, _ := played(tell("a", red, said("m1")), tell("b", blue, fromA))
	said2 := said("m2")
	for _, tt := range []struct {
		name   string
		in     []Obligation
		status map[string]Status // of what changes
	}{
		{"nothing to find", concluded, map[string]Status{}},
		{"a premise is gone", changed(concluded, "a", func(o *Obligation) {
			o.Value, o.Evidence, o.Confidence, o.Status, o.SatisfiedTurn = nil, nil, 0, Pending, 0
		}), map[string]Status{"b": Pending, "c": Pending}},
		{"a premise was set later", changed(concluded, "a", func(o *Obligation) { said2.Turn = 9; o.Value, o.Evidence = green, []Evidence{said2} }), map[string]Status{"b": Pending}},
		{"a condition that holds no longer", changed(concluded, "a", func(o *Obligation) {
			o.Template = &Template{Key: "a", Widget: Text, SatisfiedWhen: "confidence > 0.95"}
		}), map[string]Status{"a": Partial, "c": Pending}},
		{"a condition that holds now", changed(concluded, "a", func(o *Obligation) { o.Status, o.SatisfiedTurn = Partial, 0 }), map[string]Status{"a": Satisfied}},
		{"a dependency that was not noted", changed(concluded, "c", func(o *Obligation) { o.Unlocked = false }), map[string]Status{"c": Pending}},
		{"what was skipped stays so", changed(concluded, "a", func(o *Obligation) { o.Status, o.SatisfiedTurn, o.SkipReason = Skipped, 0, Declined }), map[string]Status{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := Reassess(tt.in, nil, nil, 10)

			status := map[string]Status{}
			for _, c := range got.Changes {
				status[c.After.Key] = c.After.Status
				if len(c.Events) == 0 || c.Events[0].Source == "conversation" {
					t.Errorf("%s changed by %+v", c.After.Key, c.Events)
				}
			}
			if diff := cmp.Diff(tt.status, status); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if again := Reassess(Merge(tt.in, got.Changes), nil, nil, 11); !again.Empty() {
				t.Errorf("Reassess() finds more the second time: %+v", again)
			}
		})
	}
}

func TestConflictOfAConstraintEndsWithItsValues(t *testing.T) {
	t.Parallel()

	rule := []Constraint{constrained("launch < start")}
	list := holding(map[string]string{"start": `"2026-03-01"`, "launch": `"2025"`})
	found := Reassess(list, rule, nil, 2).Found
	if len(found) != 1 {
		t.Fatalf("found %+v, want one conflict", found)
	}
	found[0].ID = "c1"
	if again := Reassess(list, rule, found, 3); !again.Empty() {
		t.Errorf("the same values give %+v", again)
	}
	for name, tt := range map[string]struct {
		in    Finding
		rules []Constraint
	}{
		"another value that fits":         {correct("launch", json.RawMessage(`"2027"`), said("m3")), rule},
		"the value is gone":               {Finding{Key: "launch", Act: Reopen}, rule},
		"the constraint is gone":          {Finding{Key: "name", Act: Asked}, nil},
		"another value that clashes, too": {correct("launch", json.RawMessage(`"2024"`), said("m3")), rule},
	} {
		after := Merge(list, Apply(list, []Finding{tt.in}, 3))
		got := Reassess(after, tt.rules, found, 3)
		if len(got.Closed) != 1 || got.Closed[0].Status != ConflictResolved || got.Closed[0].ID != "c1" || got.Closed[0].Resolution == "" {
			t.Errorf("%s: closed %+v, want the conflict resolved", name, got.Closed)
		}
	}
}

func TestCombine(t *testing.T) {
	t.Parallel()

	list, _ := played()
	first := Apply(list, []Finding{tell("a", red, said("m1"))}, 1)
	middle := Merge(list, first)
	second := Apply(middle, []Finding{{Key: "a", Act: Reopen}, tell("b", blue, said("m2"))}, 2)

	got := Combine(first, second)

	seen := map[string]bool{}
	for _, c := range got {
		if seen[c.After.Key] {
			t.Errorf("%s is changed twice", c.After.Key)
		}
		seen[c.After.Key] = true
		if diff := cmp.Diff(*Find(list, c.After.Key), c.Before, sameState); diff != "" {
			t.Errorf("%s before (-want +got):\n%s", c.After.Key, diff)
		}
	}
	if diff := cmp.Diff(Merge(middle, second), Merge(list, got), sameState); diff != "" {
		t.Errorf("after both (-want +got):\n%s", diff)
	}
	if n := len(got[0].Events); n != 2 {
		t.Errorf("a has %d events, want those of both", n)
	}
}

// disturb does to a list what no rule does, so that there is something to find.
func disturb(t *rapid.T, list []Obligation, turn int) []Obligation {
	out := Merge(list, nil)
	o := &out[rapid.IntRange(0, len(out)-1).Draw(t, "disturbed")]
	switch rapid.SampledFrom([]string{"leave", "drop", "date", "unlock"}).Draw(t, "how") {
	case "drop":
		o.Value, o.Evidence, o.Confidence, o.SatisfiedTurn, o.SkipReason, o.Status = nil, nil, 0, 0, "", Pending
	case "date":
		for i := range o.Evidence {
			o.Evidence = append([]Evidence{}, o.Evidence...)
			o.Evidence[i].Turn = turn
		}
	case "unlock":
		o.Unlocked = !o.Unlocked
	}
	return out
}

// TestReassessAfterAnyHistory plays random histories with disturbances between:
// looking again leaves no derived value whose premise is gone, finds nothing the
// second time, raises each set of values once, and its events replay.
func TestReassessAfterAnyHistory(t *testing.T) {
	t.Parallel()

	for part := range 12 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()

			rapid.Check(t, reassessAny)
		})
	}
}

func reassessAny(t *rapid.T) {
	templates := anyTemplates(t)
	rules := []Constraint{{Name: "differ", Message: "no", When: "k0 == k1"}, {Name: "other", Message: "no", When: "k1 != k2"}}
	for i := range rules {
		rules[i].Normalize(templates)
	}
	list := Fresh(templates, Origin{Layer: Shipped, Source: "objective", ID: "v1"})
	events := births(list)
	var known []Conflict
	for turn := 1; turn <= rapid.IntRange(1, 15).Draw(t, "turns"); turn++ {
		changes := Apply(list, anyTurn(t, list), turn)
		again := Reassess(Merge(list, changes), rules, known, turn)
		checkFindings(t, known, again)
		changes = Combine(changes, again.Changes)
		list = Merge(list, changes)
		for _, c := range changes {
			events = append(events, c.Events...)
		}
		known = remembered(known, again)

		replayed, err := Replay(templates, events)
		if err != nil {
			t.Fatalf("turn %d: Replay: %v", turn, err)
		}
		if diff := cmp.Diff(list, replayed, sameState); diff != "" {
			t.Fatalf("turn %d: Replay (-stored +replayed):\n%s", turn, diff)
		}
		if more := Reassess(list, rules, known, turn); !more.Empty() {
			t.Fatalf("turn %d: the second look finds %+v", turn, more)
		}
		broken := disturb(t, list, turn)
		fixed := Merge(broken, Reassess(broken, nil, nil, turn).Changes)
		for i := range fixed {
			checkDerived(t, fixed, &fixed[i])
		}
		if more := Reassess(fixed, nil, nil, turn); !more.Empty() {
			t.Fatalf("turn %d: after a disturbance the second look finds %+v", turn, more)
		}
	}
}

// checkFindings fails when a conflict is found that was found before.
func checkFindings(t *rapid.T, known []Conflict, r Reassessment) {
	for _, c := range r.Found {
		for _, k := range known {
			if k.same(&c) {
				t.Fatalf("%s was found again for the same values: %+v", c.Constraint, c.Sides)
			}
		}
	}
}

// remembered is what is stored of conflicts after a reassessment.
func remembered(known []Conflict, r Reassessment) []Conflict {
	out := append([]Conflict{}, known...)
	for _, c := range r.Closed {
		for i := range out {
			if out[i].ID == c.ID {
				out[i] = c
			}
		}
	}
	for _, c := range r.Found {
		c.ID = fmt.Sprint(len(out))
		out = append(out, c)
	}
	return out
}
