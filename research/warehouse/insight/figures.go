package insight

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// draft collects the figures of an insight.
type draft struct {
	s      *source
	fields []*field
	where  string
	per    span   // of counts and sums; a day if it is not set
	of     string // the unit of the column that is measured
	list   []spec
}

// spec is a figure before it is computed.
type spec struct {
	id, name, expr string
	unit           Unit
	of             string
	recount        string // computes it by another way; empty for none
}

// add adds a figure that an aggregate computes over the rows of the draft.
func (d *draft) add(id, name string, unit Unit, expr string) {
	of := ""
	if unit == PerDay && d.per.days > 1 {
		unit, expr = d.per.unit, d.per.scale(expr)
	}
	if unit == PerDay || unit == Plain {
		of = d.of
	}
	d.list = append(d.list, spec{id: id, name: name, expr: expr, unit: unit, of: of})
}

// measure adds a figure that is a measure of the records that meet a condition, as [measure.in] writes it, and the way
// by which a check computes it anew.
func (d *draft) measure(id, name string, m *measure, condition string, days float64) {
	d.add(id, name, m.unit(), m.in(condition, days))
	last := &d.list[len(d.list)-1]
	last.recount = d.anew(m, condition, days, last.unit)
}

// share adds the share that the records of a condition have of all that meet another, and the way by which a check
// computes it anew.
func (d *draft) share(id, name, condition, among string) {
	d.add(id, name, Percent, "100.0 * "+sumIf(condition+" AND "+among)+" / NULLIF("+sumIf(among)+", 0)")
	d.list[len(d.list)-1].recount = d.s.grouped("100.0 * SUM(a) / NULLIF(SUM(b), 0)", sumIf(condition)+" AS a, COUNT(*) AS b", d.fields, and(d.where, among))
}

// anew is a statement that computes a measure of the records that meet a condition by another way than [measure.in]: it
// takes no other records, adds up groups of them, and divides sums.
func (d *draft) anew(m *measure, condition string, days float64, unit Unit) string {
	part, whole, value := "COUNT(*)", "", "COALESCE(SUM(a), 0) / "+point(days)
	switch {
	case m.kind == counted:
	case m.kind == summed:
		part = "SUM(" + m.value + ")"
	case m.kind == average:
		part, whole, value = "SUM("+m.value+")", "COUNT("+m.value+")", "SUM(a) / NULLIF(SUM(b), 0)"
	default:
		part, whole, value = sumIf(m.is), "COUNT(*)", "100.0 * SUM(a) / NULLIF(SUM(b), 0)"
		if m.base != "" {
			condition += " AND " + m.base
		}
	}
	if unit != m.unit() {
		value = d.per.scale(value)
	}
	if whole != "" {
		part += " AS a, " + whole + " AS b"
	} else {
		part += " AS a"
	}
	return d.s.grouped(value, part, d.fields, and(d.where, condition))
}

// grouped is a statement of one value over groups of the records that meet a condition.
func (s *source) grouped(value, parts string, fields []*field, where string) string {
	group := s.grouping()
	return "SELECT " + value + " AS " + FigureColumn + "\nFROM (SELECT " + group + " AS g, " + parts + "\n      FROM " + strings.ReplaceAll(s.tables(fields...), "\n", "\n      ") + "\n      WHERE " + where + "\n      GROUP BY " + group + ") AS counted"
}

// grouping is what records are put into groups by when they are counted anew.
func (s *source) grouping() string {
	switch {
	case s.clock != nil:
		return s.f.sql.Truncate("month", s.clock.x)
	case len(s.fact.cols) > 0:
		return s.fact.cols[0].at("t0.")
	}
	return "1"
}

// and joins two conditions, of which the first may be empty.
func and(a, b string) string {
	if a == "" {
		return b
	}
	return a + " AND " + b
}

// from ends a statement of the draft.
func (d *draft) from() string {
	out := "\nFROM " + d.s.tables(d.fields...)
	if d.where != "" {
		out += "\nWHERE " + d.where
	}
	return out
}

// compute asks for all figures at once; each one has a statement of its own by which it can be
// asked for again. Figures without a value are left out.
func (d *draft) compute(ctx context.Context, purpose string) ([]Figure, error) {
	list := make([]string, len(d.list))
	for i, x := range d.list {
		list[i] = fmt.Sprintf("%s AS f%d", x.expr, i)
	}
	r, err := d.s.f.query(ctx, purpose, "SELECT "+strings.Join(list, ",\n       ")+d.from())
	if err != nil {
		return nil, err
	}
	if r.Rows != 1 {
		return nil, fmt.Errorf("%s: %d rows instead of one", purpose, r.Rows)
	}
	var out []Figure
	for i, x := range d.list {
		if v, ok := r.numberOK(0, i); ok && !math.IsNaN(v) {
			out = append(out, Figure{ID: x.id, Name: x.name, SQL: "SELECT " + x.expr + " AS " + FigureColumn + d.from(), Value: v, Unit: x.unit, Of: x.of, Recount: x.recount})
		}
	}
	return out, nil
}

// in returns the aggregate of a measure over the records that meet a condition: of a count and a
// sum per day, of a share in percent.
func (m *measure) in(condition string, days float64) string {
	switch m.kind {
	case counted:
		return sumIf(condition) + " / " + point(days)
	case summed:
		return "SUM(CASE WHEN " + condition + " THEN " + m.value + " ELSE 0 END) / " + point(days)
	case average:
		return "AVG(CASE WHEN " + condition + " THEN " + m.value + " END)"
	default:
		among := condition
		if m.base != "" {
			among += " AND " + m.base
		}
		return "100.0 * " + sumIf(among+" AND "+m.is) + " / NULLIF(" + sumIf(among) + ", 0)"
	}
}

// counts is the unit of the column that an average or a sum is of, as its name says it; empty for none.
func (m *measure) counts() string {
	if m.col == nil || m.kind != average && m.kind != summed {
		return ""
	}
	return m.col.unit
}

// unit is what a figure of the measure is measured in.
func (m *measure) unit() Unit {
	switch {
	case m.kind == counted, m.kind == summed:
		return PerDay
	case m.kind.isShare():
		return Percent
	default:
		return Plain
	}
}

// point writes a number of days so that nothing divided by it is cut to a whole number.
func point(v float64) string {
	s := decimal(v)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// figureOf returns the value of the figure called id; false if there is none.
func figureOf(figures []Figure, id string) (float64, bool) {
	for _, f := range figures {
		if f.ID == id {
			return f.Value, true
		}
	}
	return 0, false
}

// FigureColumn is the only column of what the statement of a figure returns.
const FigureColumn = "value"

// Main returns the figure that an insight is mainly about: how it is now, else its first; false for an
// insight without figures.
func (i *Insight) Main() (Figure, bool) {
	for _, f := range i.Figures {
		if f.ID == "now" {
			return f, true
		}
	}
	if len(i.Figures) == 0 {
		return Figure{}, false
	}
	return i.Figures[0], true
}

// Now returns what the main figure measures, in words such as "average delay for city “Braga”", if it
// is how things are now. It is empty if the insight is about a time that is over, or has no such
// figure.
func (i *Insight) Now() string {
	main, ok := i.Main()
	if !ok || main.ID != "now" || strings.Contains(i.Headline, "{{until}}") {
		return ""
	}
	for _, end := range []string{", in the period", ", at the end"} {
		main.Name = strings.TrimSuffix(main.Name, end)
	}
	if each, ok := map[Unit]string{PerDay: " a day", PerWeek: " a week", PerMonth: " in thirty days"}[main.Unit]; ok {
		main.Name += each
	}
	return main.Name
}
