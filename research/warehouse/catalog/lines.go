package catalog

import (
	"strconv"
)

// maxJoins bounds how many tables a line leads to.
const maxJoins = 4

// line is one of the catalog, without the words of a subject.
type line struct {
	from, tables  int // what it stands for
	at, hint, end int // in Index.text: where it begins, where words of the subject belong, where it ends
	tokens        int
	rows          int64
	junk          bool
}

// writeLines writes a line for each table or family of tables, in the order of
// names, so that rendering only has to add what depends on a subject.
func (x *Index) writeLines() {
	x.lines = make([]line, 0, len(x.tables))
	b := make([]byte, 0, 64*len(x.tables))
	for from := 0; from < len(x.tables); {
		to := x.family(from)
		l := line{from: from, tables: to - from, at: len(b), rows: x.rows(from, to), junk: to-from == 1 && isJunk(x.tables[from].Name)}
		b = x.appendHead(b, from, to, l.rows)
		l.hint = len(b)
		b = append(appendJoins(b, x.Joins(from)), '\n')
		l.end = len(b)
		l.tokens = Tokens(b[l.at:l.end]) + 1
		x.lines = append(x.lines, l)
		from = to
	}
	x.text = string(b)
}

// Line returns the line of table i alone, without words of a subject.
func (x *Index) Line(i int) string {
	return string(appendJoins(x.appendHead(nil, i, i+1, x.tables[i].Rows), x.Joins(i)))
}

// appendHead writes what the line of the tables from up to, not including, to says
// of them before words of the subject.
func (x *Index) appendHead(b []byte, from, to int, rows int64) []byte {
	t := &x.tables[from]
	b = appendRef(b, t)
	if to-from > 1 {
		b = append(append(b, " … "...), x.tables[to-1].Name...)
		b = append(strconv.AppendInt(append(b, " ("...), int64(to-from), 10), " tables)"...)
	}
	b = append(strconv.AppendInt(append(b, " | "...), int64(len(t.Columns)), 10), "c | "...)
	return append(appendRows(b, rows), " rows"...)
}

// appendRef writes the qualified name of t.
func appendRef(b []byte, t *Table) []byte {
	if t.Schema != "" {
		b = append(append(b, t.Schema...), '.')
	}
	return append(b, t.Name...)
}

// appendJoins writes where t leads, each table once.
func appendJoins(b []byte, joins []Join) []byte {
	var last *Join
	for i, n := 0, 0; i < len(joins); i++ {
		j := &joins[i]
		if ledTo(joins[:i], j.Table) {
			continue
		}
		switch {
		case n == maxJoins:
			return append(append(append(b, ", +"...), strconv.Itoa(fresh(joins, i))...), " more"...)
		case n == 0:
			b = append(append(b, " | "...), j.arrow()...)
		default:
			b = append(append(b, ", "...), j.arrowAfter(last)...)
		}
		b, last = append(b, j.Table...), j
		n++
	}
	return b
}

// ledTo reports whether one of joins leads to a table.
func ledTo(joins []Join, table string) bool {
	for i := range joins {
		if joins[i].Table == table {
			return true
		}
	}
	return false
}

// fresh counts the tables that joins lead to from the i-th on and not before.
func fresh(joins []Join, i int) int {
	n := 0
	for ; i < len(joins); i++ {
		if !ledTo(joins[:i], joins[i].Table) {
			n++
		}
	}
	return n
}

// arrow is how a join is written.
func (j *Join) arrow() string {
	if j.Declared {
		return "-> "
	}
	return "~> "
}

// arrowAfter is how it is written behind another: one arrow stands for those that
// follow it.
func (j *Join) arrowAfter(before *Join) string {
	if j.Declared == before.Declared {
		return ""
	}
	return j.arrow()
}
