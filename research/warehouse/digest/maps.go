package digest

import "time"

// typedColumn collects a column of rows that are maps. As long as all values have the same type,
// which is nearly always so, it is a typed column and needs no boxing.
type typedColumn struct {
	of      valueType
	nulls   bool
	floats  []float64
	ints    []int64
	micros  []int64
	strings []string
	bools   []bool
	null    []bool
}

// valueType is the common type of a column's values.
type valueType uint8

const (
	untyped valueType = iota // only nulls so far
	floats
	ints
	times
	texts
	yesNo
	several // values of several types
)

// begin prepares t for a column of n values.
func (t *typedColumn) begin(n int) {
	t.of, t.nulls, t.null = untyped, false, sized(t.null, n)
	clear(t.null)
}

// put stores the value of row r.
func (t *typedColumn) put(r int, v any) {
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

// become gives t a type, or marks it as having several types if it has another one.
func (t *typedColumn) become(of valueType) bool {
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

// native moves the typed values into c, and reports whether there were any.
func (t *typedColumn) native(c *Column) bool {
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

// fromMaps returns the named columns of rows that are maps, using the memory of s.
func (s *scratch) fromMaps(names []string, rows []map[string]any) []Column {
	if n := len(names) - len(s.typedColumns); n > 0 {
		s.typedColumns = append(s.typedColumns, make([]typedColumn, n)...)
	}
	t := s.typedColumns[:len(names)]
	for i := range t {
		t[i].begin(len(rows))
	}
	// Row by row while a map is in the cache, and by name within it: iterating over a map
	// takes longer.
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

// forget drops references to the rows' strings, so that s does not keep them alive.
func (s *scratch) forget(names int) {
	clear(s.cells)
	for i := range s.typedColumns[:names] {
		clear(s.typedColumns[i].strings)
	}
}
