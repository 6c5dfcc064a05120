package question

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/inquiry"
	"quaestor/research/warehouse/repair"
)

// Answer is the answer to a question: a sentence, and what it rests on.
type Answer struct {
	Sentence string // with its figure, its period, the rows it is of, and the table
	Figure   float64
	Exact    string // the figure as the cell has it
	Period   string // an ISO date, or two with a slash between; empty for all of the data
	Table    string // qualified name
	SQL      string // as it was written
	Sent     string // as the guard printed it, and as it was sent
	Cell     Cell   // where the figure stands in the result
	Result   *digest.CompactResult
	Fixes    []warehouse.Fix
	Metric   string // name of the metric by whose definition the figure was computed; empty for none
	Verified string // id of the verified question by whose query the figure was computed; empty for none
	By       string // "rules", "model NAME" or "verified question"
	At       time.Time
}

// Options say how a question is answered.
type Options struct {
	Model *llm.Client // writes the statement; nil leaves it to the rules
	Name  string      // of the warehouse, for the sentence
}

// byRules is the author of what no model wrote.
const byRules = "rules"

// Ask answers one question about one warehouse. Every statement passes the guard. An [*Unclear]
// says that the question was not understood well enough, and is no failure; other errors are those
// of the warehouse or of ctx. A question that somebody has verified is answered by its query. With a
// model, what the model cannot answer is left to the rules.
func Ask(ctx context.Context, g warehouse.Gateway, q Text, o Options) (*Answer, error) {
	q.Now = cmp.Or(q.Now, time.Now().UTC())
	if e := verified(q); e != nil {
		a, err := askVerified(ctx, g, q, o, e)
		if err == nil || ctx.Err() != nil {
			return a, err
		}
	}
	if o.Model != nil {
		a, err := askModel(ctx, g, q, o)
		if err == nil || ctx.Err() != nil {
			return a, err
		}
	}
	read, unclear := Read(q, g.Catalog())
	if unclear != nil {
		return nil, unclear.closest(ctx, g, q)
	}
	w := newWriter(read, g.Dialect())
	if err := w.look(ctx, g); err != nil {
		return nil, err
	}
	span, err := w.reaches(ctx, g)
	if err != nil {
		return nil, err
	}
	sql, ok := w.statement()
	if !ok {
		return nil, &Unclear{Why: NoSuchValue, Word: q.Words}
	}
	if err := w.meets(ctx, g); err != nil {
		return nil, err
	}
	answer, fixes, err := repair.Run(ctx, repair.Fixer{}, g, warehouse.Query{SQL: sql}, repair.Options{})
	if err != nil {
		return nil, err
	}
	out := &Answer{SQL: sql, Sent: answer.Sent.SQL, Fixes: fixes, By: byRules, At: q.Now, Period: w.Period.textOrNone(), Table: read.refs(), Metric: read.metric.name()}
	return out, w.tell(out, q, o, span, compact(answer.Result))
}

// textOrNone is text, and empty for no period.
func (p Period) textOrNone() string {
	if p.Zero() {
		return ""
	}
	return p.text()
}

// closest adds the tables that a search finds to a question whose table is not known.
func (u *Unclear) closest(ctx context.Context, g warehouse.Gateway, q Text) *Unclear {
	if u.Why != NoTable || len(u.Closest) > 0 {
		return u
	}
	hits, err := g.Search(ctx, q.Words, maxClosest)
	if err != nil {
		return u
	}
	for _, h := range hits {
		u.Closest = append(u.Closest, h.Ref)
	}
	return u
}

// compact returns the digest of a result.
func compact(r *warehouse.Result) *digest.CompactResult {
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	return digest.Compact(r.Columns, digest.Mask{Key: key})
}

