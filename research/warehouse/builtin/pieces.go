package builtin

import (
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Pieces writes the parts of statements in one dialect, for packages that write
// queries of their own. It is immutable.
type Pieces struct {
	d    *dialect
	name guard.Dialect
}

// PiecesOf returns the pieces of a dialect.
func PiecesOf(name guard.Dialect) Pieces { return Pieces{dialectOf(name), name} }

// Name returns a name as it stands in a statement.
func (p Pieces) Name(name string) string { return p.d.quote(name) }

// Table returns the qualified name of t as it stands in a statement.
func (p Pieces) Table(t *catalog.Table) string {
	if t.Schema == "" {
		return p.d.quote(t.Name)
	}
	return p.d.quote(t.Schema) + "." + p.d.quote(t.Name)
}

// Text returns a text as a constant. It is false for one that dialects write each in
// their own way.
func (p Pieces) Text(s string) (string, bool) { return text(s) }

// Average is the mean of x, with so many digits behind the point.
func (p Pieces) Average(x string, digits int) string { return p.d.avg(x, digits) }

// Percent is how many of 100 of whole part is.
func (p Pieces) Percent(part, whole string) string { return p.d.percent(part, whole) }

// CountIf is how many rows meet a condition.
func (p Pieces) CountIf(condition string) string { return count(condition) }

// True is the condition that a truth value is true.
func (p Pieces) True(x string) string {
	if p.d.truth {
		return x
	}
	return x + " = 1"
}

// Limit ends a statement that is ordered.
func (p Pieces) Limit(n int) string { return p.d.limit(n) }

// Clock reads a column as times.
type Clock struct {
	d *dialect
	c clock
}

// Clock returns how the times in column x, already quoted, are read. A date or a
// time is read as it is; text as ISO dates; a whole number by its range from low to
// high. It is false if these code no time.
func (p Pieces) Clock(x, typ string, low, high float64) (Clock, bool) {
	k := Clock{p.d, clock{x: x}}
	switch classOf(typ) {
	case isDate:
		k.c.form = asDay
	case isTime:
		k.c.form, k.c.hours = asStamp, true
	case isText:
		k.c.form = isoText
	case isNumber:
		k.c.form = formOf(low, high)
	}
	return k, k.c.form != none
}

// Time returns the time that a number in the column codes.
func (k Clock) Time(v float64) time.Time { return timeOf(k.c.form, v) }

// Coarse returns whether the column knows years only, or months only; both are false
// if it knows days.
func (k Clock) Coarse() (years, months bool) { return k.c.form == yearOnly, k.c.form == yyyymm }

// Since is the condition that a row lies on a day or after it, and Before that it
// lies before it.
func (k Clock) Since(day time.Time) string { return k.c.since(k.d, day) }

// Before is the opposite of Since.
func (k Clock) Before(day time.Time) string { return k.c.before(k.d, day) }

// Period is the start of the span in which a row lies: "day", "week", "month" or
// "year". Of a coded time it is a number, such as 200102 for February 2001.
func (k Clock) Period(span string) string { return k.c.period(k.d, grain(span)) }

// Part is a part of the calendar that comes again.
type Part string

// The parts: of the week, 1 to 7 from Monday; of the day, 0 to 23; and of the year, 1 to 12.
const (
	Weekday     = Part(weekdayOf)
	Hour        = Part(hourOf)
	MonthOfYear = Part(monthOf)
)

// Part is the number of the part of the calendar in which a row lies; false if the column does not know it.
func (k Clock) Part(p Part) (string, bool) { return k.c.part(k.d, part(p)) }

// Digits writes a whole number without groups.
func Digits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Use is what a column may be used for.
type Use string

// The uses.
const (
	UseNothing    Use = "nothing"
	UseIdentifier Use = "identifier" // counted, never summed or averaged
	UseTime       Use = "time"
	UseCoded      Use = "coded" // a time in a number or a text, if its range says so
	UseAmount     Use = "amount"
	UseLevel      Use = "level" // averaged rather than summed
	UseRatio      Use = "ratio" // averaged, never summed
	UseFlag       Use = "flag"
	UseClass      Use = "class" // puts rows into classes
	UseText       Use = "text"  // read by people, or about a person
)

// uses maps the roles of columns to what they may be used for.
var uses = map[role]Use{identifier: UseIdentifier, moment: UseTime, coded: UseCoded, calendar: UseCoded, amount: UseAmount, level: UseLevel, ratio: UseRatio,
	coordinate: UseLevel, code: UseClass, flag: UseFlag, label: UseClass, dimension: UseClass, prose: UseText, personal: UseText}

// UseOf returns what a column may be used for by its name and type alone. reference
// says that it refers to another table, and table is the name of its own.
func UseOf(c *catalog.Column, reference bool, table string) Use {
	if use, ok := uses[roleOf(c.Name, c.Type, c.Key, reference, table)]; ok {
		return use
	}
	return UseNothing
}

// IsTruth reports whether a type is that of truth values, and not of numbers or texts
// that stand for them.
func IsTruth(typ string) bool { return classOf(typ) == isBool }

// IsText reports whether a type holds text.
func IsText(typ string) bool { return classOf(typ) == isText }

// IsNumber reports whether a type holds numbers, with or without a fraction.
func IsNumber(typ string) bool { c := classOf(typ); return c == isNumber || c == isReal }

// Words returns the words of a name in lower case: order, placed, at of orderPlacedAt,
// ORDER_PLACED_AT and "Order: Placed At".
func Words(name string) []string { return wordsOf(name) }

// Spoken returns a name as people say it: order total of order_total.
func Spoken(name string) string { return strings.TrimSpace(spoken(name)) }

// OwnTime reports whether a column with these words is the time at which a row came
// about, and LaterTime whether it is one of what became of it.
func OwnTime(words []string) bool { return hasWord(words, ownTimes) }

// LaterTime is the opposite of OwnTime; most columns are neither.
func LaterTime(words []string) bool { return hasWord(words, lateTimes) }

// Quote returns a name as it stands in a statement.
func (p Pieces) Quote(name string) string { return p.d.quote(name) }

// Float is x as a number with a fraction.
func (p Pieces) Float(x string) string {
	if p.d.float == "%s" {
		return "1.0 * " + x
	}
	return with(p.d.float, x)
}

// Day is a day as a constant.
func (p Pieces) Day(t time.Time) string { return with(p.d.day, t.Format(time.DateOnly)) }

// Group is how GROUP BY names an expression that stands in the list under a name: by that name in dialects that do not
// know a CASE again. The name must be that of no column.
func (p Pieces) Group(name, x string) string {
	if p.d.aliases {
		return name
	}
	return x
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

// Some is a query for n rows of a table, no matter which.
func (p Pieces) Some(list []string, table string, n int) string {
	return p.d.some(strings.Join(list, ", "), table, n)
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

// ClockRank says how likely it is that a time of a name is that at which a record came about;
// higher is likelier.
func ClockRank(name string) int {
	return clockRank(&column{words: wordsOf(name), clock: &clock{form: asStamp}})
}

// Outcome reports whether a name is that of a state or an outcome. That of a kind, such as event_name, is none.
func Outcome(name string) bool {
	w := wordsOf(name)
	return hasWord(w, statusWords) && !kindEnds[w[len(w)-1]]
}

// Person reports whether a name is that of somebody who may come back, such as a customer.
func Person(name string) bool { return hasWord(singulars(wordsOf(name)), people) }

// Things returns what the values of a key are called, several of them: customers of customer_id.
func Things(name string) string {
	if w := wordsOf(name); len(w) > 0 {
		return thingsOf(w)
	}
	return name
}

// Since is the condition that the time x lies on a day or after it.
func (p Pieces) Since(x string, t time.Time) string {
	return with(p.d.comparable, x) + " >= " + p.Day(t)
}

// Before is the condition that the time x lies before a day.
func (p Pieces) Before(x string, t time.Time) string {
	return with(p.d.comparable, x) + " < " + p.Day(t)
}
