package insight

import (
	"cmp"
	"math"
	"slices"
)

// normalTail is the probability of a standard normal value beyond |z| on either side.
func normalTail(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// studentTail is the probability of a value of Student's t with df degrees of freedom beyond
// |t| on either side: the regularised incomplete beta function at df/(df+t²)
// (Abramowitz and Stegun 1964, 26.5.27).
func studentTail(t, df float64) float64 {
	if df <= 0 || math.IsNaN(t) {
		return 1
	}
	return beta(df/2, 0.5, df/(df+t*t))
}

// beta is the regularised incomplete beta function I_x(a, b), by its continued fraction
// evaluated with Lentz's method (Abramowitz and Stegun 1964, 26.5.8).
func beta(a, b, x float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - beta(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for i := range 300 {
		m := float64(i / 2)
		var num float64
		switch {
		case i == 0:
			num = 1
		case i%2 == 0:
			num = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if d = 1 + num*d; math.Abs(d) < tiny {
			d = tiny
		}
		if c = 1 + num/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		f *= c * d
		if math.Abs(1-c*d) < 1e-12 {
			break
		}
	}
	return front * (f - 1)
}

// binomialTail is the probability that of n records as many as k or more have what each has with
// the probability p, or as few as k or fewer if k is below what is to be expected
// (Abramowitz and Stegun 1964, 26.5.24).
func binomialTail(k, n, p float64) float64 {
	switch {
	case n <= 0:
		return 1
	case k >= n*p:
		if k <= 0 {
			return 1
		}
		return beta(k, n-k+1, p)
	case k >= n:
		return 1
	default:
		return 1 - beta(k+1, n-k, p)
	}
}

// wilson is the interval in which a share lies with 95 % confidence, given k of n
// (Wilson 1927, Journal of the American Statistical Association 22:209).
func wilson(k, n float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.959964
	p := k / n
	centre := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return centre - half, centre + half
}

// twoShares is the z of the difference of the shares k1 of n1 and k2 of n2, with their pooled
// variance (two-proportion z test; Fleiss, Statistical Methods for Rates and Proportions, 1981).
func twoShares(k1, n1, k2, n2 float64) float64 {
	if n1 <= 0 || n2 <= 0 {
		return 0
	}
	p := (k1 + k2) / (n1 + n2)
	v := p * (1 - p) * (1/n1 + 1/n2)
	if v <= 0 {
		return 0
	}
	return (k1/n1 - k2/n2) / math.Sqrt(v)
}

// twoMeans is the t of the difference of two means, without assuming equal variances
// (Welch 1947, Biometrika 34:28).
func twoMeans(m1, v1, n1, m2, v2, n2 float64) float64 {
	v := v1/n1 + v2/n2
	if !(v > 0) {
		return 0
	}
	return (m1 - m2) / math.Sqrt(v)
}

// median returns the median of v, 0 for none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// spread is the median absolute deviation of v, scaled to the standard deviation of a normal
// distribution (Hampel 1974, Journal of the American Statistical Association 69:383).
func spread(v []float64) float64 {
	m := median(v)
	d := make([]float64, len(v))
	for i := range v {
		d[i] = math.Abs(v[i] - m)
	}
	return 1.4826 * median(d)
}

// discoveryRates returns for each p-value the least false discovery rate at which it counts as a
// discovery among tests tests, of which those that are not in p had p-values of 1
// (Benjamini and Hochberg 1995, Journal of the Royal Statistical Society B 57:289).
func discoveryRates(p []float64, tests int) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	q := make([]float64, len(p))
	least := 1.0
	for at := len(order) - 1; at >= 0; at-- {
		i := order[at]
		least = min(least, p[i]*float64(max(tests, len(p)))/float64(at+1))
		q[i] = least
	}
	return q
}
