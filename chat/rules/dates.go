package rules

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// moment is a date in an utterance.
type moment struct {
	period
	from, to int
	other    *period // the other reading of a date such as 3/4/2026; nil when there is one only
	exact    bool    // the year was said, so that a past date is meant as such
}

// calendar reads dates against a day that is today.
type calendar struct {
	u     *utterance
	to    int // words read, excluded
	today time.Time
}

// moments returns the dates among words from to (excluded), in order.
func (u *utterance) moments(from, to int, now time.Time) []moment {
	y, m, d := now.Date()
	c := calendar{u, to, day(y, m, d)}
	var out []moment
	for i := from; i < to; {
		if found, ok := c.at(i); ok && found.valid() {
			out = append(out, found)
			i = max(found.to, i+1)
			continue
		}
		if fields, next := c.fields(i); len(fields) > 1 { // figures joined like a date that are none
			i = next
			continue
		}
		i++
	}
	return out
}

// dateWith returns the date, of dates in order, that q is part of.
func dateWith(dates []moment, q quantity) (moment, bool) {
	i, ok := slices.BinarySearchFunc(dates, q.from, func(m moment, from int) int { return m.from - from })
	if !ok {
		i--
	}
	if i < 0 || q.to > dates[i].to {
		return moment{}, false
	}
	return dates[i], true
}

func (m moment) valid() bool { return m.first.Year() >= 1000 && m.last.Year() <= 9999 }

// at reads a date that starts at word i.
func (c calendar) at(i int) (moment, bool) {
	if which, next := c.partAt(i); which != "" {
		if m, ok := c.whole(next); ok {
			m.period, m.from = m.part(which), i
			return m, true
		}
	}
	for _, read := range []func(int) (moment, bool){c.numeric, c.dayMonth, c.monthDay, c.quarter, c.distance, c.named, c.weekday, c.bareYear} {
		if m, ok := read(i); ok {
			m.from = i
			return m, true
		}
	}
	return moment{}, false
}

// whole reads what a part can be of: a month, quarter, season, year, "the year",
// "this month".
func (c calendar) whole(i int) (moment, bool) {
	if m, ok := c.current(i); ok {
		return m, true
	}
	for _, read := range []func(int) (moment, bool){c.monthDay, c.quarter, c.named, c.bareYear} {
		if m, ok := read(i); ok {
			return m, true
		}
	}
	if m := monthNames[c.u.at(i)]; m != 0 {
		return moment{period: c.nextMonth(m), to: i + 1}, true
	}
	return moment{}, false
}

var parts = map[string]string{"end": "end", "close": "end", "early": "early", "mid": "mid", "middle": "mid", "late": "late", "beginning": "start", "start": "start"}

// partAt reads "end of", "early", "mid-" and the like.
func (c calendar) partAt(i int) (which string, next int) {
	which = parts[c.u.at(i)]
	if which == "" {
		return "", 0
	}
	next = i + 1
	switch {
	case c.u.at(next) == "of":
		next++
	case which == "start" || c.u.at(i) == "close" || (which == "end" && monthNames[c.u.at(next)] == 0 && !isDigit(c.u.at(next))):
		return "", 0
	}
	return which, next
}

// current reads "the year", "year", "this month", "the quarter" after "end of".
func (c calendar) current(i int) (moment, bool) {
	if c.u.at(i) == "the" || c.u.at(i) == "this" {
		i++
	}
	p, ok := c.unit(c.u.at(i), c.today)
	return moment{period: p, to: i + 1}, ok
}

// unit is the week, month, quarter or year that t lies in.
func (c calendar) unit(name string, t time.Time) (period, bool) {
	switch name {
	case "week":
		return weekPeriod(t), true
	case "month":
		return monthsPeriod(t.Year(), t.Month(), 1), true
	case "quarter":
		return quarterPeriod(t.Year(), (int(t.Month())+2)/3), true
	case "year":
		return yearPeriod(t.Year()), true
	}
	return period{}, false
}

