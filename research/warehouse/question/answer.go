package question

import (
	"encoding/json"
	"strings"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/inquiry"
)

// tell writes the sentence of an answer from the cells of its result.
func (w *writer) tell(a *Answer, q Text, o Options, s span, d *digest.CompactResult) error {
	l := messages.In(q.Language)
	a.Result = d
	at := 0
	if w.Group != nil {
		at = 1
	}
	if len(d.AllRows) == 0 || len(d.AllRows[0]) < at+2 {
		if w.Group == nil {
			return errEmpty
		}
		a.Sentence = l.Text("data.none", w.args(l, o))
		return nil
	}
	row := d.AllRows[0]
	a.Cell = Cell{Row: 1, Column: d.Columns[at].Name}
	figure, ok := numberOf(row[at])
	if !ok { // no row has a value
		a.Sentence = strings.TrimSpace(l.Text("data.none", w.args(l, o)) + " " + w.reach(l, s))
		return nil
	}
	a.Figure, a.Exact = figure, strings.Trim(string(row[at]), `"`)
	args := w.args(l, o)
	args["figure"] = messages.Text(w.number(l, figure))
	args["basis"] = messages.Text(w.basis(l, row[at+1:]))
	key := "data.answer"
	if w.Group != nil {
		key = "data.answer-by"
		args["label"], args["rest"] = messages.Quote(w.label(l, row[0])), messages.Text(w.others(l, d))
		args["order"] = messages.Message{Key: map[bool]string{true: "data.least", false: "data.most"}[w.Group.Fewest]}
		args["by"] = messages.Text(w.by(l))
	}
	a.Sentence = strings.TrimSpace(l.Text(key, args) + " " + w.reach(l, s))
	return nil
}

// number writes a figure: shares with a percent sign, others with two digits behind the point.
func (w *writer) number(l *messages.Language, n float64) string {
	text := l.Number(Rounded(n))
	if w.Measure == Share {
		return text + " %"
	}
	return text
}

// Rounded returns a figure as it is told; see [inquiry.Rounded].
func Rounded(n float64) float64 { return inquiry.Rounded(n) }

// args are what every sentence says: the warehouse, what was computed, of what, and when.
func (w *writer) args(l *messages.Language, o Options) messages.Args {
	args := messages.Args{"table": messages.Text(w.spokenTable(l))}
	if w.Column != nil {
		args["column"] = messages.Text(builtin.Spoken(w.Column.column.Name))
	}
	if w.metric != nil {
		args := messages.Args{"warehouse": messages.Quote(o.Name), "measure": messages.Text(l.Text("data.metric", messages.Args{"name": messages.Quote(w.metric.Title())}))}
		args["where"], args["when"], args["defined"] = messages.Text(w.where(l)), messages.Text(w.when(l)), messages.Text(l.Text("data.defined", messages.Args{"definition": messages.Text(w.metric.words(l))}))
		return args
	}
	key := map[Measure]string{Count: "data.count", Sum: "data.sum", Average: "data.average", Highest: "data.highest", Lowest: "data.lowest", Share: "data.share"}[w.Measure]
	if w.Measure == Count && w.Distinct && w.Column != nil {
		key = "data.distinct"
	}
	measure := messages.Args{"table": args["table"]}
	if c, ok := args["column"]; ok && w.Measure != Share && (w.Measure != Count || key == "data.distinct") {
		measure["column"] = c
	}
	return messages.Args{"warehouse": messages.Quote(o.Name), "measure": messages.Text(l.Text(key, measure)), "where": messages.Text(w.where(l)), "when": messages.Text(w.when(l)), "defined": messages.Text("")}
}

// where words the conditions: " where delay is above 0 and city is “Braga”".
func (w *writer) where(l *messages.Language) string {
	if len(w.Filters) == 0 {
		return ""
	}
	var list []string
	for _, f := range w.Filters {
		list = append(list, w.worded(l, f))
	}
	return " " + l.Text("data.where", messages.Args{"conditions": messages.And(list)})
}

// worded words a condition.
func (w *writer) worded(l *messages.Language, f Filter) string {
	name := builtin.Spoken(f.field.column.Name)
	if f.field.join >= 0 {
		name = builtin.Spoken(f.field.table.Name) + " " + name
	}
	column := messages.Text(name)
	number := messages.Text(l.Number(f.number))
	say := func(key string, args messages.Args) string {
		args["column"] = column
		return l.Text(key, args)
	}
	switch f.op {
	case above:
		return say("data.above", messages.Args{"value": number})
	case atLeast:
		return say("data.at-least", messages.Args{"value": number})
	case below:
		return say("data.below", messages.Args{"value": number})
	case atMost:
		return say("data.at-most", messages.Args{"value": number})
	case with:
		switch {
		case f.field.use == builtin.UseFlag && f.not:
			return say("data.untrue", messages.Args{})
		case f.field.use == builtin.UseFlag:
			return say("data.true", messages.Args{})
		case builtin.IsNumber(f.field.column.Type) && f.not:
			return say("data.not-above", messages.Args{"value": messages.Text("0")})
		case builtin.IsNumber(f.field.column.Type):
			return say("data.above", messages.Args{"value": messages.Text("0")})
		case f.not:
			return say("data.empty", messages.Args{})
		}
		return say("data.filled", messages.Args{})
	}
	var values []string
	for _, lookup := range w.Lookups {
		for _, v := range spellings(lookup.Text)[:1] {
			for _, have := range f.values {
				if have == v {
					values = append(values, l.Quoted(lookup.Text))
				}
			}
		}
	}
	if f.not {
		return say("data.is-not", messages.Args{"value": messages.Text(l.Or(values))})
	}
	return say("data.is", messages.Args{"value": messages.Text(l.Or(values))})
}

