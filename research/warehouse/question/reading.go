package question

import (
	"time"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
)

// Reading is a question as it was read. What is still to be looked up in the warehouse are
// Lookups, and the range of the clock if there is a period.
type Reading struct {
	Measure  Measure
	Column   *field // nil when rows are counted
	Distinct bool   // its different values are counted
	Filters  []Filter
	Clock    *field // nil without a period
	Period   Period
	Group    *Group // nil for one figure
	Lookups  []Lookup

	Recurring Recurring // when within the week and the day

	metric *metric // whose definition is the measure; nil for none
	scope  *scope
	fit    float64 // how well the table fits the question
}

// Table returns the table that the question is about.
func (r *Reading) Table() *catalog.Table { return r.scope.table }

// refs returns the names of the tables that the statement reads for its figure.
func (r *Reading) refs() string {
	if r.metric.isRatio() && r.metric.tables[1].Ref() != r.scope.table.Ref() {
		return r.scope.table.Ref() + ", " + r.metric.tables[1].Ref()
	}
	return r.scope.table.Ref()
}

// Filter is a condition on a column.
type Filter struct {
	field  *field
	op     sign    // with, without: it is so; above, below …: compared with Number; empty: one of Values
	number float64 // for comparisons
	values []string
	not    bool
}

// Lookup is a word of the question that names nothing: the columns that may have it as a value are
// asked for it.
type Lookup struct {
	Text   string
	not    bool
	whole  bool     // if it is no value, it says whose data they are, or where: all of them are meant
	fields []*field // in which it may stand
	hint   sign     // from and to say in which of several
}

// Period is a span of time. A zero time leaves a side open.
type Period struct {
	From, To time.Time // To excluded
	Yearless bool      // named without a year: the latest one that the data reach is meant
}

// Zero reports whether there is no period.
func (p Period) Zero() bool { return p.From.IsZero() && p.To.IsZero() }

// in returns p moved to the latest year in which it begins before the data end.
func (p Period) in(end time.Time) Period {
	for !p.From.IsZero() && p.From.After(end) {
		p.From = p.From.AddDate(-1, 0, 0)
		if !p.To.IsZero() {
			p.To = p.To.AddDate(-1, 0, 0)
		}
	}
	return p
}

// text returns the period as a date or two with a slash between, either of which may be empty:
// "2001-03", "2023/", "2024-01-01/2024-04-01". The second is excluded.
func (p Period) text() string {
	switch {
	case p.From.IsZero():
		return "/" + coarse(p.To)
	case p.To.IsZero():
		return coarse(p.From) + "/"
	case p.To.Equal(p.From.AddDate(1, 0, 0)) && p.From.YearDay() == 1:
		return p.From.Format("2006")
	case p.To.Equal(p.From.AddDate(0, 1, 0)) && p.From.Day() == 1:
		return p.From.Format("2006-01")
	case p.To.Equal(p.From.AddDate(0, 0, 1)):
		return day(p.From)
	}
	return day(p.From) + "/" + day(p.To)
}

// coarse returns the year or month that begins at t, or the day.
func coarse(t time.Time) string {
	switch {
	case t.YearDay() == 1:
		return t.Format("2006")
	case t.Day() == 1:
		return t.Format("2006-01")
	}
	return day(t)
}

// Group divides a figure by the values of a column, or by spans of time.
type Group struct {
	field  *field
	span   string // day, week, month or year, or a part of the calendar that comes again; empty for values
	Fewest bool   // the smallest come first
	N      int    // how many groups
}

// numeric reports whether figures of the field can be computed.
func (f *field) numeric() bool {
	return builtin.IsNumber(f.column.Type) && (f.use == builtin.UseAmount || f.use == builtin.UseLevel || f.use == builtin.UseRatio)
}

// Unclear says why a question could not be read. It is no failure: it is told to the person.
type Unclear struct {
	Why     Reason
	Word    string   // what was not understood; may be empty
	Closest []string // tables, columns or values that come closest
	Metric  string   // title of the metric that Word does not combine with
}

// Reason is why a question was not read.
type Reason string

// The reasons.
const (
	NoTable       Reason = "table"        // which table
	ManyTables    Reason = "tables"       // several fit equally well
	NoMeasure     Reason = "measure"      // what to compute
	NoColumn      Reason = "column"       // which column to compute it of
	ManyColumns   Reason = "columns"      // several fit equally well
	NoSuchValue   Reason = "value"        // a word that names nothing, and is no value either
	ManyValues    Reason = "values"       // a value that stands in several columns
	NoKey         Reason = "key"          // two tables are needed, and no key says which of their rows go together
	NoTime        Reason = "time"         // a period, but no column with times
	NoHours       Reason = "hours"        // an hour of the day, but only days are known
	Vague         Reason = "vague"        // a period that does not say its days: the end of October
	TooMuch       Reason = "too much"     // more than one figure, or a comparison
	NotAdditive   Reason = "not additive" // shares and rates cannot be summed
	Outside       Reason = "outside"      // it is of another table than the metric
	Beside        Reason = "beside"       // another figure than the metric, or computed of it
	OfRatio       Reason = "ratio"        // what the two figures of a ratio cannot both be asked with
	NotConclusive Reason = "refused"      // the statement was refused or failed
)

// Error returns the reason in English; [Unclear.In] words it for people.
func (u *Unclear) Error() string {
	return "the question could not be read: " + string(u.Why) + " " + u.Word
}