// numeric reads 2026-03-31, 2026-03, 31/03/2026, 3/31/26 and 31.03.2026.
func (c calendar) numeric(i int) (moment, bool) {
	fields, next := c.fields(i)
	switch {
	case len(fields) == 3 && len(fields[0]) == 4:
		return c.ymd(number(fields[0]), number(fields[1]), number(fields[2]), next)
	case len(fields) == 2 && len(fields[0]) == 4 && len(fields[1]) == 2 && number(fields[1]) >= 1 && number(fields[1]) <= 12:
		return moment{period: monthsPeriod(number(fields[0]), time.Month(number(fields[1])), 1), to: next, exact: true}, true
	case len(fields) == 2 && len(fields[1]) == 4 && number(fields[0]) >= 1 && number(fields[0]) <= 12:
		return moment{period: monthsPeriod(number(fields[1]), time.Month(number(fields[0])), 1), to: next, exact: true}, true
	case len(fields) == 3 && (len(fields[2]) == 4 || len(fields[2]) == 2) && len(fields[0]) <= 2 && len(fields[1]) <= 2:
		return c.dmy(number(fields[0]), number(fields[1]), fullYear(number(fields[2])), next)
	}
	return moment{}, false
}

// fields cuts the numbers joined by - / or . that start at word i.
func (c calendar) fields(i int) (out []string, next int) {
	text := c.u.at(i)
	if !isDigit(text) {
		return nil, i
	}
	if strings.Count(text, ".") == 2 {
		return allDigits(strings.Split(text, ".")), i + 1
	}
	sign := ""
	for next = i; next < c.to && isDigit(c.u.at(next)) && len(out) < 3; next++ {
		gap := c.u.gap(next)
		if next > i && (gap != "-" && gap != "/" && gap != "." || (sign != "" && gap != sign)) {
			break
		}
		if next > i {
			sign = gap
		}
		out = append(out, c.u.at(next))
	}
	return allDigits(out), next
}

// allDigits returns list, or nil when some of it is no number of one to four
// digits.
func allDigits(list []string) []string {
	for _, s := range list {
		if s == "" || len(s) > 4 || strings.Trim(s, "0123456789") != "" {
			return nil
		}
	}
	return list
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

func fullYear(y int) int {
	if y < 100 {
		return 2000 + y
	}
	return y
}

func (c calendar) ymd(y, m, d, next int) (moment, bool) {
	p, ok := realDay(y, m, d)
	return moment{period: p, to: next, exact: true}, ok
}

// dmy reads a day and a month in either order; when both orders make a date the
// other one is kept beside the first.
func (c calendar) dmy(a, b, y, next int) (moment, bool) {
	european, okE := realDay(y, b, a)
	american, okA := realDay(y, a, b)
	switch {
	case okE && okA && a != b:
		return moment{period: european, other: &american, to: next, exact: true}, true
	case okE:
		return moment{period: european, to: next, exact: true}, true
	}
	return moment{period: american, to: next, exact: true}, okA
}

func realDay(y, m, d int) (period, bool) {
	t := day(y, time.Month(m), d)
	return dayPeriod(t), m >= 1 && m <= 12 && d >= 1 && t.Day() == d && y >= 1000
}

// dayOf reads "31", "31st", "the 31st".
func dayOf(text string) int {
	for _, end := range []string{"st", "nd", "rd", "th"} {
		text = strings.TrimSuffix(text, end)
	}
	if len(text) > 2 || !isDigit(text) {
		return 0
	}
	return number(text)
}

// yearAt reads a year at word i, after an optional "of".
func (c calendar) yearAt(i int) (year, next int, ok bool) {
	if c.u.at(i) == "of" && i+1 < c.to {
		i++
	}
	text := c.u.at(i)
	if steps, ok := relatives[text]; ok && c.u.at(i+1) == "year" && i+1 < c.to { // "June last year"
		return c.today.Year() + steps, i + 2, true
	}
	if i < c.to && calendarYear(text) {
		return number(strings.TrimSuffix(text, "ish")), i + 1, true
	}
	return 0, i, false
}
