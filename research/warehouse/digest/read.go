package digest

import (
	"math"
	"slices"
	"strings"
)

// scratch is the reusable memory for summarizing columns.
type scratch struct {
	floats       []float64
	keys         []uint64 // of floats, for whole numbers that a float64 cannot distinguish
	micros       []int64
	strings      []string
	bools        []bool
	null         []bool
	set          set
	prompt       []byte
	text         []byte // the cells written so far
	ends         []int  // the end of each cell in text
	cells        []any
	typedColumns []typedColumn
	places       []uint8
	picked       []float64
}

// read summarizes column c in out, except for its name.
func (s *scratch) read(c *Column, out *ColumnSummary, m Mask) {
	s.set.reset(c.Len())
	switch {
	case c.Ints != nil:
		s.readInts(c, out)
	case c.Floats != nil:
		s.readFloats(c.Floats, nil, c.Null, out)
	case c.Decimals != nil:
		s.readText(c.Decimals, c.Null, false, out, m)
	case c.Strings != nil:
		s.readText(c.Strings, c.Null, c.Text, out, m)
	case c.Micros != nil:
		s.readTimes(c.Micros, c.Null, c.Days || c.maybeDays && allDays(c.Micros, c.Null), out)
	case c.Bools != nil:
		s.readBools(c.Bools, c.Null, out)
	default:
		s.readValues(c, out, m)
	}
	out.Distinct, out.DistinctMore = s.set.count()
	if out.NullCount == c.Len() {
		*out = ColumnSummary{Kind: Null, NullCount: out.NullCount}
	}
}

// readInts summarizes whole numbers.
func (s *scratch) readInts(c *Column, out *ColumnSummary) {
	out.Kind, s.floats = Number, s.floats[:0]
	for r, v := range c.Ints {
		if c.null(r) {
			out.NullCount++
			continue
		}
		s.floats = append(s.floats, float64(v))
		s.set.add(uint64(v))
	}
	s.statistics(out)
}

// readFloats summarizes numbers. keys, if not nil, distinguish them.
func (s *scratch) readFloats(values []float64, keys []uint64, null []bool, out *ColumnSummary) {
	out.Kind, s.floats = Number, slices.Grow(s.floats[:0], len(values))
	n := 0
	s.floats = s.floats[:len(values)]
	for r, v := range values {
		if null != nil && null[r] || v-v != 0 { // NaN and the infinities
			out.NullCount++
			continue
		}
		key := floatKey(v)
		if keys != nil {
			key = keys[r]
		}
		s.floats[n] = v
		n++
		s.set.add(key)
	}
	s.floats = s.floats[:n]
	s.statistics(out)
}

// floatKey returns a key that distinguishes numbers; a whole number has the key of the integer.
func floatKey(v float64) uint64 {
	if i := int64(v); float64(i) == v && i != math.MaxInt64 {
		return uint64(i)
	}
	return math.Float64bits(v)
}

// readTimes summarizes times.
func (s *scratch) readTimes(micros []int64, null []bool, days bool, out *ColumnSummary) {
	out.Kind = Timestamp
	kept := s.micros[:0] // it may share memory with micros, but never overtakes it
	for r, v := range micros {
		if null != nil && null[r] {
			out.NullCount++
			continue
		}
		kept = append(kept, v)
		s.set.add(uint64(v))
	}
	if s.micros = kept; len(kept) == 0 {
		return
	}
	middle := nth(kept, (len(kept)-1)/2)
	out.MinTime, out.MedianTime, out.MaxTime = timeText(slices.Min(kept), days), timeText(middle, days), timeText(slices.Max(kept), days)
}

// readBools counts true and false.
func (s *scratch) readBools(values, null []bool, out *ColumnSummary) {
	out.Kind = Boolean
	var counts [2]int
	for r, v := range values {
		switch {
		case null != nil && null[r]:
			out.NullCount++
		case v:
			counts[1]++
		default:
			counts[0]++
		}
	}
	for i, n := range counts {
		if n > 0 {
			s.set.add(uint64(i))
			out.Top = append(out.Top, ValueCount{Value: [2]string{"false", "true"}[i], Count: n})
		}
	}
	rankTop(out)
}

// readText summarizes strings. If all of them are numbers or times, they are summarized as
// such, unless they are known to be text.
func (s *scratch) readText(values []string, null []bool, text bool, out *ColumnSummary, m Mask) {
	if !text {
		if s.decimals(values, null) {
			s.readFloats(s.floats, s.keys, s.null, out)
			return
		}
		if days, ok := s.times(values, null); ok {
			s.readTimes(s.micros, s.null, days, out)
			return
		}
	}
	s.readStrings(values, null, out, m)
}

// readStrings counts strings.
func (s *scratch) readStrings(values []string, null []bool, out *ColumnSummary, m Mask) {
	out.Kind = String
	var few fewValues
	for r, v := range values {
		if null != nil && null[r] {
			out.NullCount++
			continue
		}
		key := stringKey(v)
		if few.n <= TopValueCardinality && few.count(key, v) <= TopValueCardinality {
			continue
		}
		s.set.add(key)
	}
	for _, f := range few.values[:few.n] {
		s.set.add(f.key)
	}
	if few.n <= TopValueCardinality {
		for _, f := range few.values[:few.n] {
			out.Top = append(out.Top, ValueCount{Value: f.value, Count: f.count})
		}
		rankTop(out)
		for i := range out.Top {
			out.Top[i].Value = cut(m.patterns(out.Top[i].Value))
		}
	}
}

// fewValues counts distinct values, up to one more than are listed, without allocating.
type fewValues struct {
	values [TopValueCardinality + 1]fewValue
	n      int
	at     [4 * 16]uint8 // open addressing by the first bits of a key; holds 1 + the value's index
}

// fewValue is a value with its count.
type fewValue struct {
	key   uint64
	value string
	count int
}

// count counts v and returns the number of distinct values so far. There must be room for one
// more.
func (f *fewValues) count(key uint64, v string) int {
	for at := key >> 58; ; at = (at + 1) % uint64(len(f.at)) {
		switch i := f.at[at]; {
		case i == 0:
			f.values[f.n] = fewValue{key, v, 1}
			f.n++
			f.at[at] = uint8(f.n)
			return f.n
		case f.values[i-1].key == key:
			f.values[i-1].count++
			return f.n
		}
	}
}

// rankTop keeps the most frequent values. Equally frequent ones are in the order of their bytes.
func rankTop(out *ColumnSummary) {
	slices.SortFunc(out.Top, func(a, b ValueCount) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Value, b.Value)
	})
	out.Top = slices.Clip(out.Top[:min(len(out.Top), TopValues)])
}
