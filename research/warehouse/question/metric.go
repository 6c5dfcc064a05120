package question

import (
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/metrics"
)

// metric is a metric that a question names, with what its definition is written over. A nil
// metric is none.
type metric struct {
	metrics.Spec
	parts  []metrics.Spec   // itself, or the numerator and the denominator of a ratio
	tables []*catalog.Table // of the parts
}

// metricFit is how well the table of a metric fits a question that names the metric: as well as
// one that is named itself, see [candidate.score].
const metricFit = 2

// definedAt returns the name of a definition that begins at word i.
func definedAt(words []language.Word, named []metrics.Match, i int) (token, int) {
	at := slices.IndexFunc(named, func(m metrics.Match) bool { return m.From == words[i].From })
	if at < 0 {
		return token{}, 0
	}
	n := 0
	for i+n < len(words) && words[i+n].From < named[at].To {
		n++
	}
	return token{text: named[at].Words, word: language.Fold(named[at].Words), sign: defined, definition: &named[at]}, n
}

// definitions finds the metric of the question, and the dimensions by which it is divided. Words
// that name a dimension elsewhere are words like others.
func (r *reader) definitions(clause string, named []metrics.Match) *Unclear {
	var figures []metrics.Match
	for _, m := range named {
		if m.Kind == metrics.Metric {
			figures = append(figures, m)
		}
	}
	if len(figures) == 0 {
		r.tokens = tokensOf(clause, r.Language, r.Now)
		return nil
	}
	r.out.metric = r.metricOf(figures[0].Spec)
	if len(figures) > 1 {
		return r.out.metric.unclear(Beside, figures[1].Words)
	}
	r.tokens = tokensOf(clause, r.Language, r.Now, named...)
	for i := range r.tokens {
		if d := r.tokens[i].definition; d != nil && d.Kind == metrics.Dimension && d.Table == r.out.metric.Table && len(d.Filters) == 0 && r.divided(i) {
			figures = append(figures, *d)
		}
	}
	r.tokens = tokensOf(clause, r.Language, r.Now, figures...)
	return nil
}

// metricOf returns a metric with its parts. Those of a ratio are in the same list of definitions.
func (r *reader) metricOf(s metrics.Spec) *metric {
	out := &metric{Spec: s, parts: []metrics.Spec{s}}
	if s.IsRatio() {
		out.parts = nil
		for _, name := range []string{s.Numerator, s.Denominator} {
			if i := slices.IndexFunc(r.Defined, func(d metrics.Definition) bool { return d.Name == name }); i >= 0 {
				out.parts = append(out.parts, r.Defined[i].Spec)
			}
		}
	}
	return out
}

// divided reports whether figures are divided by what token i names.
func (r *reader) divided(i int) bool { return r.before(i, groups, picks) || r.germanBy(i) }

// withoutTables returns the definitions without the metrics whose words are those of their table:
// orders, of shop.orders.
func withoutTables(list []metrics.Match) []metrics.Match {
	return slices.DeleteFunc(slices.Clone(list), func(d metrics.Match) bool {
		if d.Kind != metrics.Metric || d.Table == "" {
			return false
		}
		tokens := tokensOf(d.Words, "en", time.Time{})
		words, _ := thing(d.Table[strings.LastIndexByte(d.Table, '.')+1:])
		m := newMeeting(tokens)
		last := len(tokens) - 1
		return last >= 0 && m.words[last] != nil && named(words, last, m) >= likeness
	})
}

// beside refuses what cannot be computed of a metric: its definition says what is computed. A
// total of it, and the number of what it counts, are itself.
func (r *reader) beside() *Unclear {
	for i := range r.tokens {
		t := &r.tokens[i]
		switch {
		case t.is(sign(Average), sign(Highest), sign(Lowest), sign(Share), different),
			t.is(sign(Count)) && !r.countsMetric(i):
			return r.out.metric.unclear(Beside, t.text)
		case t.definition != nil && t.definition.Kind == metrics.Metric && r.before(i, groups):
			return r.out.metric.unclear(Beside, t.text)
		}
	}
	r.out.Measure = Defined
	return nil
}

// countsMetric reports whether the metric follows token i.
func (r *reader) countsMetric(i int) bool {
	for k := i + 1; k < len(r.tokens); k++ {
		if !r.tokens[k].is(skip) {
			return r.tokens[k].definition != nil
		}
	}
	return false
}

// metricTable takes the tables of the metric's definition.
func (r *reader) metricTable() *Unclear {
	m := r.out.metric
	if !m.whole() {
		return &Unclear{Why: NoMeasure, Word: m.Title()}
	}
	for i, part := range m.parts {
		at, ok, _ := r.index.Find(part.Table)
		if !ok {
			return &Unclear{Why: NoTable, Word: part.Table}
		}
		m.tables = append(m.tables, r.index.Table(at))
		if i == 0 {
			r.out.scope, r.out.fit = scopeOf(r.index, at), metricFit
		}
	}
	if c := seen(r.out.scope.table, r.tokens, r.m); c.named >= leastNamed {
		r.readTable(c)
	}
	return r.dimension()
}

// dimension divides a metric by a dimension that the question names.
func (r *reader) dimension() *Unclear {
	for i := range r.tokens {
		if d := r.tokens[i].definition; d != nil && d.Kind == metrics.Dimension {
			if r.out.Group != nil {
				return &Unclear{Why: TooMuch, Word: d.Words}
			}
			r.out.Group = &Group{field: &field{table: r.out.scope.table, column: &catalog.Column{Name: d.Title()}, join: -1, use: builtin.UseClass, sql: d.Expression}}
		}
	}
	return nil
}

// extreme refuses the most or the fewest of a metric that is divided by nothing.
func (r *reader) extreme() *Unclear {
	for i := range r.tokens {
		if r.out.Group == nil && r.tokens[i].is(most, fewest) {
			return r.out.metric.unclear(Beside, r.tokens[i].text)
		}
	}
	return nil
}

// elsewhere refuses words that name a table other than that of the metric.
func (r *reader) elsewhere(first, end int) *Unclear {
	if r.out.metric == nil {
		return nil
	}
	for at := range r.index.Len() {
		t := r.index.Table(at)
		words, _ := thing(t.Name)
		for i := first; i < end && t.Ref() != r.out.scope.table.Ref(); i++ {
			if r.m.words[i] != nil && named(words, i, r.m) >= likeness {
				return r.out.metric.unclear(Outside, r.tokens[i].text)
			}
		}
	}
	return nil
}

// ofRatio refuses what the two figures of a ratio cannot be asked with alike: groups, and, unless
// both are of one table and go by one time, conditions and a period.
func (r *reader) ofRatio() *Unclear {
	o := r.out
	if !o.metric.isRatio() {
		return nil
	}
	apart := o.metric.tables[0].Ref() != o.metric.tables[1].Ref()
	switch {
	case o.Group != nil && o.Group.span != "":
		return o.metric.unclear(OfRatio, o.Group.span)
	case o.Group != nil:
		return o.metric.unclear(OfRatio, o.Group.field.spoken())
	case apart && len(o.Filters) > 0:
		return o.metric.unclear(OfRatio, o.Filters[0].field.spoken())
	case apart && len(o.Lookups) > 0:
		return o.metric.unclear(OfRatio, o.Lookups[0].Text)
	case !o.Recurring.Zero() && (apart || len(o.metric.times()) > 1):
		return o.metric.unclear(OfRatio, o.Clock.spoken())
	case !o.Period.Zero() && (apart || len(o.metric.times()) > 1):
		return o.metric.unclear(OfRatio, o.Period.text())
	}
	return nil
}

// clock returns the time that the metric goes by: a column if it is one by name, else the SQL of the
// definition; nil if the definition says none.
func (m *metric) clock(s *scope) *field {
	if m == nil || len(m.times()) == 0 {
		return nil
	}
	sql := m.times()[0]
	for i := range s.fields {
		if f := &s.fields[i]; f.join < 0 && strings.EqualFold(f.column.Name, unquoted(sql)) {
			return f
		}
	}
	return &field{table: s.table, column: &catalog.Column{Name: language.OneLine(sql)}, join: -1, use: builtin.UseTime, sql: sql}
}

// times returns the different times that the parts of the metric go by.
func (m *metric) times() []string {
	var out []string
	for _, part := range m.parts {
		if part.Time != "" && !slices.Contains(out, part.Time) {
			out = append(out, part.Time)
		}
	}
	return out
}

// unquoted returns a name without the quotes of any dialect.
func unquoted(name string) string { return strings.Trim(name, "\"`[]") }

// unclear returns why a word does not combine with the metric.
func (m *metric) unclear(why Reason, word string) *Unclear {
	return &Unclear{Why: why, Word: word, Metric: m.Title()}
}

// name returns the name of the metric; empty for none.
func (m *metric) name() string {
	if m == nil {
		return ""
	}
	return m.Name
}

// whole reports whether all parts of the metric are defined.
func (m *metric) whole() bool { return len(m.parts) == 2 || len(m.parts) == 1 && !m.IsRatio() }

// isRatio reports whether the metric is a ratio.
func (m *metric) isRatio() bool { return m != nil && m.IsRatio() }

// filters returns the conditions of the definition.
func (m *metric) filters() []string {
	if m == nil {
		return nil
	}
	return conditionsOf(m.Spec)
}

// conditionsOf returns the filters of a definition, each in parentheses.
func conditionsOf(s metrics.Spec) []string {
	var out []string
	for _, f := range s.Filters {
		out = append(out, "("+f+")")
	}
	return out
}

// ratio returns the statement of a ratio: both figures under the conditions of the question, and the
// rows of the denominator.
func (w *writer) ratio(conditions []string) string {
	var over [2]string
	for i, part := range w.metric.parts {
		over[i] = " FROM " + w.p.Table(w.metric.tables[i])
		if where := append(conditionsOf(part), conditions...); len(where) > 0 {
			over[i] += " WHERE " + strings.Join(where, " AND ")
		}
	}
	top, bottom := "(SELECT ("+w.metric.parts[0].Expression+")"+over[0]+")", "(SELECT ("+w.metric.parts[1].Expression+")"+over[1]+")"
	return "SELECT " + top + " * 1.0 / NULLIF(" + bottom + ", 0) AS figure,\n       (SELECT COUNT(*)" + over[1] + ") AS records"
}
