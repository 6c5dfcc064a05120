package insight

import "math"

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

// inflation is by what the variance of a level grows when each value is like those before it: (1+r)/(1−r) for an
// autoregression of the first order (Bartlett 1946), or, if that is more, the variance of longer sums against that of
// single values, as when whole weeks are higher or lower (Newey and West 1987, Econometrica 55:703). Both are
// corrected for their bias in short series (Kendall 1954, Biometrika 41:403). The surer it is that values are alike,
// the nearer r is taken to its upper bound; of the sums only what is beyond chance counts.
func inflation(e []float64) float64 {
	n := float64(len(e))
	lag := func(k int) (out float64) {
		for i := k; i < len(e); i++ {
			out += e[i] * e[i-k]
		}
		return out
	}
	zero := lag(0)
	if zero == 0 {
		return 1
	}
	r := lag(1) / zero
	if r <= 0 {
		return 1
	}
	if n < manyForTails {
		return (1 + min(r, mostAlike)) / (1 - min(r, mostAlike))
	}
	r += (lowRegressors + 4*r) / n
	off := math.Sqrt(max(1-r*r, 0) / n)
	sure := 1 - normalTail(r/off)
	r = min(r+off*sure*sure, mostAlike)
	width := min(2*daysOfWeek, len(e)/4)
	sums := 1.0
	for k := 1; k < width; k++ {
		sums += 2 * (1 - float64(k)/float64(width)) * lag(k) / zero
	}
	sums = sums/(1-2*float64(width)/n) - math.Sqrt(4*float64(width)/3/n)
	return max((1+r)/(1-r), sums)
}

// mostAlike bounds the autocorrelation of a series: one that is more alike wanders, and has no level. lowRegressors
// are a mean, a trend and a window, which take slow movements out of what is left.
const (
	mostAlike     = 0.9
	lowRegressors = 3
)

// evened is the fit with weights by which each day of the week is as far from it as another: on some days, such as
// Sundays, much more may be left to chance. The variance of each is drawn to that of all, as if a number of weeks
// more were known. It is nil for series that do not go by days.
func (l *line) evened(b *base) *base {
	if !l.weekly {
		return nil
	}
	var sum, n [daysOfWeek]float64
	var all, count float64
	for i, e := range b.e {
		if l.w[i] > 0 {
			x := l.w[i] * e * e
			sum[i%daysOfWeek], n[i%daysOfWeek] = sum[i%daysOfWeek]+x, n[i%daysOfWeek]+1
			all, count = all+x, count+1
		}
	}
	if all <= 0 {
		return nil
	}
	const known = 4
	out := *l
	out.w = make([]float64, len(l.w))
	for i := range l.w {
		d := i % daysOfWeek
		out.w[i] = l.w[i] * all / count * (n[d] + known) / (sum[d] + known*all/count)
	}
	return out.base()
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
	noise := max(l.noise, l.jitter())
	for i := range products {
		products[i][from+i] += noise / (l.prior * l.prior)
	}
}

// jitter is the variance of a value of weight 1 by the differences of values that follow each other, which neither a
// trend nor a level moves (von Neumann 1941, Annals of Mathematical Statistics 12:367); of days, by those a week apart.
func (l *line) jitter() float64 {
	lag := 1
	if l.weekly {
		lag = daysOfWeek
	}
	var sum, n float64
	for i := lag; i < len(l.y); i++ {
		if a, b := l.w[i], l.w[i-lag]; a > 0 && b > 0 {
			d := l.y[i] - l.y[i-lag]
			sum, n = sum+d*d*a*b/(a+b), n+1
		}
	}
	return sum / max(n, 1)
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
