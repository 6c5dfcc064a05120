package insight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quaestor/research/warehouse/builtin"
)

// source is a table with what is joined to it: where statements read from.
type source struct {
	f    *Finder
	fact *table
	legs []leg

	clock    *field
	from, to time.Time // of the whole periods: to is the first day behind
	grain    string
	measures []*measure
	dims     []*dim
	most     map[*column]float64 // values above these are outliers and stay out of sums and averages
	volume   []float64           // records by period
	left     []string            // what was left out by plan
	missed   []string            // what could not be read
	thin     string              // the condition that puts a record into the sample that is searched; empty for all
	oneOf    int                 // how many records there are for one of the sample
}

// leg is one joined table.
type leg struct {
	alias  string
	t      *table
	on     string
	parent int // leg that it hangs on; -1 for the fact
}

// field is a column as statements name it.
type field struct {
	*column
	t   *table
	x   string // alias and column
	leg int    // -1 for the fact's own
}

// dim is a column whose values put records into segments.
type dim struct {
	*field
	outcome bool   // its values say how something ended; they are measured and make no segments of counts
	derived string // says what it is, for a part of the calendar
	sqlText string // the expression; that of the column if it is not derived
	group   string // what cubes group by: sqlText, or only its most frequent values
}

// measureKind is how a measure is made of sums.
type measureKind string

// The kinds of measures.
const (
	counted measureKind = "count"   // of records
	summed  measureKind = "sum"     // of an amount
	average measureKind = "average" // of a number
	share   measureKind = "share"   // of records of a kind
	missing measureKind = "missing" // share of records without a value
	dated   measureKind = "dated"   // share of records with a date
)

// isShare reports whether a measure of the kind lies between 0 and 1.
func (k measureKind) isShare() bool { return k == share || k == missing || k == dated }

// measure is something that is computed of records. Its value is num / den, or num for a count
// and a sum.
type measure struct {
	kind     measureKind
	key, say string
	col      *field
	of       *dim   // whose value a share is of; nil for a flag
	num, den string // aggregates
	square   string // the sum of squares, for an average and a sum
	value    string // what is summed or averaged
	does     does   // what the records do that a share counts; empty for one that only its name tells
	is, base string // what a share is of, and among which records; empty for all
	until    time.Time
	defined  *Definition // by which it is measured; nil for none
}

// maxLegs bounds how many tables are joined to one.
const maxLegs = 8

// source returns where the effects of a table are looked for. A table without a time, or with
// very few rows, gives nil.
func (f *Finder) source(ctx context.Context, i int) (*source, error) {
	t, err := f.table(ctx, i)
	if err != nil {
		return nil, err
	}
	s := &source{f: f, fact: t, left: slices.Clone(t.left), missed: slices.Clone(t.missed)}
	if t.rows < leastRows {
		return nil, nil
	}
	if err := s.join(ctx, t, -1, 1); err != nil {
		return nil, err
	}
	s.clock = s.mainClock()
	if s.clock != nil {
		s.periods()
	}
	s.addDims(ctx)
	return s, nil
}

