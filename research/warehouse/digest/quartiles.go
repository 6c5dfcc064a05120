package digest

// places is how many parts of equal width the values of a column are sorted into.
const places = 256

// manyValues is how many of them are worth it.
const manyValues = 256

// quartiles returns what the function of that name does, for values from low to
// high. Many are sorted into places first, so that only those are looked at again
// that share a place with one that is asked for. It may reorder v.
func (s *scratch) quartiles(v []float64, low, high float64) (p25, p50, p75 float64) {
	scale := (places - 1) / (high - low)
	if len(v) < manyValues || !(scale > 0) || scale*(high-low) >= places { // all alike, or further apart than a float says
		return quartiles(v)
	}
	s.places = sized(s.places, len(v))
	var counts [places]int
	for i, x := range v {
		at := uint8((x - low) * scale) // never falls as x grows, also where it is rounded
		s.places[i] = at
		counts[at]++
	}
	last := float64(len(v) - 1)
	wanted := wantedPlaces(&counts, [...]float64{0.25 * last, 0.5 * last, 0.75 * last})
	s.gather(v, &wanted)
	return wanted.quantile(s.picked, 0.25*last), wanted.quantile(s.picked, 0.5*last), wanted.quantile(s.picked, 0.75*last)
}

// wanted says of each place whether its values are asked for, how many values come
// before them, and where they are gathered.
type wanted struct {
	of     [places]bool
	before [places]int // values in the places below
	from   [places]int // among those gathered
	counts *[places]int
	total  int
}

// wantedPlaces returns the places of the values around each h.
func wantedPlaces(counts *[places]int, h [3]float64) wanted {
	w := wanted{counts: counts}
	n := 0
	for at, c := range counts {
		w.before[at] = n
		for _, v := range h {
			k := int(v) // it and the next are asked for
			w.of[at] = w.of[at] || k < n+c && k+1 >= n
		}
		if n += c; w.of[at] {
			w.from[at] = w.total
			w.total += c
		}
	}
	return w
}

// gather copies the values that are asked for to s.picked, place by place.
func (s *scratch) gather(v []float64, w *wanted) {
	s.picked = sized(s.picked, w.total)
	to := w.from
	for i, at := range s.places {
		if w.of[at] {
			s.picked[to[at]] = v[i]
			to[at]++
		}
	}
}

// quantile returns the value at place h of all values sorted, which may lie between
// two.
func (w *wanted) quantile(picked []float64, h float64) float64 {
	k := int(h)
	low := w.nth(picked, k)
	f := h - float64(k)
	if f == 0 {
		return low
	}
	return low*(1-f) + w.nth(picked, k+1)*f
}

// nth returns value k of all values sorted, which is among those gathered.
func (w *wanted) nth(picked []float64, k int) float64 {
	at := 0
	for w.before[at]+w.counts[at] <= k {
		at++
	}
	return nth(picked[w.from[at]:w.from[at]+w.counts[at]], k-w.before[at])
}
