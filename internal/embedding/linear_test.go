package embedding_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"quaestor/internal/embedding"
)

func TestLinearMapsEachRow(t *testing.T) {
	t.Parallel()

	const in, out, rows = 37, 21, 6
	random := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = random.Float32() - 0.5
		}
		return v
	}
	weights, bias, x := numbers(in*out), numbers(out), numbers(in*rows)

	l := embedding.NewLinear(weights, bias, in, out)
	if l.Width() < out {
		t.Fatalf("a row of %d numbers for %d outputs", l.Width(), out)
	}
	for n := 1; n <= rows; n++ {
		y := make([]float32, n*l.Width())
		l.Apply(y, x[:n*in], n)
		for r := range n {
			for o := range out {
				want := float64(bias[o])
				for k := range in {
					want += float64(weights[o*in+k]) * float64(x[r*in+k])
				}
				if got := float64(y[r*l.Width()+o]); math.Abs(got-want) > 1e-4 {
					t.Fatalf("%d rows: row %d, output %d is %v, want %v", n, r, o, got, want)
				}
			}
		}
	}
}
