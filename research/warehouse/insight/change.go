package insight

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// The least effects that are worth a sentence.
const (
	leastChange  = 0.10 // relative, of a count, a sum or an average
	leastPoints  = 0.02 // of a share, and leastRatio of what it was
	leastRatio   = 0.15
	leastMissing = 0.05  // of values that are missing
	leastCount   = 200   // records of a segment
	leastWindow  = 30    // records of a segment in a window, or that were to be expected there
	leastValues  = 200   // records over which an average or a sum changes: values may have long tails
	maxRate      = 0.001 // false discovery rate
)

// candidate is a change of a measure of a segment that may become an insight.
type candidate struct {
	v      view
	cube   *cube
	cell   *cell // nil for all records
	win    window
	in     Period
	before Period
	size   float64 // relative change, or the difference of shares
	q      float64
	until  int // periods that were searched
}

// segment returns the conditions of a candidate.
func (c *candidate) segment() segment {
	if c.cell == nil {
		return nil
	}
	var out segment
	for i, d := range c.cube.dims {
		out = append(out, part{d, c.cell.values[i]})
	}
	return out
}

// search looks for changes of all measures in all segments of a cube. It returns those that are
// large enough, whatever their p-value, and how many lines it looked at.
func (s *source) search(c *cube, whole bool) (out []*candidate, tests int) {
	if len(c.periods) < leastPeriods {
		return nil, 0
	}
	for _, v := range s.views() {
		if whole {
			tests++
			if k := s.change(c, nil, v); k != nil {
				out = append(out, k)
			}
		}
		for _, cell := range c.cells {
			if !s.tells(c, v) || total(cell.n) < leastCount || total(c.all.n)-total(cell.n) < leastCount {
				continue
			}
			tests++
			if k := s.change(c, cell, v); k != nil {
				out = append(out, k)
			}
		}
	}
	return out, tests
}

// tells reports whether a measure by these dimensions says anything: the share of a value says
// nothing within that value, and how many records have an outcome is a share.
func (s *source) tells(c *cube, v view) bool {
	for _, d := range c.dims {
		if v.m.of != nil && v.m.of.column == d.column || v.m.col != nil && v.m.col.column == d.column {
			return false
		}
		if d.outcome && (v.m.kind == counted || v.m.kind == summed) {
			return false
		}
	}
	return true
}

// change looks for a change of one measure in one cell; nil if there is none of a size that
// matters.
func (s *source) change(c *cube, in *cell, v view) *candidate {
	n := len(c.periods)
	if !v.m.until.IsZero() {
		for n > 0 && nextOf(c.grain, c.periods[n-1]).After(v.m.until) {
			n--
		}
	}
	if n < leastPeriods {
		return nil
	}
	l := s.line(c, in, v, n)
	if l == nil {
		return nil
	}
	kinks := len(c.dims) < 2 && (v.m.kind == counted || v.m.kind == summed || v.m.kind == average)
	w, ok := l.search(kinks)
	if in == nil && ok {
		if other, also := l.exp().search(kinks); also && other.rest < w.rest { // it goes by amounts rather than by percent
			w = other
		}
		w.p = min(1, 2*w.p)
	}
	if !ok || w.p > maxRate {
		return nil
	}
	k := &candidate{v: v, cube: c, cell: in, win: w, until: n}
	if in != nil && w.kink && !s.own(k, n) {
		return nil
	}
	k.dates()
	if !s.sized(k) || in != nil && !k.itself() {
		return nil
	}
	return k
}

// itself reports whether a level of the segment changes, and not only that of all others: its
// change is a good part of that against all others.
func (k *candidate) itself() bool {
	size := math.Abs(k.size)
	if m := k.v.m.kind; m == counted || m == summed {
		size = math.Abs(math.Log(max(1+k.size, 0.01)))
	}
	return k.win.kink || size >= 0.3*math.Abs(k.win.effect)
}

// own reports whether the slope of the segment changes itself, and not only that of all others.
func (s *source) own(k *candidate, n int) bool {
	alone := s.line(&cube{grain: k.cube.grain, periods: k.cube.periods, all: k.cell}, nil, k.v, n)
	if alone == nil {
		return false
	}
	b := alone.base()
	if b == nil {
		return false
	}
	var d float64
	if k.win.kink {
		d, _ = b.ramp(k.win.from)
	} else {
		d, _ = b.pulse(k.win.from, k.win.to)
	}
	return d*k.win.effect > 0 && math.Abs(d) >= 0.4*math.Abs(k.win.effect)
}

