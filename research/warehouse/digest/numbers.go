package digest

import (
	"math"
	"slices"
)

// statistics computes the statistics of s.floats, which it reorders.
func (s *scratch) statistics(out *ColumnSummary) {
	v := s.floats
	if len(v) == 0 {
		return
	}
	low, high, sum := v[0], v[0], 0.0
	for _, x := range v {
		if sum += x; x < low {
			low = x
		} else if x > high {
			high = x
		}
		if x == 0 {
			out.Zeros++
		} else if x < 0 {
			out.Negatives++
		}
	}
	mean := sum / float64(len(v))
	deviates := deviation(v, mean)
	p25, p50, p75 := s.quartiles(v, low, high)
	figures := [...]float64{low, p25, p50, p75, high, mean, deviates, sum}
	slots := [...]**float64{&out.Min, &out.P25, &out.Median, &out.P75, &out.Max, &out.Mean, &out.StdDev, &out.Sum}
	kept := new([len(figures)]float64)
	for i, f := range figures {
		if kept[i] = f + 0; f-f == 0 { // no NaN, no infinity
			*slots[i] = &kept[i]
		}
	}
}

// deviation returns the standard deviation of the sample v; NaN for a single value.
func deviation(v []float64, mean float64) float64 {
	if len(v) < 2 {
		return math.NaN()
	}
	var squares float64
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}

// quartiles returns the quartiles of v, interpolated linearly (type 7 of Hyndman and Fan, 1996).
// It reorders v.
func quartiles(v []float64) (p25, p50, p75 float64) {
	last := float64(len(v) - 1)
	if len(v) < 5 { // the halves below would not contain both neighbours
		slices.Sort(v)
		return quantile(v, 0.25*last), quantile(v, 0.5*last), quantile(v, 0.75*last)
	}
	k := int(0.5 * last)
	p50 = quantile(v, 0.5*last) // now nothing up to k is greater than the rest
	return quantile(v[:k+1], 0.25*last), p50, quantile(v[k+1:], 0.75*last-float64(k+1))
}

// quantile returns the value at position h of v in sorted order, interpolating between two
// values if h is not whole. It reorders v.
func quantile(v []float64, h float64) float64 {
	k := int(h)
	low := nth(v, k)
	f := h - float64(k)
	if f == 0 {
		return low
	}
	return low*(1-f) + least(v[k+1:])*f // nothing behind k is less than low
}

// least returns the smallest value of v.
func least(v []float64) float64 {
	out := v[0]
	for _, x := range v[1:] {
		if x < out {
			out = x
		}
	}
	return out
}

// nth returns the value at position k of v in sorted order. It leaves v so that nothing before
// k is greater and nothing behind it is less. On average it looks at some 3n values (Hoare's
// quickselect, 1961, with a partition that has no branch to mispredict).
func nth[T int64 | float64](v []T, k int) T {
	for len(v) > 1 {
		pivot := middle(v[0], v[len(v)/2], v[len(v)-1])
		less := 0
		for i, x := range v { // smaller values move to the front
			v[i], v[less] = v[less], x
			if x < pivot {
				less++
			}
		}
		if k < less {
			v = v[:less]
			continue
		}
		v, k = v[less:], k-less
		same := 0
		for i, x := range v {
			v[i], v[same] = v[same], x
			if x <= pivot {
				same++
			}
		}
		if k < same {
			return pivot
		}
		v, k = v[same:], k-same
	}
	return v[0]
}

// middle returns the median of three values.
func middle[T int64 | float64](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }
