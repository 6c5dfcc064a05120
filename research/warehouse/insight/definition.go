package insight

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// Definition is what an organisation means by the name of a figure over one table. Its SQL is that of
// the warehouse, with columns of the table by their names alone.
type Definition struct {
	Name       string
	Title      string   // for people
	Table      string   // qualified, as the catalog has it
	Expression string   // SUM, AVG or COUNT of values of a row; others are left out
	Filters    []string // conditions, all of which hold
	Line       string   // the whole definition in one line, for people

	// Of a ratio, which has none of the SQL above: its two figures, which have to be over one table.
	Numerator, Denominator *Definition
}

// aggregate matches the expressions that measures are made of.
var aggregate = regexp.MustCompile(`(?is)^\s*(SUM|AVG|COUNT)\s*\((.*)\)\s*$`)

// table is the table of a definition; empty for a ratio over two.
func (d *Definition) table() string {
	if d.Numerator == nil || d.Denominator == nil {
		return d.Table
	}
	if d.Numerator.Table != d.Denominator.Table {
		return ""
	}
	return d.Numerator.Table
}

// define adds the measures that an organisation has defined over the fact, in the place of sums and
// averages that would be made of the same columns. Definitions that are no measure are left out, with
// the reason.
func (s *source) define() {
	var defined []*measure
	for i := range s.f.defined {
		d := &s.f.defined[i]
		if !strings.EqualFold(d.table(), s.fact.ref) {
			continue
		}
		m, why := s.defined(d)
		if m == nil {
			s.left = append(s.left, fmt.Sprintf("The metric %s is left out: %s.", d.Title, why))
			continue
		}
		if m.key == "" {
			m.key = "metric:" + d.Name
		}
		m.say, m.defined = language.LowerFirst(d.Title), d
		if m.kind == counted { // all records: the measure is there
			s.measures[0].defined = d
			continue
		}
		defined = append(defined, m)
	}
	kept := s.measures[:1]
	for _, m := range s.measures[1:] {
		if !slices.ContainsFunc(defined, func(d *measure) bool {
			return d.kind == m.kind && d.col.column == columnOf(m) && m.kind != missing && m.of == nil
		}) {
			kept = append(kept, m)
		}
	}
	s.measures = slices.Insert(kept, 1, defined...)
}

// defined returns the measure of a definition, or why it is none.
func (s *source) defined(d *Definition) (*measure, string) {
	if d.Numerator != nil && d.Denominator != nil {
		return s.ratio(d)
	}
	kind, argument, ok := parts(d.Expression)
	if !ok {
		return nil, "only sums, averages and counts are followed"
	}
	where, in, ok := s.conditions(d.Filters)
	if !ok {
		return nil, "its conditions name more than columns of its table"
	}
	if kind == "COUNT" && argument == "*" {
		if len(d.Filters) == 0 {
			return &measure{kind: counted}, ""
		}
		if in == nil {
			return nil, "its conditions name no column"
		}
		return summing(in, "CASE WHEN "+where+" THEN 1 ELSE 0 END"), ""
	}
	value, col, ok := s.qualify(argument)
	if !ok || col == nil {
		return nil, "its expression names more than columns of its table"
	}
	if len(d.Filters) > 0 {
		value = "CASE WHEN " + where + " THEN " + value + " END"
	}
	key := func(kind string) string { // of a column alone, as of one that nobody has defined: it is the same in runs before
		if len(d.Filters) == 0 && value == col.x {
			return kind + ":" + col.name
		}
		return ""
	}
	switch kind {
	case "COUNT":
		return summing(col, "CASE WHEN "+value+" IS NOT NULL THEN 1 ELSE 0 END"), ""
	case "AVG":
		x := s.f.sql.Float(value)
		return &measure{kind: average, key: key("average"), col: col, value: x, num: "SUM(" + x + ")", den: "COUNT(" + value + ")", square: "SUM((" + x + ") * (" + x + "))"}, ""
	}
	if columnLow(col, argument) < 0 { // a sum of both signs may be nearly nothing, which no change is relative to
		return nil, "it adds up values below zero"
	}
	m := summing(col, s.f.sql.Float(value))
	m.key = key("sum")
	return m, ""
}

// columnLow is the lowest value of a column that is summed by itself; zero for what is computed of
// columns, which nobody has looked at.
func columnLow(col *field, argument string) float64 {
	if !strings.EqualFold(strings.Trim(argument, " \"`[]"), col.name) || !col.ranged {
		return 0
	}
	return col.low
}

// summing is the sum of a value of records.
func summing(col *field, value string) *measure {
	return &measure{kind: summed, col: col, value: value, num: "SUM(" + value + ")", square: "SUM((" + value + ") * (" + value + "))"}
}

// ratio returns the measure of a ratio: a share of records, or an average.
func (s *source) ratio(d *Definition) (*measure, string) {
	above, ofAbove, okAbove := parts(d.Numerator.Expression)
	below, ofBelow, okBelow := parts(d.Denominator.Expression)
	if !okAbove || !okBelow || below != "COUNT" || ofBelow != "*" {
		return nil, "only ratios to a count of records are followed"
	}
	base, _, okBase := s.conditions(d.Denominator.Filters)
	is, col, okIs := s.conditions(d.Numerator.Filters)
	if !okBase || !okIs {
		return nil, "its conditions name more than columns of its table"
	}
	if above == "COUNT" && ofAbove == "*" && col != nil {
		m := &measure{kind: share, col: col, is: "(" + is + ")", num: sumIf(is), den: "COUNT(*)"}
		if len(d.Denominator.Filters) > 0 {
			both := "(" + base + ") AND (" + is + ")"
			m.is, m.base, m.num, m.den = "("+both+")", "("+base+")", sumIf(both), sumIf(base)
		}
		return m, ""
	}
	if above != "SUM" || !slices.Equal(d.Numerator.Filters, d.Denominator.Filters) {
		return nil, "only shares of records and averages over the same records are followed"
	}
	return s.defined(&Definition{Expression: "AVG(COALESCE(" + ofAbove + ", 0))", Filters: d.Numerator.Filters})
}

// parts divides an aggregate into its name, in capitals, and what is aggregated.
func parts(expression string) (kind, argument string, ok bool) {
	m := aggregate.FindStringSubmatch(expression)
	if m == nil || strings.HasPrefix(strings.ToUpper(strings.TrimSpace(m[2])), "DISTINCT") {
		return "", "", false
	}
	depth := 0
	for _, c := range m[2] { // SUM(a) / SUM(b) has a bracket that closes before the end
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return "", "", false
			}
		}
	}
	return strings.ToUpper(m[1]), strings.TrimSpace(m[2]), depth == 0
}

// conditions returns conditions that all hold as one, with the first column that they name; nil if
// they name none.
func (s *source) conditions(filters []string) (string, *field, bool) {
	var first *field
	var all []string
	for _, f := range filters {
		x, col, ok := s.qualify(f)
		if !ok {
			return "", nil, false
		}
		if first == nil {
			first = col
		}
		all = append(all, "("+x+")")
	}
	if len(all) == 0 {
		return "1 = 1", nil, true
	}
	return strings.Join(all, " AND "), first, true
}

// sqlWord matches a constant, a quoted or a plain name, and what stands around it, in SQL.
var sqlWord = regexp.MustCompile("'(?:[^']|'')*'|\"[^\"]+\"|`[^`]+`|\\[[^\\]]+\\]|[\\pL_][\\pL\\pN_$]*|\\.")

// qualify writes a piece of SQL with the columns of the fact as statements name them, and returns the
// first of these. It is not ok if a name has a part in front, since that would be another table's.
func (s *source) qualify(sql string) (out string, first *field, ok bool) {
	ok = true
	last := 0
	var b strings.Builder
	for _, at := range sqlWord.FindAllStringIndex(sql, -1) {
		word := sql[at[0]:at[1]]
		b.WriteString(sql[last:at[0]])
		last = at[1]
		name := strings.Trim(word, "\"`[]")
		c := s.fact.column(name)
		switch {
		case word == ".":
			digit := at[1] < len(sql) && sql[at[1]] >= '0' && sql[at[1]] <= '9' || at[0] > 0 && sql[at[0]-1] >= '0' && sql[at[0]-1] <= '9'
			ok = ok && digit
		case word[0] == '\'' || c == nil || strings.HasPrefix(strings.TrimLeft(sql[at[1]:], " \n\t"), "("):
		default:
			f := s.field(-1, c)
			if first == nil {
				first = f
			}
			word = f.x
		}
		b.WriteString(word)
	}
	b.WriteString(sql[last:])
	return b.String(), first, ok
}

// mark says by which definition an insight is measured.
func (m *measure) mark(i *Insight) {
	if m.defined == nil || i == nil {
		return
	}
	i.Metric, i.Defined = m.defined.Name, m.defined.Line
	i.Text += " It is measured as your team defines “" + m.defined.Title + "”."
}
