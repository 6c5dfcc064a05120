package digest

import "time"

// typing reads a column of rows that are maps: as a native one for as long as its
// values are of one type, as those of nearly all columns are.
type typing struct {
	of      typed
	nulls   bool
	floats  []float64
	ints    []int64
	micros  []int64
	strings []string
	bools   []bool
	null    []bool
}

// typed is the type that all values of a column have.
type typed uint8

const (
	untyped typed = iota // nothing but nulls so far
	floats
	ints
	times
	texts
	yesNo
	several
)

// begin makes t that of a column of n values.
func (t *typing) begin(n int) {
	t.of, t.nulls, t.null = untyped, false, sized(t.null, n)
	clear(t.null)
}

// put notes the value of row r.
func (t *typing) put(r int, v any) {
	switch v := v.(type) {
	case float64:
		if t.of == floats || t.become(floats) {
			t.floats[r] = v
		}
	case int64:
		if t.of == ints || t.become(ints) {
			t.ints[r] = v
		}
	case string:
		if t.of == texts || t.become(texts) {
			t.strings[r] = v
		}
	case nil:
		t.null[r], t.nulls = true, true
	case bool:
		if t.of == yesNo || t.become(yesNo) {
			t.bools[r] = v
		}
	case time.Time:
		if t.of == times || t.become(times) {
			t.micros[r] = v.UnixMicro()
		}
	default:
		t.of = several
	}
}

// become makes t a column of one type, unless it is one of another.
func (t *typing) become(of typed) bool {
	if t.of != untyped {
		t.of = several
		return false
	}
	t.of = of
	switch n := len(t.null); of {
	case floats:
		t.floats = sized(t.floats, n)
	case ints:
		t.ints = sized(t.ints, n)
	case texts:
		t.strings = sized(t.strings, n)
	case yesNo:
		t.bools = sized(t.bools, n)
	case times:
		t.micros = sized(t.micros, n)
	}
	return true
}

// native makes c the column that was read, and reports whether it could.
func (t *typing) native(c *Column) bool {
	switch t.of {
	case floats:
		c.Floats = t.floats
	case ints:
		c.Ints = t.ints
	case texts:
		c.Strings = t.strings
	case yesNo:
		c.Bools = t.bools
	case times:
		c.Micros, c.maybeDays = t.micros, true
	default:
		return false
	}
	if t.nulls {
		c.Null = t.null
	}
	return true
}

// fromMaps returns the columns called names of rows that are maps, in room of s.
func (s *scratch) fromMaps(names []string, rows []map[string]any) []Column {
	if n := len(names) - len(s.typings); n > 0 {
		s.typings = append(s.typings, make([]typing, n)...)
	}
	t := s.typings[:len(names)]
	for i := range t {
		t[i].begin(len(rows))
	}
	// Row by row, while a map is near, and each in the order of the names: to go
	// through a map takes longer, since its order cannot be foretold.
	for r, row := range rows {
		for i, name := range names {
			t[i].put(r, row[name])
		}
	}
	out, others := make([]Column, len(names)), 0
	for i, name := range names {
		out[i].Name = name
		if !t[i].native(&out[i]) {
			others++
		}
	}
	s.cells = sized(s.cells, others*len(rows))
	room := s.cells
	for i, name := range names {
		if t[i].of != untyped && t[i].of != several {
			continue
		}
		for r, row := range rows {
			room[r] = row[name]
		}
		out[i].Values, room = room[:len(rows):len(rows)], room[len(rows):]
	}
	return out
}

// forget lets go of what was read from maps.
func (s *scratch) forget(names int) {
	clear(s.cells)
	for i := range s.typings[:names] {
		clear(s.typings[i].strings)
	}
}
