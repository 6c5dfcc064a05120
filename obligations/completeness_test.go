package obligations

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// graded returns n obligations of that status, confidence and priority, with
// keys that start with the status.
func graded(n int, status Status, c Confidence, priority int) []Obligation {
	list := make([]Obligation, n)
	for i := range list {
		list[i] = Obligation{Template: &Template{Key: fmt.Sprintf("%s_%d", status, i), Priority: priority}, Status: status, Confidence: c}
		if status == Skipped {
			list[i].SkipReason = NotApplicable
		}
	}
	return list
}

func join(lists ...[]Obligation) []Obligation {
	var out []Obligation
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// seedExample is the worked example of the specification: of ten obligations
// seven are satisfied at 0.9, two partial at 0.6 and one is pending.
func seedExample(priority int) []Obligation {
	return join(graded(7, Satisfied, 90, priority), graded(2, Partial, 60, priority), graded(1, Pending, 0, priority))
}

func TestScore(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name            string
		criteria        Criteria
		list            []Obligation
		score, progress float64
	}{
		{"the example of the specification", Criteria{}, seedExample(1), 0.69, 0.8},
		{"the same at another equal priority", Criteria{}, seedExample(7), 0.69, 0.8},
		{"no obligations", Criteria{}, nil, 0, 0},
		{"unequal priorities weigh", Criteria{}, join(graded(1, Satisfied, 100, 9), graded(1, Pending, 0, 1)), 0.9, 0.9},
		{"partial counts half", Criteria{}, graded(3, Partial, 50, 4), 0.25, 0.5},
		{"skipped leave the score and are progress", Criteria{}, join(graded(1, Satisfied, 80, 5), graded(3, Skipped, 0, 5)), 0.8, 1},
		{"all skipped", Criteria{}, graded(2, Skipped, 0, 5), 0, 1},
		{"deferred, in progress and pending count nothing", Criteria{}, join(graded(1, Deferred, 60, 5), graded(1, InProgress, 40, 5), graded(1, Pending, 0, 5)), 0, 0},
		{"a missing required key caps both", Criteria{Required: []string{"pending_0"}}, join(graded(19, Satisfied, 100, 10), graded(1, Pending, 0, 1)), 0.85, 0.85},
		{"an unknown required key caps both", Criteria{Required: []string{"nowhere"}}, graded(4, Satisfied, 100, 1), 0.85, 0.85},
		{"a skipped required key caps the score alone", Criteria{Required: []string{"skipped_0"}}, join(graded(19, Satisfied, 100, 10), graded(1, Skipped, 0, 1)), 0.85, 1},
		{"a partial required key caps both", Criteria{Required: []string{"partial_0"}}, join(graded(19, Satisfied, 100, 10), graded(1, Partial, 70, 1)), 0.85, 0.85},
		{"the cap lifts nothing", Criteria{Required: []string{"pending_0"}}, seedExample(1), 0.69, 0.8},
		{"no cap once required keys are satisfied", Criteria{Required: []string{"satisfied_0", "satisfied_1"}}, graded(4, Satisfied, 96, 1), 0.96, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := tt.criteria.Score(tt.list)

			if got.Score != tt.score || got.Progress != tt.progress {
				t.Errorf("Score() = %v, progress %v, want %v, %v", got.Score, got.Progress, tt.score, tt.progress)
			}
		})
	}
}

func TestScoreCounts(t *testing.T) {
	t.Parallel()

	list := join(graded(2, Satisfied, 90, 5), graded(1, Partial, 60, 5), graded(1, Deferred, 0, 5), graded(1, Skipped, 0, 5))
	got := Criteria{Required: []string{"deferred_0", "satisfied_0", "skipped_0"}}.Score(list)

	want := Completeness{
		Score: 0.53, Progress: 0.7, Satisfied: 2, Partial: 1, Skipped: 1, Total: 5,
		OpenKeys: []string{"partial_0", "deferred_0"}, MissingKeys: []string{"deferred_0", "skipped_0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Score() (-want +got):\n%s", diff)
	}
}

func TestMet(t *testing.T) {
	t.Parallel()

	declined := graded(1, Skipped, 0, 5)
	declined[0].SkipReason = Declined
	for _, tt := range []struct {
		name string
		in   Criteria
		list []Obligation
		want bool
	}{
		{"nothing asked for, nothing known", Criteria{}, nil, false},
		{"nothing asked for, one known", Criteria{}, graded(1, Satisfied, 71, 5), true},
		{"enough", Criteria{MinSatisfied: 2}, graded(2, Satisfied, 80, 5), true},
		{"too few", Criteria{MinSatisfied: 3}, join(graded(2, Satisfied, 80, 5), graded(1, Partial, 60, 5)), false},
		{"what does not apply is not counted on", Criteria{MinSatisfied: 3}, join(graded(2, Satisfied, 80, 5), graded(1, Skipped, 0, 5)), true},
		{"what was declined is", Criteria{MinSatisfied: 3}, join(graded(2, Satisfied, 80, 5), declined), false},
		{"mean confidence just there", Criteria{MinConfidence: 80}, graded(3, Satisfied, 80, 5), true},
		{"mean confidence short", Criteria{MinConfidence: 81}, graded(3, Satisfied, 80, 5), false},
		{"required and there", Criteria{Required: []string{"satisfied_0"}}, graded(1, Satisfied, 80, 5), true},
		{"required and open", Criteria{Required: []string{"pending_0"}}, join(graded(1, Satisfied, 80, 5), graded(1, Pending, 0, 5)), false},
		{"required and unknown", Criteria{Required: []string{"nowhere"}}, graded(1, Satisfied, 80, 5), false},
		{"required and pointless", Criteria{Required: []string{"skipped_0"}}, join(graded(1, Satisfied, 80, 5), graded(1, Skipped, 0, 5)), true},
		{"required and declined", Criteria{Required: []string{"skipped_0"}}, join(graded(1, Satisfied, 80, 5), declined), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := tt.in.Score(tt.list).Met; got != tt.want {
				t.Errorf("%+v.Score().Met = %v, want %v", tt.in, got, tt.want)
			}
		})
	}
}

func TestScoreStaysInBounds(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var list []Obligation
		for i, s := range rapid.SliceOfN(rapid.SampledFrom(statuses), 0, 12).Draw(t, "statuses") {
			o := graded(1, s, Confidence(rapid.IntRange(0, 100).Draw(t, "confidence")), rapid.IntRange(1, 10).Draw(t, "priority"))[0]
			o.Key = fmt.Sprintf("k%d", i)
			list = append(list, o)
		}
		c := Criteria{Required: []string{"k0"}}

		got := c.Score(list)

		if got.Score < 0 || got.Score > 1 || got.Progress < 0 || got.Progress > 1 {
			t.Fatalf("Score() = %+v, out of bounds", got)
		}
		if k := Find(list, "k0"); k != nil && k.Status != Satisfied && got.Score > 0.85 {
			t.Fatalf("Score() = %v while a required key is %s", got.Score, k.Status)
		}
		if got.Satisfied+got.Partial+got.Skipped > got.Total || got.Total != len(list) {
			t.Fatalf("Score() counts %+v of %d", got, len(list))
		}
	})
}
