package builtin

import (
	"strconv"
	"strings"
	"time"
)

// statement is a SELECT in parts.
type statement struct {
	list   []string
	from   string
	where  []string
	group  string
	having string
	order  string
	limit  int // 0 for none
}

// write returns s in a dialect, a clause a line.
func (s statement) write(d *dialect) string {
	var b strings.Builder
	b.WriteString("SELECT " + strings.Join(s.list, ",\n       ") + "\nFROM " + s.from)
	if len(s.where) > 0 {
		b.WriteString("\nWHERE " + strings.Join(s.where, "\n  AND "))
	}
	for _, clause := range []struct{ word, what string }{{"GROUP BY ", s.group}, {"HAVING ", s.having}, {"ORDER BY ", s.order}} {
		if clause.what != "" {
			b.WriteString("\n" + clause.word + clause.what)
		}
	}
	if s.limit > 0 {
		b.WriteString("\n" + d.limit(s.limit))
	}
	return b.String()
}

// nested returns s as a table called name.
func (s statement) nested(d *dialect, name string) string {
	return "(\n    " + strings.ReplaceAll(s.write(d), "\n", "\n    ") + "\n) AS " + name
}

// as names an expression.
func as(x, name string) string { return x + " AS " + name }

// source is where a statement reads a table: whole, or a part of a large one.
type source struct {
	from  string
	where []string
	note  string // for people, when it is a part; ends in a space
}

// source returns where the columns of t are read. Of a very large table it is the
// latest part, or as many rows as can be read in time.
func (t *table) source(d *dialect, cols ...*column) source {
	k := t.clock()
	switch {
	case t.heavy:
		return t.few(d, heavyRows, cols)
	case t.rows <= manyRows:
		return source{from: t.quoted}
	case k == nil:
		return t.few(d, someRows, cols)
	}
	part := float64(partRows) / float64(t.rows)
	from := k.clock.to.Add(-time.Duration(float64(k.clock.span()) * part))
	return source{from: t.quoted, where: []string{k.clock.since(d, from)}, note: "The table is large, so that only what came since " + from.Format(time.DateOnly) + " is read. "}
}

// few reads n rows of t, no matter which.
func (t *table) few(d *dialect, n int, cols []*column) source {
	if k := t.clock(); k != nil {
		cols = append(cols, k)
	}
	var list []string
	taken := map[*column]bool{}
	for _, c := range cols {
		if !taken[c] {
			taken[c] = true
			list = append(list, c.quoted)
		}
	}
	if len(list) == 0 {
		list = append(list, t.cols[0].quoted)
	}
	return source{from: "(" + d.some(strings.Join(list, ", "), t.quoted, n) + ") AS part", note: "The table is large, so that " + thousands(int64(n)) + " of its rows stand for all. "}
}

// whole says whether all of t is read.
func (t *table) whole() bool { return !t.heavy && t.rows <= manyRows }

// decimal writes a number with a point, so that nothing divided by it is cut to a
// whole number.
func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
