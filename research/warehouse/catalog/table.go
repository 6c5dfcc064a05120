package catalog

import (
	"strconv"
	"strings"
)

// UnknownRows is the row count of a table whose rows have not been counted.
const UnknownRows = -1

// Table is what a warehouse reports about one table.
type Table struct {
	Schema  string // dataset, schema or database; empty if there is none
	Name    string
	Comment string
	Rows    int64 // approximate; UnknownRows if not known
	Columns []Column
	Foreign []Foreign
	Samples [][]string // a few rows in the order of Columns, masked and cut

	// Categories are values of columns with few different ones, as they were sampled, by the
	// column's name. None identifies a person.
	Categories map[string][]string

	// Unread is why the warehouse shows the table and cannot read or describe it, in a sentence for people;
	// empty if it can.
	Unread string
}

// Column is one column of a table.
type Column struct {
	Name     string
	Type     string // in the warehouse's own notation
	NotNull  bool
	Key      bool // part of the primary key
	Comment  string
	Distinct int64 // approximate number of distinct values; 0 if not known
}

// Foreign is a foreign key.
type Foreign struct {
	Columns []string
	Table   string // qualified name of the table it refers to
	To      []string
}

// Ref returns the qualified name of t.
func (t *Table) Ref() string {
	if t.Schema == "" {
		return t.Name
	}
	return t.Schema + "." + t.Name
}

// appendRows writes a row count in about four characters: 542, 14.3K, 2.1M, 1B, or unknown.
func appendRows(b []byte, n int64) []byte {
	if n < 0 {
		return append(b, "unknown"...)
	}
	for i, unit := range []byte{0, 'K', 'M', 'B', 'T'} {
		scale := int64(1)
		for range i {
			scale *= 1000
		}
		if n >= 1000*scale-scale/20 && unit != 'T' { // 999,950 rounds to 1M, not to 1000K
			continue
		}
		if i == 0 {
			return strconv.AppendInt(b, n, 10)
		}
		tenths := (n*10 + scale/2) / scale
		b = strconv.AppendInt(b, tenths/10, 10)
		if rest := tenths % 10; rest != 0 {
			b = append(b, '.', byte('0'+rest))
		}
		return append(b, unit)
	}
	return b
}

// fold returns s in the form in which names are compared.
func fold(s string) string { return strings.ToLower(s) }