// when words the period: " in March 2001 (by date)".
func (w *writer) when(l *messages.Language) string {
	return w.during(l) + w.often(l)
}

// during words the span of time.
func (w *writer) during(l *messages.Language) string {
	p := w.Period
	if p.Zero() {
		return ""
	}
	column := messages.Text(w.Clock.spoken())
	first, last, two := strings.Cut(p.text(), "/")
	switch {
	case !two && len(first) == len(time.DateOnly):
		return " " + l.Text("data.on", messages.Args{"period": messages.Date(first), "column": column})
	case !two:
		return " " + l.Text("data.in", messages.Args{"period": messages.Date(first), "column": column})
	case first == "":
		return " " + l.Text("data.before", messages.Args{"period": messages.Date(last), "column": column})
	case last == "":
		return " " + l.Text("data.since", messages.Args{"period": messages.Date(first), "column": column})
	}
	return " " + l.Text("data.between", messages.Args{"first": messages.Date(first), "last": messages.Date(day(p.To.AddDate(0, 0, -1))), "column": column})
}

// basis words what a figure was computed from: the rows, and the table.
func (w *writer) basis(l *messages.Language, rest []json.RawMessage) string {
	args := messages.Args{"table": messages.Text(w.scope.table.Ref())}
	if w.metric.isRatio() {
		args["table"] = messages.Text(w.metric.tables[1].Ref())
	}
	records, _ := numberOf(rest[0])
	switch {
	case w.Measure == Share && len(rest) > 1:
		matching, _ := numberOf(rest[1])
		args["rows"], args["matching"] = messages.Text(l.Number(records)), messages.Text(l.Number(matching))
		return l.Text("data.of-rows", args)
	case w.Measure == Count && !(w.Distinct && w.Column != nil):
		return l.Text("data.counted", args)
	}
	args["rows"] = messages.Text(l.Number(records))
	return l.Text("data.rows", args)
}

// reach says from when to when the data run, if the question names a period.
func (w *writer) reach(l *messages.Language, s span) string {
	if w.Period.Zero() || s.from.IsZero() || s.to.IsZero() {
		return ""
	}
	return l.Text("data.reach", messages.Args{"first": messages.Date(day(s.from)), "last": messages.Date(day(s.to))})
}

// by words what the figure is divided by.
func (w *writer) by(l *messages.Language) string {
	if w.Group.span != "" {
		span := l.Text(map[string]string{"day": "data.by-day", "week": "data.by-week", "month": "data.by-month", "year": "data.by-year",
			byWeekday: "data.by-weekday", byHour: "data.by-hour", byMonth: "data.by-calendar-month"}[w.Group.span], nil)
		if w.Period.Zero() && w.Recurring.Zero() { // otherwise it was said which time that goes by
			span += " " + l.Text("data.by-time", messages.Args{"column": messages.Text(w.Clock.spoken())})
		}
		return span
	}
	return w.Group.field.spoken()
}

// others words the groups after the first: “ORD” (12,345), “DFW” (11,000).
func (w *writer) others(l *messages.Language, d *digest.CompactResult) string {
	var list []string
	for _, row := range d.AllRows[1:min(len(d.AllRows), mostGroups)] {
		if n, ok := numberOf(row[1]); ok {
			list = append(list, l.Text("data.other", messages.Args{"label": messages.Quote(w.label(l, row[0])), "figure": messages.Text(w.number(l, n))}))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return l.Text("data.followed", messages.Args{"others": messages.And(list)})
}

// In words why a question was not read.
func (u *Unclear) In(l *messages.Language) string {
	key := map[Reason]string{NoTable: "data.unclear-table", ManyTables: "data.unclear-tables", NoMeasure: "data.unclear-measure", NoColumn: "data.unclear-column", ManyColumns: "data.unclear-columns",
		NoSuchValue: "data.unclear-value", ManyValues: "data.unclear-values", NoTime: "data.unclear-time", NoHours: "data.unclear-hours", Vague: "data.unclear-vague", NoKey: "data.unclear-key", TooMuch: "data.unclear-much", NotAdditive: "data.unclear-additive", NotConclusive: "data.unclear-refused",
		Outside: "data.unclear-outside", Beside: "data.unclear-beside", OfRatio: "data.unclear-ratio"}[u.Why]
	args := messages.Args{"word": messages.Quote(u.Word)}
	if u.Metric != "" {
		args["metric"] = messages.Quote(u.Metric)
	}
	if u.Why == NoKey {
		args["table"] = messages.Text(strings.Join(u.Closest, ", "))
		return l.Text(key, args)
	}
	said := l.Text(key, args)
	if len(u.Closest) == 0 {
		return said
	}
	return said + " " + l.Text("data.closest", messages.Args{"names": messages.Or(u.Closest)})
}
