package messages

import (
	"math"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language"
)

// Value is what stands in place of a placeholder. The types of this file are all there
// are; each is worded in the language of the message.
type Value interface{ in(l *Language) string }

// Text is put in as it is.
type Text string

// Count is a whole number that is counted: in letters when it is small. As {n} it chooses
// the plural form.
type Count int

// Figure is a number in digits, with its thousands in groups and at most two decimals;
// from 10¹⁵ on in powers of ten. As {n} it chooses the plural form.
type Figure float64

// Date is a day, month or year as obligations store it: "2027-03-31" is "31 March 2027".
// Other texts are put in as they are.
type Date string

// Quote is somebody's words, between the quotation marks of the language.
type Quote string

// Units is a unit as several of it are named: "people".
type Units string

// And is a list whose items all hold: "a, b and c".
type And []string

// Or is a list of alternatives: "a, b or c".
type Or []string

// Message is a message as a part of another, or one that is worded when the language is
// known. The zero value is none.
type Message struct {
	Key  string
	Args Args
}

func (t Text) in(*Language) string { return string(t) }

func (c Count) in(l *Language) string {
	if c >= 0 && int(c) < len(l.counts) {
		return l.counts[c]
	}
	return l.Number(float64(c))
}

func (c Count) count() float64 { return float64(c) }

func (f Figure) in(l *Language) string {
	if math.Abs(float64(f)) >= 1e15 {
		return strconv.FormatFloat(float64(f), 'g', 4, 64)
	}
	return l.Number(math.Round(float64(f)*100) / 100)
}

func (f Figure) count() float64 { return float64(f) }

func (d Date) in(l *Language) string  { return l.Date(string(d)) }
func (q Quote) in(l *Language) string { return l.Quoted(string(q)) }
func (u Units) in(l *Language) string { return l.Unit(several, string(u)) }
func (a And) in(l *Language) string   { return l.And(a) }
func (o Or) in(l *Language) string    { return l.Or(o) }

func (m Message) in(l *Language) string { return m.In(l) }

// In words m in a language. Without a key it is empty.
func (m Message) In(l *Language) string {
	if m.Key == "" {
		return ""
	}
	return l.Text(m.Key, m.Args)
}

// Number returns n in digits, its thousands in groups: "1,234.5". It is exact up to 2⁵³.
func (l *Language) Number(n float64) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(n), 'f', -1, 64), ".")
	var b strings.Builder
	if n < 0 {
		b.WriteByte('-')
	}
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(l.group)
		}
		b.WriteRune(d)
	}
	if fraction != "" {
		b.WriteString(l.decimal + fraction)
	}
	return b.String()
}

// Date returns a stored date in words: "31 March 2027", "March 2027", "2027". Other texts
// stay as they are.
func (l *Language) Date(s string) string {
	if t, err := time.Parse("2006-01-02", s); err == nil {
		return l.Text("date.day", Args{"day": Text(strconv.Itoa(t.Day())), "month": Text(l.months[t.Month()-1]), "year": Text(t.Format("2006"))})
	}
	if t, err := time.Parse("2006-01", s); err == nil {
		return l.Text("date.month", Args{"month": Text(l.months[t.Month()-1]), "year": Text(t.Format("2006"))})
	}
	return s
}

// Weekday returns the name of a day of the week, 1 to 7 from Monday.
func (l *Language) Weekday(n int) string { return l.weekdays[n-1] }

// Month returns the name of a month, 1 to 12.
func (l *Language) Month(n int) string { return l.months[n-1] }

// Hour returns an hour of the day, 0 to 23, as people say it: "3 pm" or "15 Uhr".
func (l *Language) Hour(n int) string {
	if len(l.hours) == 1 {
		return strconv.Itoa(n) + " " + l.hours[0]
	}
	return strconv.Itoa((n+11)%12+1) + " " + l.hours[n/12]
}

// Quoted returns s between quotation marks.
func (l *Language) Quoted(s string) string { return l.Text("quoted", Args{"text": Text(s)}) }

// And lists items that all hold. Without items it is empty.
func (l *Language) And(items []string) string { return l.join("list.and", items) }

// Or lists alternatives. Without items it is empty.
func (l *Language) Or(items []string) string { return l.join("list.or", items) }

// AndMore lists the first most items, and counts the rest. Where only one is left it is
// listed, too.
func (l *Language) AndMore(items []string, most int) string {
	if len(items) <= most+1 {
		return l.And(items)
	}
	return l.And(append(items[:most:most], l.Text("list.more", Args{"n": Count(len(items) - most)})))
}

// join lists items with commas, and the pattern of key before the last.
func (l *Language) join(key string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	last := len(items) - 1
	first := items[0]
	for _, item := range items[1:max(last, 1)] {
		first = l.Text("list.comma", Args{"first": Text(first), "last": Text(item)})
	}
	if last == 0 {
		return first
	}
	return l.Text(key, Args{"first": Text(first), "last": Text(items[last])})
}

// several is any number of which units have their plural.
const several = 5

// unitPrefix begins the keys of units, in which languages may differ.
const unitPrefix = "unit."

// Unit returns the words of a unit beside n of it: "person" and "people". A unit that the
// language has no message for stays as the objective writes it, less the letter of the
// plural when there is one.
func (l *Language) Unit(n float64, unit string) string {
	if key := unitPrefix + strings.ToLower(unit); l.messages[key] != nil {
		return l.Text(key, Args{"n": Figure(n)})
	}
	if n == 1 && l.pluralEnding != "" {
		return strings.TrimSuffix(unit, l.pluralEnding)
	}
	return unit
}

// Name returns the name of a field as it stands within a sentence or a list.
func (l *Language) Name(label string) string {
	switch rest, article := strings.CutPrefix(label, "A "); {
	case !l.SmallNames:
		return label
	case article:
		return "a " + rest
	}
	return language.LowerFirst(label)
}
