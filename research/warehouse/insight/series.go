package insight

import (
	"math"
)

// line returns the series of a measure in a cell, against all other records; without a cell that
// of all records. It is nil if there is too little to compare.
func (s *source) line(c *cube, in *cell, v view, n int) *line {
	l := &line{y: make([]float64, n), w: make([]float64, n), yearly: yearly(c.grain, n), trend: true, weekly: c.grain == "day" && n >= 4*daysOfWeek}
	if season := halfYearly(c.grain, n); in == nil && float64(n) < 3*season && (v.m.kind == counted || v.m.kind == summed || v.logs()) {
		l.yearly, l.prior = season, usualSeason
	}
	of := c.all
	if in != nil {
		of, l.trend = in, false // what all have in common cancels out
		if float64(n) < 3*l.yearly {
			l.yearly = 0
		}
	}
	num, den, square := v.whole(of)
	allNum, allDen, _ := v.whole(c.all)
	if den <= 0 || allDen <= 0 {
		return nil
	}
	mean := num / den
	scale := math.Abs(allNum / allDen)
	if v.m.kind != counted && !v.m.kind.isShare() && (scale == 0 || mean == 0) {
		return nil
	}
	filled := 0
	for p := range n {
		a, b := v.parts(of, p)
		if in == nil {
			l.y[p], l.w[p] = v.alone(a, b, mean, scale)
		} else {
			ra, rb := v.parts(c.all, p)
			l.y[p], l.w[p] = v.against(a, b, ra-a, rb-b, mean, scale)
		}
		if l.w[p] > 0 {
			filled++
		}
	}
	if filled < max(leastPeriods, n*2/3) {
		return nil
	}
	l.noise = v.noise(num, den, square)
	if (v.m.kind == average || v.m.kind == summed && in == nil) && scheduled(of.n[:n]) {
		l.noise *= 0.01
	}
	l.share = v.m.kind.isShare()
	l.logs = v.m.kind == counted || v.m.kind == summed || v.logs()
	return l
}

// underdispersed is the part of the variance of arrivals below which records do not arrive, but come by a plan.
const underdispersed = 0.2

// scheduled reports whether as many records come in every period: one of each shop and week. What differs between
// the shops is then no noise of the whole, as the same ones report again. It goes by the mean square of successive
// differences, which a trend hardly moves (von Neumann 1941, Annals of Mathematical Statistics 12:367).
func scheduled(n []float64) bool {
	var sum, moved float64
	for i := range n {
		sum += n[i]
		if i > 0 {
			moved += (n[i] - n[i-1]) * (n[i] - n[i-1])
		}
	}
	return len(n) > 1 && moved/2/float64(len(n)-1) < underdispersed*sum/float64(len(n))
}

// exp returns the series in units of its mean, when it is one of logarithms.
func (l *line) exp() *line {
	if !l.logs {
		return l
	}
	out := *l
	out.y, out.w = make([]float64, len(l.y)), make([]float64, len(l.y))
	var sum, weight float64
	for i := range l.y {
		out.y[i] = math.Exp(l.y[i])
		sum, weight = sum+out.y[i], weight+l.w[i]
	}
	n := float64(len(l.y))
	out.logs, out.mean = false, sum/n
	for i := range out.y {
		out.y[i] /= sum / n
		out.w[i] = weight / n
	}
	return &out
}

// loss is the negative logarithm of the likelihood of the values behind the series, up to a
// constant, once a window is fitted. That of logarithms counts in the values themselves, so that
// both can be compared (Box and Cox 1964, Journal of the Royal Statistical Society B 26:211).
func (l *line) loss(w window) float64 {
	var n, scale float64
	for i := range l.y {
		if l.w[i] <= 0 {
			continue
		}
		n++
		scale -= math.Log(l.w[i]) / 2
		switch {
		case l.logs:
			scale += l.y[i]
		case l.mean > 0:
			scale += math.Log(l.mean)
		}
	}
	return n/2*math.Log(max(w.rest*l.variance(), 1e-12)) + scale
}

// alone is the value of a measure that is a of b records, and its weight.
func (v view) alone(a, b, mean, scale float64) (y, w float64) {
	switch {
	case v.m.kind == counted:
		return math.Log(b + 0.5), b + 0.5
	case v.m.kind == summed:
		if a+mean/2 <= 0 {
			return 0, 0
		}
		return math.Log(a + mean/2), b + 0.5
	case b <= 0:
		return 0, 0
	case v.m.kind.isShare():
		return a / b, b
	case v.logs():
		if a <= 0 {
			return 0, 0
		}
		return math.Log(a / b / scale), b
	default:
		return a / b / scale, b
	}
}

// logs reports whether levels of the measure are compared by percent: an average of what is never below zero. A
// segment whose level is twice that of all others would else fall by twice as much when all fall alike.
func (v view) logs() bool { return v.m.kind == average && v.m.col != nil && v.m.col.low >= 0 }

// against is the value of a measure that is a of b records of a segment, against ra of rb others.
func (v view) against(a, b, ra, rb, mean, scale float64) (y, w float64) {
	switch {
	case v.m.kind == counted:
		return math.Log((b + 0.5) / (rb + 0.5)), (b + 0.5) * (rb + 0.5) / (b + rb + 1)
	case v.m.kind == summed:
		if a+mean/2 <= 0 || ra+mean/2 <= 0 {
			return 0, 0
		}
		return math.Log((a + mean/2) / (ra + mean/2)), (b + 0.5) * (rb + 0.5) / (b + rb + 1)
	case b <= 0 || rb <= 0:
		return 0, 0
	case v.m.kind.isShare():
		return a/b - ra/rb, b * rb / (b + rb)
	case v.logs():
		if a <= 0 || ra <= 0 {
			return 0, 0
		}
		return math.Log(a/b) - math.Log(ra/rb), b * rb / (b + rb)
	default:
		return (a/b - ra/rb) / scale, b * rb / (b + rb)
	}
}

// noise is the least variance of a value with weight 1: that of a Poisson count, of a binomial
// share, and of an average and a sum by the squares of their values.
func (v view) noise(num, den, square float64) float64 {
	switch {
	case v.m.kind == counted:
		return 1
	case v.m.kind.isShare():
		p := num / den
		return max(p*(1-p), 1e-6)
	}
	mean := num / den
	variation := max(square/den-mean*mean, 0) / (mean * mean)
	if v.m.kind == summed {
		return 1 + variation
	}
	return max(variation, 1e-9)
}

// usualSeason is how far the season of the year usually takes counts and sums from their mean, as
// a part of it: the standard deviation that is supposed of each wave.
const usualSeason = 0.1

// halfYearly is how many periods a year has for series of half a year and more, else 0. Those of days are at most a
// little longer, and a season and a break explain the same values of them.
func halfYearly(grain string, n int) float64 {
	switch {
	case grain == "week" && n >= 26:
		return 365.25 / 7
	case grain == "month" && n >= leastPeriods:
		return 12
	}
	return 0
}

// yearly is how many periods a year has, 0 for series that are too short to have seasons.
func yearly(grain string, n int) float64 {
	switch {
	case grain == "week" && n >= 78:
		return 365.25 / 7
	case grain == "month" && n >= 18:
		return 12
	}
	return 0
}
