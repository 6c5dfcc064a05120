package insight

import "math"

// window is a part of a series at which it is higher or lower than its trend.
type window struct {
	from, to int     // the first period in it, and the first behind it
	effect   float64 // in the units of the series; of a kink the change of the slope per period
	t        float64 // Student's, corrected for autocorrelation
	raw      float64 // the same, not corrected
	rest     float64 // part of the variance that is left
	p        float64 // corrected for the number of windows that were tried
	kink     bool    // the trend goes another way from the period from on
	early    int     // the first and the last period in which it may begin, with 95 % confidence
	late     int
	red      float64 // by what it lowers the sum of squares
	unit     float64 // variance of a value of weight 1, corrected for autocorrelation
	tried    float64 // as many independent windows as were tried, at most
	lasts    bool    // until the end, as all did that were tried
}

// line is a series that is searched for a window: values y with weights w, which are the
// inverses of their variances up to the factor noise, which is the least variance that the way in
// which the values came about allows.
type line struct {
	y, w   []float64
	noise  float64
	yearly float64 // periods in a year, when the series may have seasons; else 0
	weekly bool    // values are of days that follow each other, and may go by the day of the week
	prior  float64 // how large its seasons usually are, in units of the values, when it is too short to tell them by itself; else 0
	logs   bool    // the values are logarithms
	share  bool    // the values are shares, whose noise by chance alone is known
	mean   float64 // what the values are divided by; zero means nothing
	trend  bool    // without any window the series may rise or fall; else it is level
}

// leastPeriods is how many periods a series has at least.
const leastPeriods = 10

// search finds the window in which the series differs most from a linear trend, or from a level, with
// two harmonics of the year where there are seasons: the supremum of the F statistics of all windows
// (Andrews 1993, Econometrica 61:821). kinks says whether changes of the slope are tried too.
func (l *line) search(kinks bool) (best window, ok bool) {
	f := l.fit(kinks)
	return f.best, f.ok()
}

// fit is what a search came to: the window that explains most, and the change of the slope that does.
type fit struct{ best, kink window }

func (f fit) ok() bool { return f.best.red > 0 && !math.IsNaN(f.best.t) }

// fit is [line.search] with both.
func (l *line) fit(kinks bool) (out fit) {
	if len(l.y) < leastPeriods {
		return out
	}
	b := l.base()
	if b == nil {
		return out
	}
	if even := l.evened(b); even != nil {
		b = even
	}
	return b.fit(kinks)
}

func (b *base) fit(kinks bool) (out fit) {
	lasting, passing := b.level()
	tests := 2.0
	if kinks {
		tests++
		out.kink = b.turn()
		b.test(&out.kink, tests)
	}
	b.test(&lasting, tests)
	b.test(&passing, tests)
	if flat := b.flat(); flat != nil {
		for _, w := range []*window{&lasting, &passing, &out.kink} {
			flat.confirm(w, tests)
		}
	}
	out.best = simpler(lasting, passing, len(b.l.y))
	least := 1.1 // a level is the simpler story, but for one that ends again
	if out.best.to < len(b.l.y) {
		least = 0.85
	}
	if out.kink.red > out.best.red*least {
		out.best = out.kink
	}
	for _, w := range []*window{&out.best, &out.kink} {
		if w.red > 0 && w.p <= maxRate {
			b.date(w, kinks, w.unit)
		}
	}
	return out
}

// flat is the fit of a series with a trend as one without; nil for a series without.
func (b *base) flat() *base {
	if !b.l.trend {
		return nil
	}
	l := *b.l
	l.trend = false
	return l.base()
}

// confirm makes a window surer that stands out from a level much more than from a trend. In a few months a trend
// looks much like a change half way: that something changed is sure then, and the window only has to explain it
// better than a trend does.
func (b *base) confirm(w *window, tests float64) {
	if w.red <= 0 {
		return
	}
	flat := *w
	if w.kink {
		flat.effect, flat.red = b.ramp(w.from)
	} else {
		flat.effect, flat.red = b.pulse(w.from, w.to)
	}
	if flat.effect*w.effect <= 0 {
		return
	}
	b.test(&flat, tests)
	w.p = min(w.p, max(flat.p, w.p*beyondTrend))
}

