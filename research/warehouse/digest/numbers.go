package digest

import (
	"math"
	"slices"
)

// statistics writes those of s.floats, which it reorders.
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

// deviation returns the standard deviation of the sample v, NaN for one value.
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

// quartiles returns those of v, interpolated linearly between the two values
// around each (type 7 of Hyndman and Fan, 1996). It reorders v.
func quartiles(v []float64) (p25, p50, p75 float64) {
	last := float64(len(v) - 1)
	if len(v) < 5 { // the halves below would not hold both neighbours
		slices.Sort(v)
		return quantile(v, 0.25*last), quantile(v, 0.5*last), quantile(v, 0.75*last)
	}
	k := int(0.5 * last)
	p50 = quantile(v, 0.5*last) // what stands up to k is not greater than the rest
	return quantile(v[:k+1], 0.25*last), p50, quantile(v[k+1:], 0.75*last-float64(k+1))
}

// quantile returns the value at place h of v, which may lie between two, when v is
// sorted. It reorders v.
func quantile(v []float64, h float64) float64 {
	k := int(h)
	low := nth(v, k)
	f := h - float64(k)
	if f == 0 {
		return low
	}
	return low*(1-f) + least(v[k+1:])*f // what stands behind k is not less than it
}

// least returns the least of v.
func least(v []float64) float64 {
	out := v[0]
	for _, x := range v[1:] {
		if x < out {
			out = x
		}
	}
	return out
}

// nth returns the value that stands at k when v is sorted, and leaves v so that
// what stands before k is not greater and what stands behind it not less. Of n
// values it looks at some 3 n on average (Hoare's quickselect, 1961, with a
// partition that has no branch to mispredict).
func nth[T int64 | float64](v []T, k int) T {
	for len(v) > 1 {
		pivot := middle(v[0], v[len(v)/2], v[len(v)-1])
		less := 0
		for i, x := range v { // those that are less come first
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

// middle returns the middle of three.
func middle[T int64 | float64](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }
