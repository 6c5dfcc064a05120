package builtin

import (
	"strings"
	"time"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Pieces writes the parts of statements in one dialect, for packages that write
// queries of their own. It is immutable.
type Pieces struct{ d *dialect }

// PiecesOf returns the pieces of a dialect.
func PiecesOf(name guard.Dialect) Pieces { return Pieces{dialectOf(name)} }

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

// IsText and IsNumber report what a type holds.
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
