package digest

// places is the number of bins of equal width that the values of a column are sorted into.
const places = 256

// manyValues is the number of values from which binning is worth its cost.
const manyValues = 256

// quartiles returns the same as the function of that name, for values from low to high. Many
// values are first counted in bins, so that only those in the bins around the quartiles are
// looked at again. It may reorder v.
func (s *scratch) quartiles(v []float64, low, high float64) (p25, p50, p75 float64) {
	scale := (places - 1) / (high - low)
	if len(v) < manyValues || !(scale > 0) || scale*(high-low) >= places { // all equal, or too far apart for a float64
		return quartiles(v)
	}
	s.places = sized(s.places, len(v))
	var counts [places]int
	for i, x := range v {
		at := uint8((x - low) * scale) // monotone in x, rounding included
		s.places[i] = at
		counts[at]++
	}
	last := float64(len(v) - 1)
	wanted := wantedPlaces(&counts, [...]float64{0.25 * last, 0.5 * last, 0.75 * last})
	s.gather(v, &wanted)
	return wanted.quantile(s.picked, 0.25*last), wanted.quantile(s.picked, 0.5*last), wanted.quantile(s.picked, 0.75*last)
}

// quartileBins tells for each bin whether its values are needed, how many values precede them, and
// where they are collected.
type quartileBins struct {
	of     [places]bool
	before [places]int // values in lower bins
	from   [places]int // start of the bin's values among those collected
	counts *[places]int
	total  int
}

// wantedPlaces selects the bins of the values around each h.
func wantedPlaces(counts *[places]int, h [3]float64) quartileBins {
	w := quartileBins{counts: counts}
	n := 0
	for at, c := range counts {
		w.before[at] = n
		for _, v := range h {
			k := int(v) // k and k+1 are needed
			w.of[at] = w.of[at] || k < n+c && k+1 >= n
		}
		if n += c; w.of[at] {
			w.from[at] = w.total
			w.total += c
		}
	}
	return w
}

// gather copies the needed values to s.picked, bin by bin.
func (s *scratch) gather(v []float64, w *quartileBins) {
	s.picked = sized(s.picked, w.total)
	to := w.from
	for i, at := range s.places {
		if w.of[at] {
			s.picked[to[at]] = v[i]
			to[at]++
		}
	}
}

// quantile returns the value at position h of all values in sorted order, interpolating between
// two if h is not whole.
func (w *quartileBins) quantile(picked []float64, h float64) float64 {
	k := int(h)
	low := w.nth(picked, k)
	f := h - float64(k)
	if f == 0 {
		return low
	}
	return low*(1-f) + w.nth(picked, k+1)*f
}

// nth returns value k of all values in sorted order; its bin must have been gathered.
func (w *quartileBins) nth(picked []float64, k int) float64 {
	at := 0
	for w.before[at]+w.counts[at] <= k {
		at++
	}
	return nth(picked[w.from[at]:w.from[at]+w.counts[at]], k-w.before[at])
}