// beyondTrend is how much surer a window is to stand out from a level for it to count as that sure.
const beyondTrend = 0.05

// lengthOf is the length of the path of all windows that last, or of all kinks.
func (b *base) lengthOf(kinks bool) float64 {
	n := len(b.l.y)
	path := path{b: b}
	if kinks {
		for s := max(4, n/8); s <= n-max(4, n/8); s++ {
			path.add(b.rampOf(s))
		}
		return path.length
	}
	for s := max(4, n/12); s < n-1; s++ {
		path.add(b.pulseOf(s))
	}
	return path.length
}

// simpler returns the change that lasts, unless the one that passes is worth its second day: each costs three times
// the logarithm of the periods (Zhang and Siegmund 2007, Biometrics 63:22), or is all that is significant.
func simpler(lasting, passing window, n int) window {
	switch {
	case lasting.red <= 0, lasting.p > maxRate && passing.p <= maxRate:
		return passing
	case passing.red <= 0, passing.p > maxRate && lasting.p <= maxRate:
		return lasting
	case passing.red-lasting.red > 3*math.Log(float64(n))*passing.unit:
		return passing
	}
	return lasting
}

// lastingPart is the part of a variance of shares beyond what chance alone gives from which values may be as alike as
// they look: chance has no memory.
const lastingPart = 0.3

// test sets how sure a window is, among tests kinds of windows that were tried.
func (b *base) test(w *window, tests float64) {
	if w.p = 1; w.red <= 0 {
		return
	}
	n := float64(len(b.l.y))
	df := n - float64(len(b.z)) - 1
	v := max((b.rss-w.red)/df, b.l.noise)
	left := b.left(*w)
	w.raw, w.rest = math.Sqrt(w.red/v), (b.rss-w.red)/b.l.variance()
	by := inflation(left)
	if b.l.share {
		by = 1 + (by-1)*min(max(1-b.l.noise/v, 0)/lastingPart, 1)
	}
	w.unit = v * by
	w.t = math.Copysign(math.Sqrt(w.red/w.unit), w.effect)
	df = min(df/by, heavy(left, *w)) // as many independent values
	single := studentTail(w.t, df)
	w.p = single * w.tried
	if w.lasts && single <= maxRate {
		w.p = min(w.p, single+b.lengthOf(w.kink)/math.Pi*math.Pow(1+w.t*w.t/df, -df/2))
	}
	w.p = min(1, w.p*tests)
}

// manyForTails is how many values tell how heavy their tails are, and how far their autocorrelation is biased.
const manyForTails = 20

// heavy is the degrees of freedom of Student's distribution that has tails as heavy as the values behind the level of
// a window: its excess kurtosis is 6/(df−4), and that of a mean of n values is a part in n of theirs.
func heavy(left []float64, w window) float64 {
	var two, four, n float64
	for i, e := range left {
		if w.kink || i < w.from-1 || i > w.to { // it may begin and end within a period
			two, four, n = two+e*e, four+e*e*e*e, n+1
		}
	}
	if n < manyForTails || two == 0 {
		return math.Inf(1)
	}
	excess := four/n/(two/n*two/n) - 3
	if excess <= 0 {
		return math.Inf(1)
	}
	return 4 + 6*float64(min(w.to-w.from, len(left)-w.to+w.from))/excess
}

// level returns the windows whose level explains most, among those that last until the end and those that do not. Of
// n periods the p-value of the latter is corrected for n·log n of them: neighbouring windows have most periods in
// common, and the tail of the maximum grows as if so many were independent (Siegmund 1985, Sequential Analysis, 8).
func (b *base) level() (lasting, passing window) {
	n := len(b.l.y)
	lasting.lasts = true
	for s := max(4, n/12); s < n; s++ { // something must be before it
		for e := s + 1; e <= n; e++ {
			if e == n && n-s < 2 {
				continue
			}
			best := &passing
			if e == n {
				best = &lasting
			}
			best.tried++
			if d, r := b.pulse(s, e); r > best.red {
				best.red, best.from, best.to, best.effect = r, s, e, d
			}
		}
	}
	passing.tried = min(passing.tried, float64(n)*math.Log(float64(n)))
	return lasting, passing
}

