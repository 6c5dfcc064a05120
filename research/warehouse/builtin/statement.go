package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language"
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

// source returns where t is read by a statement that uses it in these texts. Of a very
// large table it is the latest part, or as many rows as can be read in time.
func (t *table) source(d *dialect, used ...string) source {
	if t.whole() {
		return source{from: t.quoted}
	}
	note := "The table is large: only " + t.read() + " are read, which need not be like the rest. "
	if n := t.few(); n > 0 {
		return source{from: t.first(d, n, used), note: note}
	}
	return source{from: t.quoted, where: []string{t.clock().clock.since(d, t.since())}, note: note}
}

// whole reports whether all of t is read.
func (t *table) whole() bool { return !t.heavy && t.rows <= manyRows }

// few is how many rows of t are read, the first that the warehouse gives; 0 when it is
// all, or what came of late.
func (t *table) few() int {
	switch {
	case t.heavy:
		return max(int(t.part), heavyRows)
	case t.rows > manyRows && t.clock() == nil:
		return someRows
	}
	return 0
}

// since is when the part of a large table begins that is read.
func (t *table) since() time.Time {
	k := t.clock().clock
	return k.to.Add(-time.Duration(float64(k.span()) * float64(partRows) / float64(t.rows)))
}

// read says which part of t is read, in words that stand for a number of rows; empty
// when it is all.
func (t *table) read() string {
	if t.whole() {
		return ""
	}
	if n := int64(t.few()); n > 0 && t.rows > n {
		return fmt.Sprintf("the first %s of about %s of %s", language.Thousands(n), language.Count(t.rows, "record"), t.say)
	} else if n > 0 {
		return fmt.Sprintf("the first %s of %s", language.Count(n, "record"), t.say)
	}
	return fmt.Sprintf("the records of %s since %s", t.say, t.since().Format(time.DateOnly))
}

// first reads n rows of t, with the columns that the texts use.
func (t *table) first(d *dialect, n int, used []string) string {
	var list []string
	for _, c := range t.cols {
		if slices.ContainsFunc(used, func(text string) bool { return strings.Contains(text, c.quoted) }) {
			list = append(list, c.quoted)
		}
	}
	if len(list) == 0 {
		list = append(list, t.cols[0].quoted)
	}
	return "(" + d.some(strings.Join(list, ", "), t.quoted, n) + ") AS part"
}

// outputs are the names of the columns that a query of [statement.write] gives.
func outputs(query string) []string {
	list, from, _ := strings.Cut(strings.TrimPrefix(query, "SELECT "), "\nFROM ")
	if inner, nested := strings.CutPrefix(from, "(\n    "); nested && list == "*" {
		return outputs(strings.ReplaceAll(inner, "\n    ", "\n"))
	}
	var names []string
	for item := range strings.SplitSeq(list, ",\n       ") {
		if at := strings.LastIndex(item, " AS "); at >= 0 {
			item = item[at+len(" AS "):]
		}
		item = strings.TrimRight(item, "\"`]")
		names = append(names, item[strings.LastIndexAny(item, "\"`[.")+1:])
	}
	return names
}

// decimal writes a number with a point, so that nothing divided by it is cut to a
// whole number.
func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
