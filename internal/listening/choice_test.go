package listening_test

import (
	"math"
	"slices"
	"testing"

	"quaestor/internal/listening"
)

func TestRateFindsWhatIsMeant(t *testing.T) {
	t.Parallel()

	l := listening.New(nil)
	for _, x := range []struct {
		said    string
		options [][]string
		tag     string
		want    int
	}{
		{"a barn would be nice, something rustic", [][]string{{"Modern"}, {"Rustic"}, {"Garden party"}}, "en", 1},
		{"by far the most of it in the gardens", [][]string{{"Hall"}, {"Marquee"}, {"Garden party"}}, "en", 2},
		{"die kommen meist mit dem Fahrrad", [][]string{{"Auto"}, {"Rad", "Fahrrad"}, {"Bahn"}}, "de", 1},
		{"alles aus der Holzwerkstatt", [][]string{{"Metall"}, {"Stein"}, {"Holz"}}, "de", 2},
	} {
		p := l.Rate(t.Context(), x.said, x.said, x.options, x.tag)
		sum := 0.0
		for _, v := range p {
			sum += v
		}
		if math.Abs(sum-1) > 1e-6 || slices.Index(p, slices.Max(p)) != x.want {
			t.Errorf("%q: %v", x.said, p)
		}
	}
	if p := l.Rate(t.Context(), "anything", "anything", nil, "en"); len(p) > 0 {
		t.Errorf("no options are rated %v", p)
	}
}
