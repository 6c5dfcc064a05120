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

// appendJoins writes where t leads.
func appendJoins(b []byte, joins []Join) []byte {
	for i := range joins {
		switch j := &joins[i]; {
		case i == maxJoins:
			return append(append(append(b, ", +"...), strconv.Itoa(len(joins)-i)...), " more"...)
		case i == 0:
			b = append(append(b, " | "...), j.arrow()...)
		default:
			b = append(append(b, ", "...), j.arrowAfter(&joins[i-1])...)
		}
		b = append(b, joins[i].Table...)
	}
	return b
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
