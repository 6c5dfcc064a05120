package catalog

import "strings"

// family returns the end of the family of tables that begins at from: tables of one schema with
// the same number of columns whose names differ only in the date or number at their end, such as
// the partitions events_20240101, events_20240102 … Fewer than three are not a family.
func (x *Index) family(from int) int {
	t := &x.tables[from]
	stem := stemOf(t.Name)
	if stem == "" {
		return from + 1
	}
	to := from + 1
	for to < len(x.tables) {
		m := &x.tables[to]
		if m.Schema != t.Schema || len(m.Columns) != len(t.Columns) || len(m.Name) != len(t.Name) || stemOf(m.Name) != stem {
			break
		}
		to++
	}
	if to-from < 3 {
		return from + 1
	}
	return to
}

// stemOf returns a name without the digits at its end, if they follow an underscore or _p or
// begin with a year; otherwise an empty string.
func stemOf(name string) string {
	n := len(name)
	for n > 0 && '0' <= name[n-1] && name[n-1] <= '9' {
		n--
	}
	switch digits := len(name) - n; {
	case digits == 0 || n == 0:
		return ""
	case name[n-1] == '_', strings.HasSuffix(name[:n], "_p"), digits >= 4 && digits%2 == 0 && (name[n:n+2] == "19" || name[n:n+2] == "20"):
		return name[:n]
	default:
		return ""
	}
}

// rows returns the total rows of tables [from, to), or UnknownRows if one of them is unknown.
func (x *Index) rows(from, to int) int64 {
	var sum int64
	for i := from; i < to; i++ {
		if x.tables[i].Rows < 0 {
			return UnknownRows
		}
		sum += x.tables[i].Rows
	}
	return sum
}

// leftovers are endings of the names of tables that nobody analyses.
var leftovers = []string{"_log", "_archive", "_bkp", "_backup", "_tmp", "_temp", "_stg", "_staging", "_old"}

// isJunk reports whether a name has one of these endings, or ends in a year.
func isJunk(name string) bool {
	last := strings.LastIndexByte(name, '_')
	if last <= 0 {
		return false
	}
	for _, end := range leftovers {
		if len(name)-last == len(end) && strings.EqualFold(name[last:], end) {
			return true
		}
	}
	return len(name)-last == 5 && stemOf(name) == name[:last+1]
}
