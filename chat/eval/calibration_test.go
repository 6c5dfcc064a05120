package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quaestor/obligations"
)

func ExampleCalibrate() {
	c := Calibrate([]Outcome{{0.9, true}, {0.9, true}, {0.9, false}, {0.6, false}})
	fmt.Printf("%d values, Brier %.3f, ECE %.3f\n", c.Count, c.Brier, c.ECE)
	// Output: 4 values, Brier 0.297, ECE 0.325
}

func TestCalibrate(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		name       string
		in         []Outcome
		brier, ece float64
		bins       map[int]int // place of a bin → outcomes in it
	}{
		{"nothing", nil, 0, 0, nil},
		{"sure and right", []Outcome{{1, true}, {1, true}}, 0, 0, map[int]int{9: 2}},
		{"sure and wrong", []Outcome{{1, false}}, 1, 1, map[int]int{9: 1}},
		{"a coin", []Outcome{{0.5, true}, {0.5, false}}, 0.25, 0, map[int]int{5: 2}},
		{"an edge belongs above", []Outcome{{0.7, true}, {0.3, false}, {0, false}}, (0.09 + 0.09) / 3, 0.2, map[int]int{7: 1, 3: 1, 0: 1}},
		{"doubts cancel within a bin", []Outcome{{0.92, true}, {0.98, false}}, (0.0064 + 0.9604) / 2, 0.45, map[int]int{9: 2}},
		{"two bins", []Outcome{{0.8, true}, {0.8, true}, {0.8, false}, {0.2, true}}, (0.04 + 0.04 + 0.64 + 0.64) / 4, 0.75*math.Abs(2.0/3-0.8) + 0.25*0.8, map[int]int{8: 3, 2: 1}},
		{"beyond the ends", []Outcome{{1.5, true}, {-1, false}}, 0, 0, map[int]int{9: 1, 0: 1}},
	} {
		got := Calibrate(c.in)
		if got.Count != len(c.in) || math.Abs(got.Brier-c.brier) > 1e-9 || math.Abs(got.ECE-c.ece) > 1e-9 {
			t.Errorf("%s: %d values, Brier %v, ECE %v; want %d, %v, %v", c.name, got.Count, got.Brier, got.ECE, len(c.in), c.brier, c.ece)
		}
		for i, b := range got.Bins {
			if b.Count != c.bins[i] {
				t.Errorf("%s: bin %d holds %d, want %d", c.name, i, b.Count, c.bins[i])
			}
		}
	}
}

func TestCalibrationIsBoundedAndBlindToOrder(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Outcome {
			return Outcome{float64(rapid.IntRange(0, 100).Draw(t, "hundredths")) / 100, rapid.Bool().Draw(t, "correct")}
		})).Draw(t, "outcomes")
		got := Calibrate(in)
		held := 0
		for i, b := range got.Bins {
			held += b.Count
			if b.Count > 0 && (b.Confidence < float64(i)/10-1e-9 || b.Confidence > float64(i+1)/10+1e-9 || b.Accuracy < 0 || b.Accuracy > 1) {
				t.Fatalf("bin %d is %+v", i, b)
			}
		}
		if held != len(in) || got.Brier < 0 || got.Brier > 1 || got.ECE < 0 || got.ECE > 1+1e-9 {
			t.Fatalf("%d of %d held, Brier %v, ECE %v", held, len(in), got.Brier, got.ECE)
		}
		slices.Reverse(in)
		if again := Calibrate(in); math.Abs(again.Brier-got.Brier) > 1e-9 || math.Abs(again.ECE-got.ECE) > 1e-9 {
			t.Fatalf("in another order: Brier %v and %v, ECE %v and %v", got.Brier, again.Brier, got.ECE, again.ECE)
		}
	})
}

func TestOutcomes(t *testing.T) {
	t.Parallel()

	stored := func(value string, c obligations.Confidence, kind obligations.EvidenceKind) obligations.Event {
		return obligations.Event{Key: "budget", Type: obligations.ValueExtracted, NewConfidence: c,
			Meta: obligations.Meta{Set: obligations.Patch{Value: json.RawMessage(value), Evidence: []obligations.Evidence{{Kind: kind}}}}}
	}
	cleared := obligations.Event{Key: "budget", Type: obligations.ValueExtracted, Meta: obligations.Meta{Set: obligations.Patch{Cleared: true}}}
	for _, c := range []struct {
		name  string
		trail []obligations.Event
		want  []Outcome
	}{
		{"nobody came back to it", []obligations.Event{stored(`5`, 92, obligations.Stated)}, nil},
		{"confirmed", []obligations.Event{stored(`5`, 65, obligations.Stated), stored(`5`, 82, obligations.Accepted)}, []Outcome{{0.65, true}}},
		{"corrected", []obligations.Event{stored(`5`, 92, obligations.Stated), stored(`6`, 92, obligations.Stated)}, []Outcome{{0.92, false}}},
		{"rejected", []obligations.Event{stored(`5`, 80, obligations.Stated), cleared}, []Outcome{{0.8, false}}},
		{"confirmed once only", []obligations.Event{stored(`5`, 65, obligations.Stated), stored(`5`, 82, obligations.Accepted), stored(`5`, 90, obligations.Accepted)}, []Outcome{{0.65, true}}},
		{"corrected twice", []obligations.Event{stored(`5`, 92, obligations.Stated), stored(`6`, 65, obligations.Stated), stored(`7`, 97, obligations.WidgetInput)}, []Outcome{{0.92, false}, {0.65, false}}},
		{"rejected and told anew", []obligations.Event{stored(`5`, 80, obligations.Stated), cleared, stored(`6`, 92, obligations.Stated)}, []Outcome{{0.8, false}}},
		{"an assent is no proposal", []obligations.Event{stored(`5`, 82, obligations.Accepted)}, nil},
	} {
		if got := Outcomes(c.trail); !slices.Equal(got, c.want) {
			t.Errorf("%s: Outcomes = %v, want %v", c.name, got, c.want)
		}
	}
}