// turn is [base.level] for changes of the slope.
func (b *base) turn() (best window) {
	n := len(b.l.y)
	best.lasts = true
	for s := max(4, n/8); s <= n-max(4, n/8); s++ {
		best.tried++
		if d, r := b.ramp(s); r > best.red {
			best.red, best.from, best.to, best.effect, best.kink = r, s, n, d, true
		}
	}
	return best
}

// path is the way that a regressor goes over the unit sphere, once it is projected off the base, while its beginning
// moves. Its length says how many independent tests a search along it is worth: a tube around it has the
// probability that any of them exceeds a bound (Johansen and Johnstone 1990, Annals of Statistics 18:652).
type path struct {
	b      *base
	last   []float64
	length float64
}

// add goes on to the next regressor.
func (p *path) add(x []float64) {
	b := p.b
	c := make([]float64, len(b.z))
	for a := range c {
		for i := range x {
			c[a] += b.l.w[i] * x[i] * b.z[a][i]
		}
	}
	c = times(b.inv, c)
	var norm float64
	for i := range x {
		for a := range c {
			x[i] -= c[a] * b.z[a][i]
		}
		x[i] *= math.Sqrt(b.l.w[i])
		norm += x[i] * x[i]
	}
	if norm <= 0 {
		return
	}
	var cosine float64
	for i := range x {
		x[i] /= math.Sqrt(norm)
		if p.last != nil {
			cosine += x[i] * p.last[i]
		}
	}
	if p.last != nil {
		p.length += math.Acos(min(max(cosine, -1), 1))
	}
	p.last = x
}

// pulseOf and rampOf are the regressors of a level and of a slope from period s until the end.
func (b *base) pulseOf(s int) []float64 {
	out := make([]float64, len(b.l.y))
	for i := s; i < len(out); i++ {
		out[i] = 1
	}
	return out
}

func (b *base) rampOf(s int) []float64 {
	out := make([]float64, len(b.l.y))
	for i := s; i < len(out); i++ {
		out[i] = float64(i - s)
	}
	return out
}

// How much worse than the best a fit may be that begins elsewhere, in variances of a value, for its beginning to lie
// in an interval of 95 % confidence: for a change of the slope, whose likelihood is smooth, by the χ² distribution of
// one degree of freedom; for a level, whose likelihood jumps, by Hansen 2000, Econometrica 68:575, table 1.
const (
	smoothBound = 3.84
	jumpBound   = 7.35
)

// date sets between which periods a window may begin, given the variance v of a value of weight 1. What lasts may
// have begun suddenly or slowly: where both explain it about as well, the interval has the beginnings of both.
func (b *base) date(w *window, kinks bool, v float64) {
	n := len(b.l.y)
	lasts := w.to >= n
	least := math.Inf(-1)
	reductions := func(each func(s int, d, r, bound float64)) {
		for s := max(4, n/12); s < n-1; s++ {
			end := w.to
			if lasts {
				end = n
			}
			if s < end {
				d, r := b.pulse(s, end)
				each(s, d, r, jumpBound)
			}
			if kinks && lasts && s >= max(4, n/8) && s <= n-max(4, n/8) {
				d, r := b.ramp(s)
				each(s, d, r, smoothBound)
			}
		}
	}
	reductions(func(_ int, d, r, _ float64) {
		if d*w.effect > 0 {
			least = max(least, r)
		}
	})
	w.early, w.late = w.from, w.from
	reductions(func(s int, d, r, bound float64) {
		if d*w.effect > 0 && r >= least-bound*v {
			w.early, w.late = min(w.early, s), max(w.late, s)
		}
	})
}
