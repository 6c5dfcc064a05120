package obligations

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestHintsAreNobodysWord(t *testing.T) {
	t.Parallel()

	deny := Finding{Key: "a", Act: Deny, Reason: "no"}
	unsupported := said("m3")
	unsupported.Flag = FlagUnsupported
	for _, tt := range []struct {
		name     string
		in       []Finding
		value    json.RawMessage
		status   Status
		conflict bool
		rounds   int
	}{
		{"against what was said", []Finding{tell("a", red, said("m1")), tell("a", blue, invented)}, red, Satisfied, false, 0},
		{"words that do not support it", []Finding{tell("a", red, said("m1")), tell("a", blue, unsupported), correct("a", blue, unsupported)}, red, Satisfied, false, 0},
		{"words that do not support it, first", []Finding{tell("a", blue, unsupported), tell("a", red, said("m2"))}, red, Satisfied, false, 0},
		{"that a person rejects by a button", []Finding{tell("a", blue, unsupported), {Key: "a", Act: Deny, Reason: "no", Source: "widget"}}, nil, InProgress, false, 0},
		{"as a correction", []Finding{tell("a", red, said("m1")), correct("a", blue, invented)}, red, Satisfied, false, 0},
		{"as a confirmation of another", []Finding{tell("a", red, said("m1")), {Key: "a", Act: Confirm, Value: blue, Evidence: invented}}, red, Satisfied, false, 0},
		{"before what is said", []Finding{tell("a", blue, invented), tell("a", red, said("m2"))}, red, Satisfied, false, 0},
		{"before a correction", []Finding{tell("a", blue, invented), correct("a", red, said("m2"))}, red, Satisfied, false, 0},
		{"after another hint", []Finding{tell("a", blue, invented), tell("a", red, invented)}, red, InProgress, false, 0},
		{"that is denied", []Finding{tell("a", blue, invented), deny}, nil, InProgress, false, 0},
		{"that is found in its message after all", []Finding{tell("a", blue, invented), tell("a", blue, Evidence{Kind: Stated, Message: "m1", Span: &Span{0, 10}, Quote: "never said"})}, blue, Satisfied, false, 0},
		{"that is said after all", []Finding{tell("a", red, invented), tell("a", red, said("m2"))}, red, Satisfied, false, 0},
		{"for what is in dispute", []Finding{tell("a", red, said("m1")), deny, tell("a", blue, invented)}, nil, InProgress, false, 1},
		{"for what was left out", []Finding{{Key: "a", Act: Skip, Skip: Declined}, tell("a", blue, invented)}, nil, Skipped, false, 0},
		{"as a premise", []Finding{tell("a", blue, invented), {Key: "b", Act: Tell, Value: red, Evidence: fromA}}, blue, InProgress, false, 0},
		{"two people's words still contradict", []Finding{tell("a", red, said("m1")), tell("a", blue, Evidence{Kind: Stated, By: "bo", Message: "m2", Span: &Span{0, 2}, Quote: "so"})}, blue, Satisfied, true, 1},
	} {
		list, changes := played(tt.in...)
		a := Find(list, "a")
		rounds := 0
		if a.Negotiation != nil {
			rounds = len(a.Negotiation.Rounds)
		}
		conflict := slices.ContainsFunc(changes, func(c Change) bool { return c.Conflict != nil })
		if !SameValue(a.Value, tt.value) || a.Status != tt.status || conflict != tt.conflict || rounds != tt.rounds {
			t.Errorf("%s: holds %s, %s, conflict %t, %d rounds; want %s, %s, %t, %d", tt.name, a.Value, a.Status, conflict, rounds, tt.value, tt.status, tt.conflict, tt.rounds)
		}
		if b := Find(list, "b"); b.Value != nil {
			t.Errorf("%s: b holds %s", tt.name, b.Value)
		}
	}
}

// Hints between what people say change nothing of what comes of it: neither values
// nor disputes, and they are on no side of a conflict.
func TestHintsChangeNothing(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		templates := anyTemplates(t)
		with, without := Fresh(templates, Origin{Layer: Shipped, Source: "objective"}), Fresh(templates, Origin{Layer: Shipped, Source: "objective"})
		conflicts := [2]int{}
		for turn := 1; turn <= rapid.IntRange(1, 12).Draw(t, "turns"); turn++ {
			o := rapid.SampledFrom(with).Draw(t, "obligation")
			f := Finding{Key: o.Key, Act: rapid.SampledFrom([]Act{Tell, Tell, Correct, Confirm}).Draw(t, "act"), Value: json.RawMessage(rapid.SampledFrom(valuesOf[o.Widget]).Draw(t, "value")),
				Evidence: Evidence{Kind: Stated, By: rapid.SampledFrom([]string{"ada", "bo"}).Draw(t, "by"), Message: "m1", Quote: "so it is", Span: &Span{0, 8}}, Starter: "ada"}
			hinted := rapid.Bool().Draw(t, "hinted")
			if hinted {
				f.Evidence.Flag = rapid.SampledFrom([]string{FlagQuoteNotFound, FlagUnsupported}).Draw(t, "flag")
			} else if rapid.IntRange(0, 4).Draw(t, "denied") == 0 {
				f = Finding{Key: o.Key, Act: Deny, Reason: "no"}
			}
			changes := Apply(with, []Finding{f}, turn)
			for _, c := range changes {
				if c.Conflict == nil {
					continue
				}
				conflicts[0]++
				for _, s := range c.Conflict.Sides {
					if side := (Obligation{Value: s.Value, Evidence: s.Evidence}); side.Hinted() {
						t.Fatalf("turn %d: a hint is a side of a conflict: %+v", turn, c.Conflict)
					}
				}
			}
			with = Merge(with, changes)
			if hinted {
				continue
			}
			said := Apply(without, []Finding{f}, turn)
			for _, c := range said {
				if c.Conflict != nil {
					conflicts[1]++
				}
			}
			without = Merge(without, said)
		}
		for i := range with {
			a, b := &with[i], &without[i]
			if a.Hinted() && b.Value == nil {
				continue // something to ask about
			}
			if !SameValue(a.Value, b.Value) || cmp.Diff(a.Negotiation, b.Negotiation, cmp.Comparer(SameValue)) != "" {
				t.Fatalf("%s with hints holds %s, %+v; without %s, %+v", a.Key, a.Value, a.Negotiation, b.Value, b.Negotiation)
			}
		}
		if conflicts[0] != conflicts[1] {
			t.Fatalf("with hints %d conflicts, without %d", conflicts[0], conflicts[1])
		}
	})
}
