package catalog

import (
	"strconv"
	"strings"
)

// UnknownRows is the row count of a table that nobody counted.
const UnknownRows = -1

// Table is what a warehouse says of one table.
type Table struct {
	Schema  string // dataset, schema or database; empty where there is none
	Name    string
	Comment string
	Rows    int64 // approximately; UnknownRows if nobody knows
	Columns []Column
	Foreign []Foreign
	Samples [][]string // at most a few rows in the order of Columns, masked and cut
}

// Column is one column of a table.
type Column struct {
	Name     string
	Type     string // as the warehouse writes it
	NotNull  bool
	Key      bool // it is of the primary key
	Comment  string
	Distinct int64 // approximately; 0 if nobody knows
}

// Foreign is a key that refers to another table.
type Foreign struct {
	Columns []string
	Table   string // qualified
	To      []string
}

// Ref returns the qualified name of t.
func (t *Table) Ref() string {
	if t.Schema == "" {
		return t.Name
	}
	return t.Schema + "." + t.Name
}

// appendRows writes a number of rows in four characters or so: 542, 14.3K, 2.1M,
// 1B, or unknown.
func appendRows(b []byte, n int64) []byte {
	if n < 0 {
		return append(b, "unknown"...)
	}
	for i, unit := range []byte{0, 'K', 'M', 'B', 'T'} {
		scale := int64(1)
		for range i {
			scale *= 1000
		}
		if n >= 1000*scale-scale/20 && unit != 'T' { // 999,950 is 1M, not 1000K
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
