package builtin

import (
	"strconv"

	"quaestor/research/warehouse/catalog"
)

// column is a column, and what was learned of it.
type column struct {
	name, quoted string
	say          string   // as people say it
	words        []string // of the name
	alias        string   // for what is asked of it
	class        class
	role         role
	named        role // by name and type alone
	key          bool // it is of the primary key
	at           int

	asked, known  bool // its profile was asked for, and came
	spoilt        bool // what is asked of it fails
	filled        int64
	seen          int64 // rows over which it was counted: of a large table not all
	distinct      int64 // 0 when nobody counted
	low, high     float64
	mean          float64
	ranged        bool // low and high are known
	shortest      int64
	longest       int64
	clock         *clock
	p25, p75, p99 float64
	spread        bool // the percentiles are known
	zeros         int64
	topShare      float64 // of the records, in percent, of the most frequent value; 0 if nobody asked
	mover         *moved  // the class that changed most, if one did
}

// newColumn returns what the catalog says of a column.
func newColumn(d *dialect, c *catalog.Column, at int, reference bool, table string) *column {
	r := roleOf(c.Name, c.Type, c.Key, reference, table)
	return &column{
		name: c.Name, quoted: d.quote(c.Name), say: spoken(c.Name), words: wordsOf(c.Name), alias: slug(c.Name, "column_"+strconv.Itoa(at+1)),
		class: classOf(c.Type), role: r, named: r, key: c.Key, at: at, distinct: c.Distinct,
	}
}

// empty is the share of the rows that were seen without a value.
func (c *column) empty() float64 {
	if c.seen <= 0 || !c.known {
		return 0
	}
	return 1 - float64(c.filled)/float64(c.seen)
}

// repeats is how often a value occurs, on average.
func (c *column) repeats() float64 {
	if c.distinct <= 0 {
		return 0
	}
	return float64(c.filled) / float64(c.distinct)
}

// mostlyZero says whether an average of c is made by a few rows.
func (c *column) mostlyZero() bool { return c.zeros*10 > c.seen*8 }

// classes says whether the column puts rows into at most so many classes.
func (c *column) classes(most int64) bool {
	if c.spoilt || !c.known || c.distinct < 2 || c.distinct > most || c.repeats() < 2 {
		return false
	}
	switch c.role {
	case dimension, code, flag, label, calendar:
		return true
	case level, amount: // a rating, a number of stops
		return c.class == isNumber && c.distinct <= 12
	default:
		return false
	}
}

// figure says whether there are figures to average. What has few values only is
// taken for classes.
func (c *column) figure() bool {
	return !c.spoilt && c.role.metric() && c.known && c.ranged && c.distinct > 12 && c.high > c.low
}

// digits is how many digits behind the point a figure of c is worth.
func (c *column) digits() int {
	if c.ranged && c.high < 2 && c.low > -2 {
		return 4
	}
	return 2
}

// correct changes the role of a column whose profile says that it is another than
// its name.
func (c *column) correct() {
	switch {
	case c.role == coded:
		c.decode()
	case c.role == calendar && c.ranged && isYear(c.low) && isYear(c.high):
		c.clock = &clock{x: c.quoted, form: yearOnly, from: timeOf(yearOnly, c.low), to: timeOf(yearOnly, c.high)}
	case c.role == calendar && c.ranged && isMonth(c.low) && isMonth(c.high):
		c.clock = &clock{x: c.quoted, form: yyyymm, from: timeOf(yyyymm, c.low), to: timeOf(yyyymm, c.high)}
	case (c.role == dimension || c.role == label) && c.longest > 120:
		c.role = prose
	case c.role == level && c.class == isNumber && c.distinct == c.seen && c.seen > 100:
		c.role = identifier // whole numbers, each once
	}
}

// decode finds the form of a coded time. One without a form is left alone, but for
// a number called time, which is a duration.
func (c *column) decode() {
	if c.clock != nil {
		return
	}
	if c.class == isNumber && c.ranged {
		if f := formOf(c.low, c.high); f != none {
			c.clock = &clock{x: c.quoted, form: f, from: timeOf(f, c.low), to: timeOf(f, c.high), hours: f == seconds || f == millis || f == micros}
			return
		}
		if w := c.words; len(w) > 1 && w[len(w)-1] == "time" && c.low >= 0 && c.high < 1e7 {
			c.role = level
			return
		}
	}
	c.role = unused
}
