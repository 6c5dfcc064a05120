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
	onset  Period  // the days on one of which it began; zero if that is known to the day
	size   float64 // relative change, or the difference of shares
	q      float64
	until  int        // periods that were searched
	mirror *candidate // of another value of its column, which gained what it lost, or lost what it gained; nil for none
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
	found := l.fit(kinks)
	if in == nil {
		found = l.inAmounts(found, kinks)
	}
	if k := s.changeOf(c, in, v, n, found.best); k != nil || in != nil || found.best.kink || !found.ok() {
		return k
	}
	return s.changeOf(c, in, v, n, found.kink) // in noise, a level far from the turn may fit better, and be no change that is sure
}

// changeOf is [source.change] for a window that was found.
func (s *source) changeOf(c *cube, in *cell, v view, n int, w window) *candidate {
	if w.red <= 0 || math.IsNaN(w.t) {
		return nil
	}
	if v.m.kind.isShare() && !w.kink {
		w.p = max(w.p, s.byCount(c, in, v, n, w))
	}
	if w.p > maxRate {
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

// inAmounts returns what is found in the values themselves if that fits them better than what was found in their
// logarithms: things go by amounts or by percent. A trend breaks only if it does in both: steady growth by amounts
// slows down in percent.
func (l *line) inAmounts(percent fit, kinks bool) fit {
	amounts := l.exp()
	if amounts == l || !percent.ok() {
		return percent
	}
	other := amounts.fit(kinks)
	if !other.ok() {
		return percent
	}
	better, worse := percent, other
	if amounts.loss(other.best) < l.loss(percent.best)-surelyBetter {
		better, worse = other, percent
	}
	for _, w := range []*window{&better.best, &better.kink} {
		if w.kink && (worse.kink.effect*w.effect <= 0 || worse.kink.p > sureKink) {
			w.p = 1
		}
	}
	return better
}

// surelyBetter is by how much the negative logarithm of the likelihood has to be less for amounts to fit better (Burnham
// and Anderson 2002, Model Selection and Multimodel Inference, 2.6).
const surelyBetter = 2

// sureKink is the p-value of a change of the slope in the scale that fits worse.
const sureKink = 0.05

// byCount is the p-value of a window of a share by the counts it is made of, at the rate outside
// of it: that of a normal distribution is far too small where only a few are to be expected.
func (s *source) byCount(c *cube, in *cell, v view, n int, w window) float64 {
	of := c.all
	if in != nil {
		of = in
	}
	allNum, allDen, _ := v.whole(c.all)
	inside, outside := [2]float64{}, [2]float64{allNum / max(allDen, 1), 1} // one record more, at the rate of all
	for p := range n {
		a, b := v.parts(of, p)
		if p >= w.from && p < w.to {
			inside[0], inside[1] = inside[0]+a, inside[1]+b
		} else {
			outside[0], outside[1] = outside[0]+a, outside[1]+b
		}
	}
	tail := binomialTail(inside[0], inside[1], outside[0]/outside[1])
	return min(1, 2*tail*float64(n)*math.Log(float64(n)))
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

// dates sets the period of a change, when it may have begun, and the period before it of the same length, of at most
// half a year. Where a level changed is told from periods longer than a day only by [source.refine].
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
	if k.cube.grain == "day" || k.win.kink {
		if k.onset = (Period{p[k.win.early], end(k.win.late + 1)}); k.onset.days() <= 1 {
			k.onset = Period{}
		}
	}
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
	if k.v.m.kind == counted || k.v.m.kind == summed || k.v.logs() {
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
// strongest first. What all records do is one question, and what each segment does another: the former is not
// less sure because a table has many segments (Hochberg and Tamhane 1987, Multiple Comparison Procedures, 1.2: families).
func (s *source) significant(all []*candidate, tests int) []*candidate {
	var out []*candidate
	whole := len(s.measures)
	for _, family := range []struct {
		whole bool
		tests int
	}{{true, whole}, {false, max(tests-whole, 1)}} {
		var of []*candidate
		var p []float64
		for _, k := range all {
			if (k.cell == nil) == family.whole {
				of, p = append(of, k), append(p, k.win.p)
			}
		}
		for i, q := range discoveryRates(p, family.tests*s.f.spread) {
			if k := of[i]; q <= maxRate {
				k.q = q
				out = append(out, k)
			}
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
