package insight

import (
	"math"
	"math/rand/v2"
	"testing"

	"quaestor/internal/prerequisite"
)

// alike are values of which each is like the one before it, with a standard deviation.
func alike(r *rand.Rand, days int, by, sd float64) []float64 {
	out := make([]float64, days)
	x := r.NormFloat64()
	for i := range out {
		x = by*x + math.Sqrt(1-by*by)*r.NormFloat64()
		out[i] = sd * x
	}
	return out
}

// ofWeeks are values of which those of a week are higher or lower together.
func ofWeeks(r *rand.Rand, days int) []float64 {
	out := alike(r, days, 0, 0.1)
	week := 0.0
	for i := range out {
		if i%daysOfWeek == 3 || i == 0 {
			week = 0.1 * r.NormFloat64()
		}
		out[i] += week
	}
	return out
}

// restlessWeekends are values that are left to chance on two days of the week.
func restlessWeekends(r *rand.Rand, days int) []float64 {
	out := alike(r, days, 0, 0.08)
	for i := range out {
		if i%daysOfWeek >= 5 {
			out[i] *= 4
		}
	}
	return out
}

// holidays are values some of which are much lower.
func holidays(r *rand.Rand, days int) []float64 {
	out := alike(r, days, 0, 0.1)
	for i := range out {
		if r.Float64() < 0.03 {
			out[i] -= 1.5 * r.Float64()
		}
	}
	return out
}

// TestNoiseIsNoChange makes sure that days with a weekly rhythm and slow growth, and nothing but noise around them,
// hardly ever look as if something had changed: not more often than so many in a thousand series.
func TestNoiseIsNoChange(t *testing.T) {
	t.Parallel()

	for name, noise := range map[string]struct {
		of   func(r *rand.Rand, days int) []float64
		most int
	}{
		"a little":          {func(r *rand.Rand, days int) []float64 { return alike(r, days, 0, 0.1) }, 5},
		"much":              {func(r *rand.Rand, days int) []float64 { return alike(r, days, 0, 0.2) }, 5},
		"somewhat alike":    {func(r *rand.Rand, days int) []float64 { return alike(r, days, 0.3, 0.15) }, 8},
		"alike":             {func(r *rand.Rand, days int) []float64 { return alike(r, days, 0.5, 0.15) }, 12},
		"very much alike":   {func(r *rand.Rand, days int) []float64 { return alike(r, days, 0.7, 0.15) }, 30},
		"of weeks":          {ofWeeks, 50},
		"restless weekends": {restlessWeekends, 5},
		"holidays":          {holidays, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			series := prerequisite.Scale(150, 3000)
			r := rand.New(rand.NewPCG(7, uint64(len(name))))
			told := 0
			for range series {
				days := 60 + r.IntN(141)
				c := &cube{grain: "day", all: &cell{n: make([]float64, days)}}
				rhythm := [daysOfWeek]float64{0.5 + 0.3*r.Float64(), 1, 1.1, 1, 0.9 + 0.2*r.Float64(), 1.2, 0.5 + 0.3*r.Float64()}
				growth, mean, off := (0.5*r.Float64()-0.25)/float64(days), 20+100*r.Float64(), noise.of(r, days)
				for i := range days {
					many := mean * rhythm[i%daysOfWeek] * math.Exp(growth*float64(i)+off[i])
					c.all.n[i] = math.Max(0, math.Round(many+math.Sqrt(many)*r.NormFloat64()))
				}
				l := (&source{}).line(c, nil, view{&measure{kind: counted}, -1, -1, -1}, days)
				f := l.inAmounts(l.fit(true), true)
				if min(f.best.p, f.kink.p) <= maxRate/3 { // as of a table with three measures
					told++
				}
			}
			t.Logf("%d of %d", told, series)
			if told*1000 > noise.most*series+1000 {
				t.Errorf("%d of %d series of noise seem to change", told, series)
			}
		})
	}
}