// look asks the warehouse for the values that the question names, and makes conditions of them.
func (w *writer) look(ctx context.Context, g warehouse.Gateway) error {
	for _, l := range w.Lookups {
		var found []*field
		for join := -1; join < len(w.scope.joins); join++ {
			sql, fields := w.lookups(l, join)
			if sql == "" {
				continue
			}
			answer, err := g.Ask(ctx, warehouse.Query{SQL: sql})
			if err != nil {
				return err
			}
			d := compact(answer.Result)
			if len(d.AllRows) != 1 {
				continue
			}
			for i, cell := range d.AllRows[0] {
				if n, ok := numberOf(cell); ok && n > 0 && i < len(fields) {
					found = append(found, fields[i])
				}
			}
		}
		if len(found) == 0 && l.whole {
			continue
		}
		f, unclear := l.choose(found)
		if unclear != nil {
			unclear.Closest = append(unclear.Closest, classesOf(w.scope)...)
			unclear.Closest = unclear.Closest[:min(len(unclear.Closest), maxClosest)]
			return unclear
		}
		if w.metric != nil && f.join >= 0 {
			return w.metric.unclear(Outside, l.Text)
		}
		w.add(f, l)
	}
	if w.Measure == Share && len(w.Filters) == 0 && w.Recurring.Zero() {
		return &Unclear{Why: NoColumn, Word: w.lookedUp(), Closest: classesOf(w.scope)}
	}
	return nil
}

// lookedUp returns the first word that was looked up; empty for none.
func (w *writer) lookedUp() string {
	if len(w.Lookups) == 0 {
		return ""
	}
	return w.Lookups[0].Text
}

// leastMet is the part of the rows that has to meet a row of another table for two columns to be believed to go
// together.
const leastMet = 0.5

// meets asks whether the tables that a statement joins by what their columns are called go together: each row may meet
// one row at most, and most rows meet one.
func (w *writer) meets(ctx context.Context, g warehouse.Gateway) error {
	for i, j := range w.scope.joins {
		if !w.used[i] || j.sure {
			continue
		}
		key := "j." + w.p.Name(j.to)
		keys, err := w.pair(ctx, g, "SELECT COUNT("+key+") AS records, COUNT(DISTINCT "+key+") AS different\nFROM "+w.p.Table(j.table)+" AS j")
		if err != nil {
			return err
		}
		if keys[0] != keys[1] {
			return &Unclear{Why: NoKey, Word: j.table.Ref() + "." + j.to, Closest: []string{w.scope.table.Ref()}}
		}
		from := "t." + w.p.Name(j.column)
		rows, err := w.pair(ctx, g, "SELECT COUNT("+from+") AS records, COUNT("+key+") AS met\nFROM "+w.p.Table(w.scope.table)+" AS t\nLEFT"+w.join("j", j))
		if err != nil {
			return err
		}
		if rows[1] < leastMet*rows[0] {
			return &Unclear{Why: NoKey, Word: j.table.Ref() + "." + j.to, Closest: []string{w.scope.table.Ref()}}
		}
	}
	return nil
}

// pair asks for two numbers.
func (w *writer) pair(ctx context.Context, g warehouse.Gateway, sql string) (out [2]float64, err error) {
	answer, err := g.Ask(ctx, warehouse.Query{SQL: sql})
	if err != nil {
		return out, err
	}
	d := compact(answer.Result)
	if len(d.AllRows) != 1 || len(d.AllRows[0]) < 2 {
		return out, errEmpty
	}
	out[0], _ = numberOf(d.AllRows[0][0])
	out[1], _ = numberOf(d.AllRows[0][1])
	return out, nil
}

// choose returns the column that a value is meant to stand in: the only one, the one that the
// preposition says, or the only one of the table itself.
func (l Lookup) choose(found []*field) (*field, *Unclear) {
	if len(found) == 0 {
		return nil, &Unclear{Why: NoSuchValue, Word: l.Text}
	}
	if len(found) > 1 && l.hint != "" {
		if said := slices.DeleteFunc(slices.Clone(found), func(f *field) bool {
			return !slices.ContainsFunc(f.words, func(w string) bool { return slices.Contains(sides[l.hint], w) })
		}); len(said) == 1 {
			return said[0], nil
		}
	}
	if own := slices.DeleteFunc(slices.Clone(found), func(f *field) bool { return f.join >= 0 }); len(found) > 1 && len(own) == 1 {
		return own[0], nil
	}
	if len(found) > 1 {
		u := &Unclear{Why: ManyValues, Word: l.Text}
		for _, f := range found {
			u.Closest = append(u.Closest, f.table.Ref()+"."+f.column.Name)
		}
		return nil, u
	}
	return found[0], nil
}

