package question

import (
	"fmt"
	"strconv"
	"strings"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/guard"
)

// writer writes the statements of a reading in one dialect.
type writer struct {
	*Reading

	p     builtin.Pieces
	clock builtin.Clock // if the reading has one; see [writer.withClock]
	used  map[int]bool  // joins that the statement needs
}

func newWriter(r *Reading, d guard.Dialect) *writer {
	return &writer{Reading: r, p: builtin.PiecesOf(d), used: map[int]bool{}}
}

// column returns a column as it stands in a statement, and remembers its table.
func (w *writer) column(f *field) string {
	switch {
	case f.sql != "":
		return "(" + f.sql + ")"
	case w.metric != nil: // its SQL names columns without an alias
		return w.p.Name(f.column.Name)
	}
	if f.join < 0 {
		return "t." + w.p.Name(f.column.Name)
	}
	w.used[f.join] = true
	return "j" + strconv.Itoa(f.join+1) + "." + w.p.Name(f.column.Name)
}

// from returns the table with those that the statement needs of the others.
func (w *writer) from() string {
	if w.metric != nil {
		return "\nFROM " + w.p.Table(w.scope.table)
	}
	var b strings.Builder
	b.WriteString("\nFROM " + w.p.Table(w.scope.table) + " AS t")
	for i, j := range w.scope.joins {
		if w.used[i] {
			name := "j" + strconv.Itoa(i+1)
			b.WriteString("\nLEFT" + w.join(name, j))
		}
	}
	return b.String()
}

// join joins a table under a name.
func (w *writer) join(name string, j joined) string {
	return fmt.Sprintf(" JOIN %s AS %s ON t.%s = %s.%s", w.p.Table(j.table), name, w.p.Name(j.column), name, w.p.Name(j.to))
}

// ranges returns the statement that asks from when to when the data run.
func (w *writer) ranges() string {
	x := w.column(w.Clock)
	return "SELECT MIN(" + x + ") AS first_time, MAX(" + x + ") AS last_time, COUNT(" + x + ") AS records" + w.from()
}

// lookups returns the statement that counts, for each column that may have a value, the rows that
// have it, and the columns in that order. It asks for the columns of one table.
func (w *writer) lookups(l Lookup, join int) (sql string, fields []*field) {
	var list []string
	for _, f := range l.fields {
		if f.join != join {
			continue
		}
		condition, ok := w.isOneOf("t."+w.p.Name(f.column.Name), spellings(l.Text))
		if ok {
			list = append(list, w.p.CountIf(condition)+" AS rows_"+strconv.Itoa(len(list)+1))
			fields = append(fields, f)
		}
	}
	if len(list) == 0 {
		return "", nil
	}
	t := w.scope.table
	if join >= 0 {
		t = w.scope.joins[join].table
	}
	return "SELECT " + strings.Join(list, ",\n       ") + "\nFROM " + w.p.Table(t) + " AS t", fields
}

// spellings returns the ways in which a value may be written, in lower case.
func spellings(text string) []string {
	low := strings.ToLower(strings.TrimSpace(text))
	out := []string{low}
	if rest, ok := strings.CutSuffix(low, "elled"); ok { // cancelled, canceled
		out = append(out, rest+"eled")
	} else if rest, ok := strings.CutSuffix(low, "eled"); ok {
		out = append(out, rest+"elled")
	}
	if rest, ok := strings.CutSuffix(low, "s"); ok && len(rest) > 3 {
		out = append(out, rest)
	}
	if strings.Contains(low, " ") {
		out = append(out, strings.ReplaceAll(low, " ", "_"), strings.ReplaceAll(low, " ", "-"))
	}
	if one := english[low]; len(one) > 0 {
		out = append(out, one[0])
	}
	return out
}

// isOneOf is the condition that a text, in any case, is one of some. It is false if one cannot be
// written.
func (w *writer) isOneOf(x string, values []string) (string, bool) {
	list := make([]string, len(values))
	for i, v := range values {
		var ok bool
		if list[i], ok = w.p.Text(v); !ok {
			return "", false
		}
	}
	return "LOWER(" + x + ") IN (" + strings.Join(list, ", ") + ")", true
}

// withClock says how the column of times is read; see [builtin.Pieces.Clock].
func (w *writer) withClock(low, high float64) bool {
	k, ok := w.p.Clock(w.column(w.Clock), w.Clock.column.Type, low, high)
	w.clock = k
	return ok
}

