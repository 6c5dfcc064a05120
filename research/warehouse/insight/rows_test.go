package insight

import (
	"math"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

func TestSumsInAnotherOrderAreTheSameNumber(t *testing.T) {
	t.Parallel()

	read := func(v float64) float64 {
		return rows{&warehouse.Result{Rows: 1, Columns: []digest.Column{{Name: "value", Floats: []float64{v}}}}}.number(0, 0)
	}
	for _, pair := range [][2]float64{{51.33143872113675, 51.33143872113676}, {43.66610416060518, 43.66610416060519}, {0.1 + 0.2, 0.3}, {-1e-9 / 3, -1.0 / 3e9}} {
		if a, b := read(pair[0]), read(pair[1]); a != b {
			t.Errorf("%v and %v are read as %v and %v", pair[0], pair[1], a, b)
		}
	}
	for _, whole := range []float64{0, 7, -3, 1 << 53, 123456789012345, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if got := read(whole); got != whole {
			t.Errorf("%v is read as %v", whole, got)
		}
	}
}