// add adds a value as a condition; values of one column are alternatives.
func (w *writer) add(f *field, l Lookup) {
	for i := range w.Filters {
		if o := &w.Filters[i]; o.field == f && o.op == "" && o.not == l.not {
			o.values = append(o.values, spellings(l.Text)...)
			return
		}
	}
	w.Filters = append(w.Filters, Filter{field: f, values: spellings(l.Text), not: l.not})
}

// span is from when to when the data run.
type span struct{ from, to time.Time }

// reaches asks from when to when the data run if the question names a period or divides by time. A
// period without a year is then the latest one that the data reach.
func (w *writer) reaches(ctx context.Context, g warehouse.Gateway) (span, error) {
	if w.Clock == nil || w.Period.Zero() && w.Recurring.Zero() && (w.Group == nil || w.Group.span == "") {
		return span{}, nil
	}
	answer, err := g.Ask(ctx, warehouse.Query{SQL: w.ranges()})
	if err != nil {
		return span{}, err
	}
	d := compact(answer.Result)
	if len(d.AllRows) != 1 || len(d.AllRows[0]) < 2 {
		return span{}, &Unclear{Why: NoTime, Word: w.Clock.column.Name}
	}
	low, lowNumber := numberOf(d.AllRows[0][0])
	high, highNumber := numberOf(d.AllRows[0][1])
	if w.Clock.sql != "" { // a column has its type from the catalog
		w.Clock.column.Type = typeOf(d.AllRows[0][0])
	}
	if !w.withClock(low, high) {
		return span{}, &Unclear{Why: NoTime, Word: w.Clock.column.Name}
	}
	if g := w.Group; g != nil && cyclic(g.span) {
		if _, ok := w.clock.Part(parts[g.span]); !ok {
			return span{}, w.timeless(g.span)
		}
	}
	if _, ok := w.recurs(); !ok {
		return span{}, w.timeless(w.recurringPart())
	}
	var s span
	if lowNumber && highNumber {
		s = span{w.clock.Time(low), w.clock.Time(high)}
	} else {
		s = span{timeOf(d.AllRows[0][0]), timeOf(d.AllRows[0][1])}
	}
	if w.Period.Yearless && !s.to.IsZero() {
		w.Period = w.Period.in(s.to)
	}
	years, months := w.clock.Coarse()
	if p := w.Period; !p.Zero() && (years && !whole(p, "2006") || months && !whole(p, "2006-01")) {
		return span{}, &Unclear{Why: NoTime, Word: w.Clock.column.Name, Closest: []string{w.scope.table.Ref()}}
	}
	return s, nil
}

// whole reports whether both ends of a period are those of years or months.
func whole(p Period, layout string) bool {
	at := func(t time.Time) bool {
		cut, _ := time.Parse(layout, t.Format(layout))
		return t.IsZero() || cut.Equal(t)
	}
	return at(p.From) && at(p.To)
}

// numberOf returns the number in a cell; false for null and for what is none.
func numberOf(cell json.RawMessage) (float64, bool) {
	n, err := strconv.ParseFloat(strings.Trim(string(cell), `"`), 64)
	return n, err == nil
}

// typeOf returns the type of a time that has none in a catalog.
func typeOf(cell json.RawMessage) string {
	if _, number := numberOf(cell); number {
		return "bigint"
	}
	if len(strings.Trim(string(cell), `"`)) == len(time.DateOnly) {
		return "date"
	}
	return "timestamp"
}

// timeOf returns the day of a cell; zero if it has none.
func timeOf(cell json.RawMessage) time.Time { return inquiry.Day(cell) }

// labelOf returns a cell as a label.
func labelOf(cell json.RawMessage) string { return inquiry.Label(cell) }

// spokenTable returns what the rows of a table are called.
func (r *Reading) spokenTable(l *messages.Language) string {
	words, _ := thing(r.scope.table.Name)
	said := builtin.Spoken(strings.Join(words, " "))
	if l.Tag() == "en" {
		return builtin.Plural(said)
	}
	return said
}

// errEmpty is the fault of a result that is not as the statement says.
var errEmpty = errors.New("the result has no figure")
