package builtin

import (
	"strings"
	"time"

	"quaestor/research/warehouse/guard"
)

// Pieces writes the parts of statements in one dialect, for packages that write SQL of their
// own. Arguments named x are expressions of the dialect, already quoted.
type Pieces struct{ d *dialect }

// PiecesOf returns the pieces of a dialect. One that is not known is written as PostgreSQL's.
func PiecesOf(name guard.Dialect) Pieces { return Pieces{dialectOf(name)} }

// Quote returns a name as it stands in a statement.
func (p Pieces) Quote(name string) string { return p.d.quote(name) }

// Float is x as a number with a fraction.
func (p Pieces) Float(x string) string {
	if p.d.float == "%s" {
		return "1.0 * " + x
	}
	return with(p.d.float, x)
}

// Text returns s as a constant. It is false for a text that dialects write differently.
func (p Pieces) Text(s string) (string, bool) { return text(s) }

// Day is a day as a constant.
func (p Pieces) Day(t time.Time) string { return with(p.d.day, t.Format(time.DateOnly)) }

// Since is the condition that the time x lies on a day or after it, Before that it lies before.
func (p Pieces) Since(x string, t time.Time) string {
	return with(p.d.comparable, x) + " >= " + p.Day(t)
}

// Before is the condition that the time x lies before a day.
func (p Pieces) Before(x string, t time.Time) string {
	return with(p.d.comparable, x) + " < " + p.Day(t)
}

// Truncate is the start of the day, week, month or year in which the time x lies.
func (p Pieces) Truncate(unit, x string) string {
	return p.d.truncate(grains[unit], x)
}

var grains = map[string]grain{"day": daily, "week": weekly, "month": monthly, "year": yearly}

// Weekday is 1 to 7 from Monday, Hour 0 to 23, of the time x.
func (p Pieces) Weekday(x string) string { return p.d.extract(weekdayOf, x) }

// Hour is the hour of the day of the time x, 0 to 23.
func (p Pieces) Hour(x string) string { return p.d.extract(hourOf, x) }

// Days is how many days lie between two times, with a fraction.
func (p Pieces) Days(from, to string) string { return withBoth(p.d.days, from, to) }

// Quantile is the value below which a share of x lies; false where the dialect has none.
func (p Pieces) Quantile(x, share string) (string, bool) {
	return withBoth(p.d.quantile, x, share), p.d.quantile != ""
}

// Limit ends a statement that is ordered.
func (p Pieces) Limit(n int) string { return p.d.limit(n) }

// Some is a query for n rows of a table, no matter which.
func (p Pieces) Some(list []string, table string, n int) string {
	return p.d.some(strings.Join(list, ", "), table, n)
}

// True is the condition that a truth value x is true.
func (p Pieces) True(x string) string {
	if p.d.truth {
		return x
	}
	return x + " = 1"
}

// Role is what a column may be used for, by its name and type.
type Role = role

// The roles.
const (
	Unused     = unused
	Identifier = identifier
	Moment     = moment
	Coded      = coded
	Calendar   = calendar
	Amount     = amount
	Level      = level
	Ratio      = ratio
	Coordinate = coordinate
	Code       = code
	Flag       = flag
	Label      = label
	Dimension  = dimension
	Prose      = prose
	Personal   = personal
)

// RoleOf returns what a column may be used for. key says that it is the primary key, reference
// that it refers to another table, and table is the name of its own.
func RoleOf(name, typ string, key, reference bool, table string) Role {
	return roleOf(name, typ, key, reference, table)
}

// Whole reports whether a type is that of whole numbers, Truth whether it is that of truth
// values, TextType that of texts, and Dated that of days or times.
func Whole(typ string) bool { return classOf(typ) == isNumber }

// Truth reports whether a type is that of truth values.
func Truth(typ string) bool { return classOf(typ) == isBool }

// TextType reports whether a type is that of texts.
func TextType(typ string) bool { return classOf(typ) == isText }

// Dated reports whether a type is that of days or times.
func Dated(typ string) bool { return classOf(typ) == isDate || classOf(typ) == isTime }

// Timed reports whether a type has a time of day.
func Timed(typ string) bool { return classOf(typ) == isTime }

// Spoken returns a name as people say it: order total of order_total.
func Spoken(name string) string { return spoken(name) }

// ClockRank says how likely it is that a time of a name is that at which a record came about;
// higher is likelier.
func ClockRank(name string) int {
	return clockRank(&column{words: wordsOf(name), clock: &clock{form: asStamp}})
}

// Outcome reports whether a name is that of a state or an outcome.
func Outcome(name string) bool { return hasWord(wordsOf(name), statusWords) }

// Person reports whether a name is that of somebody who may come back, such as a customer.
func Person(name string) bool { return hasWord(singulars(wordsOf(name)), people) }
