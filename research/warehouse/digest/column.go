package digest

import "strconv"

// Column is one column of a result in the form that its driver reads fastest. Exactly one of
// the slices holds the values, one for each row. Null, if not nil, marks the rows that are
// null.
type Column struct {
	Name string

	Ints     []int64
	Floats   []float64
	Bools    []bool
	Strings  []string
	Decimals []string // numbers as exact text
	Micros   []int64  // times, in microseconds since 1970 UTC
	Values   []any    // anything else, possibly mixed: values of database/sql, decoded JSON, nil for null

	Null []bool
	// Days means that Micros are days, without a time of day.
	Days bool
	// Text means that Strings, and strings among Values, are text and are not to be parsed
	// as numbers or dates.
	Text bool

	maybeDays bool // Micros came from time.Time values, which are days if all are midnights
}

// FromMaps returns the named columns of rows that are maps. A missing name is a null.
func FromMaps(names []string, rows []map[string]any) []Column {
	return new(scratch).fromMaps(names, rows)
}

// FromRows returns the named columns of rows whose cells are in that order. A missing cell is
// a null.
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

// uniqueNames returns the names of columns; a repeated name gets a number appended, from 2 on.
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
