package catalog

import (
	"strconv"
)

// maxJoins is how many related tables a line lists.
const maxJoins = 4

// line is a line of the catalog without the words of a subject.
type line struct {
	from, tables  int // index of its first table, and how many it stands for
	at, hint, end int // offsets in Index.text: begin, place for the words of the subject, end
	tokens        int
	rows          int64
	junk          bool // see isJunk
}

// writeLines writes a line for each table or family of tables in the order of names. Rendering
// then only has to add what depends on a subject.
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

// Line returns the line of table i without the words of a subject.
func (x *Index) Line(i int) string {
	return string(appendJoins(x.appendHead(nil, i, i+1, x.tables[i].Rows), x.Joins(i)))
}

// appendHead writes the part of the line of tables [from, to) that precedes the words of the
// subject.
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

// appendJoins writes the tables that joins lead to, without duplicates.
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

// ledTo reports whether one of joins leads to table, spelt exactly so.
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

// arrow returns the notation of a join.
func (j *Join) arrow() string {
	if j.Declared {
		return "-> "
	}
	return "~> "
}

// arrowAfter returns the notation of a join that follows another; one arrow stands for all
// joins of its kind that follow it.
func (j *Join) arrowAfter(before *Join) string {
	if j.Declared == before.Declared {
		return ""
	}
	return j.arrow()
}