// line returns the series of a measure in a cell, against all other records; without a cell that
// of all records. It is nil if there is too little to compare.
func (s *source) line(c *cube, in *cell, v view, n int) *line {
	l := &line{y: make([]float64, n), w: make([]float64, n), yearly: yearly(c.grain, n), trend: true}
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
	l.noise, l.logs = v.noise(num, den, square), v.m.kind == counted || v.m.kind == summed
	return l
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
	for i := range out.y {
		out.y[i] /= sum / n
		out.w[i] = weight / n
	}
	return &out
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
	default:
		return a / b / scale, b
	}
}

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

// dates sets the period of a change, and the one before it of the same length, of at most half a
// year.
func (k *candidate) dates() {
	p := k.cube.periods
	end := func(i int) time.Time {
		if i >= len(p) {
			return nextOf(k.cube.grain, p[len(p)-1])
		}
		return p[i]
	}
	k.in = Period{end(k.win.from), end(min(k.win.to, k.until))}
	k.before = before(k.in, p[0])
}

// before is the period that another is compared with: the days before it, as many as it has, but
// at least four weeks and at most half a year, as far as there are records.
func before(in Period, first time.Time) Period {
	days := min(max(in.days(), 28), 182)
	from := in.From.AddDate(0, 0, -int(days))
	if from.Before(first) {
		from = first
	}
	return Period{from, in.From}
}

// sized sets how large a change is, and reports whether it matters.
func (s *source) sized(k *candidate) bool {
	of := k.cube.all
	if k.cell != nil {
		of = k.cell
	}
	a, an, ad := k.sum(of, k.in)
	b, bn, bd := k.sum(of, k.before)
	if ad == 0 || bd == 0 {
		return false
	}
	if an < leastWindow && bn/bd*ad < leastWindow {
		return false
	}
	if !k.win.kink && (bd < 28 && k.cube.grain != "day" || bd < min(0.3*ad, 90)) {
		return false // too short a time to compare with
	}
	m := k.v.m.kind
	if (m == average || m == summed) && (an < leastValues || bn < leastValues) {
		return false
	}
	if k.win.kink {
		return s.sizedKink(k, of)
	}
	if m == counted || m == summed {
		if b <= 0 {
			k.size = 1
		} else {
			k.size = (a/ad)/(b/bd) - 1
		}
		return k.size*k.win.effect > 0 && math.Abs(k.size) >= leastChange && math.Abs(math.Expm1(k.win.effect)) >= leastChange
	}
	if an < 1 || bn < 1 {
		return false
	}
	now, was := a/an, b/bn
	if m.isShare() {
		k.size = now - was
		least := max(leastPoints, leastRatio*min(was, 1-was))
		if m == missing {
			least = leastMissing
		}
		return k.size*k.win.effect > 0 && math.Abs(k.size) >= least && math.Abs(k.win.effect) >= least*0.7
	}
	if was == 0 {
		return false
	}
	k.size = (now - was) / math.Abs(was)
	return k.size*k.win.effect > 0 && math.Abs(k.size) >= leastChange && math.Abs(k.win.effect) >= leastChange*0.6
}

// sizedKink sets how far a measure is at its end from where it would have been.
func (s *source) sizedKink(k *candidate, of *cell) bool {
	n := float64(k.until - k.win.from)
	k.size = k.win.effect * n
	if k.v.m.kind == counted || k.v.m.kind == summed {
		k.size = math.Expm1(k.size)
	}
	return math.Abs(k.size) >= 2*leastChange
}

// sum adds what a measure is made of in a period: the numerator, the records and the days.
func (k *candidate) sum(c *cell, in Period) (num, den, days float64) {
	for p, at := range k.cube.periods {
		if at.Before(in.From) || !at.Before(in.To) {
			continue
		}
		a, b := k.v.parts(c, p)
		num, den, days = num+a, den+b, days+Period{at, nextOf(k.cube.grain, at)}.days()
	}
	return num, den, days
}

// significant returns the candidates that remain when the number of tests is corrected for, the
// strongest first.
func (s *source) significant(all []*candidate, tests int) []*candidate {
	p := make([]float64, len(all))
	for i, k := range all {
		p[i] = k.win.p
	}
	q := discoveryRates(p, tests*s.f.spread)
	var out []*candidate
	for i, k := range all {
		if k.q = q[i]; k.q <= maxRate {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.evidence(), a.evidence()), cmp.Compare(len(a.segment()), len(b.segment())))
	})
	return out
}

// evidence orders candidates. A segment of two conditions must stand out by more than one of one
// condition, which has more records, and a sum by more than the count that it follows.
func (k *candidate) evidence() float64 {
	e := math.Abs(k.win.raw)
	if k.v.m.kind == summed {
		e *= 0.9
	}
	return e * math.Pow(0.7, float64(max(len(k.segment())-1, 0)))
}
