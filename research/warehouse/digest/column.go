package digest

import "strconv"

// Column is one column of a result, in the form its driver reads quickest: exactly
// one of the slices holds the values, as many as the result has rows. Null, when
// it is not nil, says which of them are null.
type Column struct {
	Name string

	Ints     []int64
	Floats   []float64
	Bools    []bool
	Strings  []string
	Decimals []string // numbers as exact text
	Micros   []int64  // times, in microseconds since 1970 UTC
	Values   []any    // whatever else, also of several kinds: what database/sql gives, decoded JSON, nil for null

	Null []bool
	// Days says that Micros are days, without a time of day.
	Days bool
	// Text says that Strings, or strings among Values, are text and never numbers
	// or dates that were written as text.
	Text bool

	maybeDays bool // Micros were times of Go, which are days when all are midnights
}

// FromMaps returns the columns called names of rows that are maps. A name that a
// row lacks is null.
func FromMaps(names []string, rows []map[string]any) []Column {
	return new(scratch).fromMaps(names, rows)
}

// FromRows returns the columns called names of rows whose cells stand in that
// order. A cell that a row lacks is null.
func FromRows(names []string, rows [][]any) []Column {
	out, cells := make([]Column, len(names)), make([]any, len(names)*len(rows))
	for i, name := range names {
		out[i] = Column{Name: name, Values: cells[i*len(rows) : (i+1)*len(rows) : (i+1)*len(rows)]}
	}
	for r, row := range rows {
		for i := range min(len(row), len(names)) {
			out[i].Values[r] = row[i]
		}
	}
	return out
}

// Len returns the number of values.
func (c *Column) Len() int {
	return max(len(c.Ints), len(c.Floats), len(c.Bools), len(c.Strings), len(c.Decimals), len(c.Micros), len(c.Values))
}

// null reports whether the value of row r is null.
func (c *Column) null(r int) bool { return c.Null != nil && c.Null[r] }

// uniqueNames returns the names of columns, each that stands there again with a
// number behind it.
func uniqueNames(columns []Column) []string {
	out, taken := make([]string, len(columns)), make(map[string]bool, len(columns))
	for i := range columns {
		name := columns[i].Name
		for n := 2; taken[name]; n++ {
			name = columns[i].Name + "_" + strconv.Itoa(n)
		}
		out[i], taken[name] = name, true
	}
	return out
}
