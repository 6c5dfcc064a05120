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
	mean   float64 // what the values are divided by; zero means nothing
	trend  bool    // without any window the series may rise or fall; else it is level
}

// leastPeriods is how many periods a series has at least.
const leastPeriods = 10

// search finds the window in which the series differs most from a linear trend, or from a level, with
// two harmonics of the year where there are seasons: the supremum of the F statistics of all windows
// (Andrews 1993, Econometrica 61:821). Of n periods the p-value is corrected for n·log n of them:
// neighbouring windows have most periods in common, and the tail of the maximum grows as if so many
// were independent (Siegmund 1985, Sequential Analysis, 8). kinks says whether changes of the
// slope are tried too.
func (l *line) search(kinks bool) (best window, ok bool) {
	n := len(l.y)
	if n < leastPeriods {
		return best, false
	}
	b := l.base()
	if b == nil {
		return best, false
	}
	best, red, tried := b.level()
	if kinks {
		kink, most, more := b.turn()
		tried += more
		simpler := 1.1 // a level is the simpler story, but for one that ends again
		if best.to < n {
			simpler = 0.85
		}
		if most > red*simpler {
			red, best = most, kink
		}
	}
	if red <= 0 {
		return best, false
	}
	df := float64(n - len(b.z) - 1)
	v := max((b.rss-red)/df, l.noise)
	best.raw, best.rest = math.Sqrt(red/v), (b.rss-red)/l.variance()
	v *= inflation(b.left(best))
	b.date(&best, kinks, v)
	best.t = math.Copysign(math.Sqrt(red/v), best.effect)
	best.p = min(1, studentTail(best.t, df)*min(float64(tried), float64(n)*math.Log(float64(n))))
	return best, !math.IsNaN(best.t)
}

// level returns the window whose level explains most, by what it lowers the sum of squares, and how many were tried.
func (b *base) level() (best window, red float64, tried int) {
	n := len(b.l.y)
	for s := max(4, n/12); s < n; s++ { // something must be before it
		for e := s + 1; e <= n; e++ {
			if e == n && n-s < 2 {
				continue
			}
			tried++
			if d, r := b.pulse(s, e); r > red {
				red, best = r, window{from: s, to: e, effect: d}
			}
		}
	}
	return best, red, tried
}

