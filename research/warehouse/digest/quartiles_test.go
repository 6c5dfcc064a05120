package digest

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Sorting into places first gives the same quartiles, to the last bit.
func TestPlacedQuartilesAreTheSame(t *testing.T) {
	t.Parallel()

	value := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Float64Range(-1e308, 1e308), rapid.Float64Range(0, 1e-300), rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) }), rapid.Just(1e15))
	var s scratch
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(value, 1, 60).Draw(t, "values")
		spread := rapid.SampledFrom([]int{1, 3, 97}).Draw(t, "spread")
		v := make([]float64, rapid.IntRange(1, 900).Draw(t, "n"))
		for i := range v {
			v[i] = few[i*7919%len(few)] * float64(1+i%spread)
			if math.IsInf(v[i], 0) {
				v[i] = 0
			}
		}
		a, b, c := quartiles(slices.Clone(v))
		d, e, f := s.quartiles(v, slices.Min(v), slices.Max(v))
		if a != d || b != e || c != f {
			t.Fatalf("they are %v %v %v and %v %v %v", a, b, c, d, e, f)
		}
	})
}
