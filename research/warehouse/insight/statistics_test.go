package insight

import (
	"math"
	"testing"
)

// Values of published tables.
func TestDistributions(t *testing.T) {
	t.Parallel()

	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-4*math.Max(want, 1) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	near("normalTail(1.96)", normalTail(1.959964), 0.05)
	near("studentTail(2.228, 10)", studentTail(2.228139, 10), 0.05)
	near("studentTail(12.706, 1)", studentTail(12.7062, 1), 0.05)
	near("studentTail(3.291, 1e6)", studentTail(3.290531, 1e6), 0.001)
	low, high := wilson(8, 10)
	near("wilson low", low, 0.4902)
	near("wilson high", high, 0.9433)
	near("twoShares(45, 100, 30, 100)", twoShares(45, 100, 30, 100), 2.19089)
	near("spread(1..7)", spread([]float64{1, 2, 3, 4, 5, 6, 7}), 2.9652)
}

// The example of Benjamini and Hochberg's paper: of 15 p-values four are discoveries at 0.05.
func TestDiscoveryRates(t *testing.T) {
	t.Parallel()

	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	n := 0
	for _, q := range discoveryRates(p, len(p)) {
		if q <= 0.05 {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d discoveries, want 4", n)
	}
	if q := discoveryRates([]float64{0.001}, 100)[0]; q != 0.1 {
		t.Errorf("among 100 tests it is %v", q)
	}
}

// A level, a slope that changes and a spike are each found where they are; noise is not.
func TestSearchFindsWindows(t *testing.T) {
	t.Parallel()

	series := func(f func(i int) float64) *line {
		l := &line{noise: 1, trend: true}
		for i := range 80 {
			l.y = append(l.y, f(i)+0.1*math.Sin(float64(i*i)))
			l.w = append(l.w, 100)
		}
		return l
	}
	for name, c := range map[string]struct {
		f        func(i int) float64
		from, to int
		kink     bool
	}{
		"a step":  {func(i int) float64 { return step(i >= 50) }, 50, 80, false},
		"a spike": {func(i int) float64 { return step(i >= 30 && i < 36) }, 30, 36, false},
		"a turn":  {func(i int) float64 { return 0.05 * math.Min(float64(i), 80-float64(i)) }, 40, 80, true},
	} {
		w, ok := series(c.f).search(true)
		if !ok || w.kink != c.kink || max(w.from-c.from, c.from-w.from) > 2 || w.to != c.to || w.p > 1e-6 {
			t.Errorf("%s: %+v", name, w)
		}
	}
	if w, _ := series(func(int) float64 { return 0 }).search(true); w.p < 0.01 {
		t.Errorf("noise: %+v", w)
	}
}

func step(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// The tails of 10 records at 0.2, and one that is rare, summed term by term.
func TestBinomialTail(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ k, n, p, want float64 }{
		{5, 10, 0.2, 0.0327935}, {10, 10, 0.2, 1.024e-07}, {0, 10, 0.2, 0.1073742}, {1, 10, 0.2, 0.3758096}, {9, 38, 0.03, 1.45548e-06}, {0, 0, 0.5, 1}, {2, 10, 0.2, 0.6241904},
	} {
		if got := binomialTail(c.k, c.n, c.p); math.Abs(got-c.want) > 1e-4*c.want {
			t.Errorf("binomialTail(%v, %v, %v) = %v, want %v", c.k, c.n, c.p, got, c.want)
		}
	}
}