// turn is [base.level] for changes of the slope.
func (b *base) turn() (best window, red float64, tried int) {
	n := len(b.l.y)
	for s := max(4, n/8); s <= n-max(4, n/8); s++ {
		tried++
		if d, r := b.ramp(s); r > red {
			red, best = r, window{from: s, to: n, effect: d, kink: true}
		}
	}
	return best, red, tried
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

// variance is the weighted sum of squares around the mean.
func (l *line) variance() float64 {
	var sum, weight, out float64
	for i := range l.y {
		sum, weight = sum+l.w[i]*l.y[i], weight+l.w[i]
	}
	for i := range l.y {
		out += l.w[i] * (l.y[i] - sum/weight) * (l.y[i] - sum/weight)
	}
	return out
}

// inflation is by what the variance of a level grows when each value is like the one before it:
// (1+r)/(1−r) for an autoregression of the first order (Bartlett 1946).
func inflation(e []float64) float64 {
	var num, den float64
	for i := range e {
		den += e[i] * e[i]
		if i > 0 {
			num += e[i] * e[i-1]
		}
	}
	if den == 0 {
		return 1
	}
	r := min(max(num/den, 0), 0.7)
	return (1 + r) / (1 - r)
}

// base is a weighted least squares fit of a series without any window, from which fits with one
// more regressor follow (Frisch and Waugh 1933).
type base struct {
	l    *line
	z    [][]float64 // the regressors
	inv  [][]float64 // the inverse of their weighted products
	e    []float64   // residuals
	rss  float64
	sumW []float64   // running sums, by period
	sumE []float64   // of weighted residuals
	sumZ [][]float64 // of weighted regressors
}

// base fits the series; nil when it cannot be fitted.
func (l *line) base() *base {
	n := len(l.y)
	z := [][]float64{make([]float64, n)}
	for i := range n {
		z[0][i] = 1
	}
	if l.trend {
		z = append(z, make([]float64, n))
		for i := range n {
			z[1][i] = float64(i)/float64(n) - 0.5
		}
	}
	if l.weekly {
		for day := range daysOfWeek - 1 { // sums to zero over a week
			x := make([]float64, n)
			for i := range n {
				switch i % daysOfWeek {
				case day:
					x[i] = 1
				case daysOfWeek - 1:
					x[i] = -1
				}
			}
			z = append(z, x)
		}
	}
	plain := len(z)
	if l.yearly > 0 {
		for h := 1.0; h <= l.harmonics(); h++ {
			s, c := make([]float64, n), make([]float64, n)
			for i := range n {
				s[i], c[i] = math.Sincos(2 * math.Pi * h * float64(i) / l.yearly)
			}
			z = append(z, s, c)
		}
	}
	b := &base{l: l, z: z}
	q := len(z)
	g, zy := make([][]float64, q), make([]float64, q)
	for a := range q {
		g[a] = make([]float64, q)
		for i := range n {
			zy[a] += l.w[i] * z[a][i] * l.y[i]
			for c := range q {
				g[a][c] += l.w[i] * z[a][i] * z[c][i]
			}
		}
	}
	if l.prior > 0 {
		l.shrink(g[plain:], plain)
	}
	if b.inv = invert(g); b.inv == nil {
		return nil
	}
	coefficients := times(b.inv, zy)
	b.e = make([]float64, n)
	b.sumW, b.sumE = make([]float64, n+1), make([]float64, n+1)
	b.sumZ = make([][]float64, q)
	for a := range q {
		b.sumZ[a] = make([]float64, n+1)
	}
	for i := range n {
		fit := 0.0
		for a := range q {
			fit += coefficients[a] * z[a][i]
			b.sumZ[a][i+1] = b.sumZ[a][i] + l.w[i]*z[a][i]
		}
		b.e[i] = l.y[i] - fit
		b.rss += l.w[i] * b.e[i] * b.e[i]
		b.sumW[i+1] = b.sumW[i] + l.w[i]
		b.sumE[i+1] = b.sumE[i] + l.w[i]*b.e[i]
	}
	return b
}

// daysOfWeek is how many days a week has, and maxRegressors how many regressors a base has at most: a mean, a trend,
// the days of the week but one, and two waves of the year.
const (
	daysOfWeek    = 7
	maxRegressors = 2 + daysOfWeek - 1 + 4
)

// harmonics is how many waves a season is made of: one where not even a year and a half is known.
func (l *line) harmonics() float64 {
	if float64(len(l.y)) < 1.45*l.yearly {
		return 1
	}
	return 2
}

// shrink adds to the products of the seasons' regressors, which begin at from, what holds their
// coefficients near zero: ridge regression (Hoerl and Kennard 1970, Technometrics 12:55). It is a
// fit with one more value of 0 for each coefficient, of the weight that the prior gives it.
// Without it the season of a short series and a kink explain the same values, and the break is
// found months away.
func (l *line) shrink(products [][]float64, from int) {
	for i := range products {
		products[i][from+i] += l.noise / (l.prior * l.prior)
	}
}

// pulse is the level of the periods from s to e against all others, and by what it lowers the
// sum of squares.
func (b *base) pulse(s, e int) (effect, reduction float64) {
	xx := b.sumW[e] - b.sumW[s]
	total := b.sumW[len(b.sumW)-1]
	if xx < total*0.002 || total-xx < total*0.02 {
		return 0, 0
	}
	xe := b.sumE[e] - b.sumE[s]
	q := len(b.z)
	var c [maxRegressors]float64
	for a := range q {
		c[a] = b.sumZ[a][e] - b.sumZ[a][s]
	}
	return b.gain(xx, xe, c[:q])
}

// ramp is the change of the slope from period s on.
func (b *base) ramp(s int) (effect, reduction float64) {
	var xx, xe float64
	c := make([]float64, len(b.z))
	for i := s; i < len(b.l.y); i++ {
		x := float64(i - s)
		xx += b.l.w[i] * x * x
		xe += b.l.w[i] * x * b.e[i]
		for a := range c {
			c[a] += b.l.w[i] * x * b.z[a][i]
		}
	}
	return b.gain(xx, xe, c)
}

// gain is the coefficient of a regressor with the products xx with itself, xe with the residuals
// and c with the base, and by what it lowers the sum of squares.
func (b *base) gain(xx, xe float64, c []float64) (effect, reduction float64) {
	own := xx
	for i := range c {
		row := 0.0
		for k := range c {
			row += b.inv[i][k] * c[k]
		}
		own -= c[i] * row
	}
	if own <= xx*1e-6 {
		return 0, 0
	}
	return xe / own, xe * xe / own
}

// left are the weighted residuals once a window is fitted too, roughly: the regressor is not
// fitted to the base again.
func (b *base) left(w window) []float64 {
	out := make([]float64, len(b.e))
	for i := range out {
		x := 0.0
		switch {
		case w.kink && i >= w.from:
			x = float64(i - w.from)
		case !w.kink && i >= w.from && i < w.to:
			x = 1
		}
		out[i] = math.Sqrt(b.l.w[i]) * x
	}
	// project the regressor off the base
	c := make([]float64, len(b.z))
	for a := range c {
		for i := range out {
			c[a] += math.Sqrt(b.l.w[i]) * out[i] * b.z[a][i]
		}
	}
	c = times(b.inv, c)
	for i := range out {
		fit := 0.0
		for a := range c {
			fit += c[a] * b.z[a][i]
		}
		root := math.Sqrt(b.l.w[i])
		out[i] = root*b.e[i] - w.effect*(out[i]-root*fit)
	}
	return out
}

// times multiplies a matrix with a vector.
func times(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(m))
	for i := range m {
		for k := range v {
			out[i] += m[i][k] * v[k]
		}
	}
	return out
}

// invert returns the inverse of a small matrix by Gauss and Jordan's elimination; nil when it has
// none.
func invert(m [][]float64) [][]float64 {
	n := len(m)
	a := make([][]float64, n)
	for i := range m {
		a[i] = append(append([]float64(nil), m[i]...), make([]float64, n)...)
		a[i][n+i] = 1
	}
	for i := range n {
		p := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		if math.Abs(a[p][i]) < 1e-12*(1+math.Abs(m[0][0])) {
			return nil
		}
		a[i], a[p] = a[p], a[i]
		by := a[i][i]
		for c := range a[i] {
			a[i][c] /= by
		}
		for k := range n {
			if k == i || a[k][i] == 0 {
				continue
			}
			f := a[k][i]
			for c := range a[k] {
				a[k][c] -= f * a[i][c]
			}
		}
	}
	out := make([][]float64, n)
	for i := range a {
		out[i] = a[i][n:]
	}
	return out
}