// join adds the tables that t refers to, and those that these refer to. One that cannot be read,
// or whose key repeats, is left out.
func (s *source) join(ctx context.Context, t *table, parent, depth int) error {
	alias := "t0"
	if parent >= 0 {
		alias = s.legs[parent].alias
	}
	first := len(s.legs)
	for _, e := range t.joins {
		if len(s.legs) >= maxLegs || e.to == s.fact.i || slices.ContainsFunc(s.legs, func(l leg) bool { return l.t.i == e.to }) {
			continue
		}
		to, err := s.f.table(ctx, e.to)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || to.rows == 0 || !s.f.joinable(ctx, to, e.key, e.declared) {
			continue
		}
		name := fmt.Sprintf("t%d", len(s.legs)+1)
		s.legs = append(s.legs, leg{name, to, name + "." + to.column(e.key).quoted + " = " + alias + "." + e.from.quoted, parent})
	}
	if depth == 0 {
		return nil
	}
	for i := first; i < len(s.legs) && i < maxLegs; i++ {
		if s.legs[i].parent != parent {
			break
		}
		if err := s.join(ctx, s.legs[i].t, i, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// field names a column of the fact, or of a leg.
func (s *source) field(leg int, c *column) *field {
	if leg < 0 {
		return &field{c, s.fact, c.at("t0."), -1}
	}
	return &field{c, s.legs[leg].t, c.at(s.legs[leg].alias + "."), leg}
}

// from writes the tables that fields need.
func (s *source) tables(fields ...*field) string {
	need := make([]bool, len(s.legs))
	for _, x := range append(fields, s.clock) {
		for at := legOf(x); at >= 0; at = s.legs[at].parent {
			need[at] = true
		}
	}
	var b strings.Builder
	b.WriteString(s.fact.quoted + " AS t0")
	for i, l := range s.legs {
		if need[i] {
			b.WriteString("\nLEFT JOIN " + l.t.quoted + " AS " + l.alias + " ON " + l.on)
		}
	}
	return b.String()
}

func legOf(f *field) int {
	if f == nil {
		return -1
	}
	return f.leg
}

// mainClock returns the time at which a record of the fact came about: its own, else that of a
// table that it refers to.
func (s *source) mainClock() *field {
	best := func(leg int, t *table) *field {
		var out *column
		for _, c := range t.cols {
			if c.role != builtin.Moment || c.spoilt || !c.to.After(c.from) || c.filled < 0.9*float64(t.rows) {
				continue
			}
			if out == nil || builtin.ClockRank(c.name) > builtin.ClockRank(out.name) || builtin.ClockRank(c.name) == builtin.ClockRank(out.name) && c.filled > out.filled {
				out = c
			}
		}
		if out == nil {
			return nil
		}
		return s.field(leg, out)
	}
	if own := best(-1, s.fact); own != nil {
		return own
	}
	for i, l := range s.legs {
		if l.parent < 0 && l.t.rows > s.fact.rows/100 { // an order of its lines, not a category with the day of its launch
			if c := best(i, l.t); c != nil {
				return c
			}
		}
	}
	return nil
}

// The grains, by how many whole weeks there are. In few weeks, days tell when a change began; over more, a season is
// fitted too, and days would only make the search longer.
const (
	fewWeeks  = 29
	manyWeeks = 165
)

// periods sets the grain, and the days between which all periods are whole.
func (s *source) periods() {
	c := s.clock
	first, last := dayOf(c.from), dayOf(c.to).AddDate(0, 0, 1)
	if c.timed && c.to.Sub(dayOf(c.to)) < 18*time.Hour && c.to != dayOf(c.to) {
		last = dayOf(c.to) // the last day is not over
	}
	switch days := last.Sub(first).Hours() / 24; {
	case days < fewWeeks*7:
		s.grain = "day"
	case days < manyWeeks*7:
		s.grain = "week"
	default:
		s.grain = "month"
	}
	s.from, s.to = wholeFrom(s.grain, first), startOf(s.grain, last)
}

// dayOf is the day of a time.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// startOf is the first day of the period in which a day lies.
func startOf(grain string, t time.Time) time.Time {
	switch t = dayOf(t); grain {
	case "week":
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case "month":
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	default:
		return t
	}
}

// nextOf is the first day of the period behind that in which a day lies.
func nextOf(grain string, t time.Time) time.Time {
	switch t = startOf(grain, t); grain {
	case "week":
		return t.AddDate(0, 0, 7)
	case "month":
		return t.AddDate(0, 1, 0)
	default:
		return t.AddDate(0, 0, 1)
	}
}

// within is the condition that a record lies in a period.
func (s *source) within(p Period) string {
	return s.f.sql.Since(s.clock.x, p.From) + " AND " + s.f.sql.Before(s.clock.x, p.To)
}

// addDims finds the columns that make segments.
func (s *source) addDims(ctx context.Context) {
	add := func(leg int, t *table) {
		most := maxValues
		if leg >= 0 {
			most = 60
		} else if s.clock == nil {
			most = 100
		}
		for _, c := range t.cols {
			if c.spoilt || c.key || c.values < 2 || c.values > most || float64(c.values) > float64(t.rows)/2 && leg < 0 || c.filled < 0.02*float64(t.rows) {
				continue
			}
			switch c.role {
			case builtin.Dimension, builtin.Code, builtin.Flag:
			case builtin.Label:
				if c.values > 40 {
					continue
				}
			default:
				continue
			}
			d := &dim{field: s.field(leg, c)}
			d.sqlText, d.group = d.x, d.x
			d.outcome = c.role == builtin.Flag || c.values <= 8 && builtin.Outcome(c.name) || c.values == 2 && (c.role == builtin.Code || leg < 0 && s.yesOrNo(ctx, s.field(leg, c)))
			s.dims = append(s.dims, d)
		}
	}
	add(-1, s.fact)
	for i, l := range s.legs {
		add(i, l.t)
	}
	slices.SortStableFunc(s.dims, func(a, b *dim) int { return cmp.Compare(a.cost(), b.cost()) })
	if len(s.dims) > maxDims {
		s.left = append(s.left, fmt.Sprintf("Of %d columns that put the records of %s into groups, the %d with the fewest values were looked at.", len(s.dims), s.fact.ref, maxDims))
		s.dims = s.dims[:maxDims]
	}
}

// yesOrNo reports whether a column of two values says yes or no, in one of a few languages.
func (s *source) yesOrNo(ctx context.Context, c *field) bool {
	if !builtin.TextType(c.typ) {
		return false
	}
	r, err := s.f.query(ctx, "the two values of "+c.say+" of "+s.fact.noun, "SELECT MIN("+c.x+") AS a0, MAX("+c.x+") AS a1\nFROM "+s.fact.quoted+" AS t0")
	if err != nil || r.Rows != 1 {
		return false
	}
	pair := [2]string{strings.ToLower(strings.TrimSpace(r.text(0, 0))), strings.ToLower(strings.TrimSpace(r.text(0, 1)))}
	return slices.Contains(answers, pair)
}

// answers are what is written for no and yes, in the order of the letters.
var answers = [][2]string{{"n", "y"}, {"no", "yes"}, {"false", "true"}, {"f", "t"}, {"j", "n"}, {"ja", "nein"}, {"0", "1"}, {"non", "oui"}, {"no", "si"}, {"no", "sí"}, {"n", "s"}, {"n", "o"}, {"ja", "nej"}, {"ja", "nee"}, {"não", "sim"}, {"nao", "sim"}}

// calendar are the parts of the week and the day, by which measures are compared but not followed.
func (s *source) calendar() []*dim {
	if s.clock == nil || s.to.Sub(s.from) < 28*24*time.Hour {
		return nil
	}
	out := []*dim{{field: s.clock, derived: weekday, sqlText: s.f.sql.Weekday(s.clock.x)}}
	if s.clock.timed && s.clock.hours {
		out = append(out, &dim{field: s.clock, derived: hourOfDay, sqlText: s.f.sql.Hour(s.clock.x)})
	}
	for _, d := range out {
		d.group = d.sqlText
	}
	return out
}

// maxDims bounds how many dimensions of one fact are looked at.
const maxDims = 24

// cost orders dimensions: those of few values first, own ones before joined ones.
func (d *dim) cost() int {
	cost := d.values
	if d.leg >= 0 {
		cost += 2
	}
	if d.values > 30 {
		cost += 30
	}
	return cost
}

// name is what people call a dimension.
func (d *dim) name() string {
	if d.derived != "" {
		return d.derived
	}
	if d.leg >= 0 && !strings.Contains(d.say, singular(d.t.say)) {
		return singular(d.t.say) + " " + d.say
	}
	return d.say
}

// singular is a name without the s at its end.
func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return strings.TrimSuffix(s, "ies") + "y"
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"):
		return s
	}
	return strings.TrimSuffix(s, "s")
}