// condition returns f as a condition.
func (w *writer) condition(f Filter) (string, bool) {
	x := w.column(f.field)
	ops := map[sign]string{above: ">", atLeast: ">=", below: "<", atMost: "<="}
	var out string
	switch {
	case ops[f.op] != "":
		return x + " " + ops[f.op] + " " + strconv.FormatFloat(f.number, 'f', -1, 64), true
	case f.op == with && builtin.IsTruth(f.field.column.Type):
		out = w.p.True(x)
	case f.op == with && f.field.use == builtin.UseFlag && builtin.IsNumber(f.field.column.Type):
		out = x + " = 1"
	case f.op == with && builtin.IsNumber(f.field.column.Type):
		out = x + " > 0"
	case f.op == with && f.field.use == builtin.UseFlag:
		out, _ = w.isOneOf(x, []string{"y", "yes", "t", "true", "1"})
	case f.op == with:
		out = x + " IS NOT NULL"
	default:
		in, ok := w.isOneOf(x, f.values)
		if !ok {
			return "", false
		}
		out = in
	}
	if f.not {
		return "(NOT (" + out + ") OR " + x + " IS NULL)", true
	}
	return out, true
}

// statement returns the statement of the reading. Its columns are, in order: the label if it is
// divided, the figure, the rows it is computed from, and of a share those that meet the condition.
func (w *writer) statement() (string, bool) {
	var where []string
	var conditions []string
	for _, f := range w.Filters {
		c, ok := w.condition(f)
		if !ok {
			return "", false
		}
		conditions = append(conditions, c)
	}
	if !w.Period.From.IsZero() {
		where = append(where, w.clock.Since(w.Period.From))
	}
	if !w.Period.To.IsZero() {
		where = append(where, w.clock.Before(w.Period.To))
	}
	recurs, _ := w.recurs() // it knows them; see [writer.reaches]
	if w.Measure == Share && len(conditions) == 0 {
		conditions = []string{strings.Join(recurs, " AND ")}
	} else {
		where = append(where, recurs...)
	}
	if w.metric.isRatio() {
		return w.ratio(append(where, conditions...)), true
	}
	list := []string{}
	if w.Measure == Share {
		last := conditions[len(conditions)-1]
		where = append(where, conditions[:len(conditions)-1]...)
		met := w.p.CountIf(last)
		list = append(list, w.p.Percent(met, "COUNT(*)")+" AS figure", "COUNT(*) AS records", met+" AS matching")
	} else {
		where = append(append(w.metric.filters(), where...), conditions...)
		list = append(list, w.figure()...)
	}
	tail := ""
	if g := w.Group; g != nil {
		var label string
		if cyclic(g.span) {
			label, _ = w.clock.Part(parts[g.span]) // it knows it; see [writer.reaches]
		} else if g.span != "" {
			label = w.clock.Period(g.span)
		} else {
			label = w.column(g.field)
			where = append(where, label+" IS NOT NULL")
		}
		order := " DESC"
		if g.Fewest {
			order = ""
		}
		n := g.N
		if n == 0 {
			n = usualGroups
		}
		list = append([]string{label + " AS label"}, list...)
		tail = "\nGROUP BY " + label + "\nORDER BY figure" + order + ", label\n" + w.p.Limit(n)
	}
	sql := "SELECT " + strings.Join(list, ",\n       ") + w.from()
	if len(where) > 0 {
		sql += "\nWHERE " + strings.Join(where, "\n  AND ")
	}
	return sql + tail, true
}

// figure returns what is computed, and of how many rows.
func (w *writer) figure() []string {
	if w.metric != nil {
		return []string{"(" + w.metric.Expression + ") AS figure", "COUNT(*) AS records"}
	}
	x := ""
	if w.Column != nil {
		x = w.column(w.Column)
	}
	switch w.Measure {
	case Sum:
		return []string{"SUM(" + x + ") AS figure", "COUNT(" + x + ") AS records"}
	case Average:
		return []string{w.p.Average(x, 2) + " AS figure", "COUNT(" + x + ") AS records"}
	case Highest:
		return []string{"MAX(" + x + ") AS figure", "COUNT(" + x + ") AS records"}
	case Lowest:
		return []string{"MIN(" + x + ") AS figure", "COUNT(" + x + ") AS records"}
	}
	if w.Distinct && w.Column != nil {
		return []string{"COUNT(DISTINCT " + x + ") AS figure", "COUNT(*) AS records"}
	}
	return []string{"COUNT(*) AS figure", "COUNT(*) AS records"}
}
