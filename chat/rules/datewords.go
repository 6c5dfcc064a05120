package rules

import (
	"strings"
	"time"
)

// dayMonth reads "31 March", "31st of March 2027".
func (c calendar) dayMonth(i int) (moment, bool) {
	d := dayOf(c.u.at(i))
	next := i + 1
	if c.u.at(next) == "of" {
		next++
	}
	m := monthNames[c.u.at(next)]
	if d == 0 || m == 0 || next >= c.to {
		return moment{}, false
	}
	return c.dated(d, m, next+1)
}

// monthDay reads "March 31, 2027", "March 2027" and "March".
func (c calendar) monthDay(i int) (moment, bool) {
	m := monthNames[c.u.at(i)]
	if m == 0 || i >= c.to {
		return moment{}, false
	}
	if y, next, ok := c.yearAt(i + 1); ok {
		return moment{period: monthsPeriod(y, m, 1), to: next, exact: true}, true
	}
	if d := dayOf(c.u.at(i + 1)); d > 0 && i+1 < c.to && unitWords[c.u.at(i+2)] == "" {
		if found, ok := c.dated(d, m, i+2); ok {
			return found, true
		}
	}
	listed := c.u.at(i+1) == "or" && monthNames[c.u.at(i+2)] != 0 || (c.u.at(i-1) == "or" || c.u.at(i-1) == "and") && monthNames[c.u.at(i-2)] != 0
	if doubtfulMonths[c.u.at(i)] && !datePrepositions[c.u.at(i-1)] && !listed && !c.u.alone(i) {
		return moment{}, false
	}
	p := c.nextMonth(m)
	if c.u.at(i-1) == "last" || c.u.at(i-1) == "since" {
		p = monthsPeriod(p.first.Year()-1, m, 1)
	}
	return moment{period: p, to: i + 1}, true
}

// alone reports whether word i is all that is said between two signs.
func (u *utterance) alone(i int) bool {
	cut := func(gap string) bool { return breaks(gap, sentenceSigns) || breaks(gap, commaSigns) }
	return (i == 0 || cut(u.gap(i))) && (i+1 == len(u.words) || cut(u.gap(i+1)))
}

var datePrepositions = set("in by until till early mid late of next this since from before around for last during to through between")

// dated reads the year that may follow a day and a month; without one the next
// such day is meant.
func (c calendar) dated(d int, m time.Month, next int) (moment, bool) {
	if y, after, ok := c.yearAt(next); ok {
		p, real := realDay(y, int(m), d)
		return moment{period: p, to: after, exact: true}, real
	}
	p, real := realDay(c.today.Year(), int(m), d)
	if real && p.first.Before(c.today) {
		p, real = realDay(c.today.Year()+1, int(m), d)
	}
	return moment{period: p, to: next}, real
}

// nextMonth is month m, this year or the next.
func (c calendar) nextMonth(m time.Month) period {
	y := c.today.Year()
	if m < c.today.Month() {
		y++
	}
	return monthsPeriod(y, m, 1)
}

// quarter reads "Q2", "Q2 2027", "2027 Q2", "second quarter of 2027".
func (c calendar) quarter(i int) (moment, bool) {
	if y, next, ok := c.yearAt(i); ok && c.u.at(i) != "of" {
		if q := quarterName(c.u.at(next)); q > 0 && next < c.to {
			return moment{period: quarterPeriod(y, q), to: next + 1, exact: true}, true
		}
	}
	q, next := quarterName(c.u.at(i)), i+1
	if n := ordinals[c.u.at(i)]; q == 0 && n > 0 && n <= 4 && c.u.at(i+1) == "quarter" {
		q, next = n, i+2
	}
	if q == 0 || next > c.to {
		return moment{}, false
	}
	if y, after, ok := c.yearAt(next); ok {
		return moment{period: quarterPeriod(y, q), to: after, exact: true}, true
	}
	p := quarterPeriod(c.today.Year(), q)
	if p.last.Before(c.today) {
		p = quarterPeriod(c.today.Year()+1, q)
	}
	if c.u.at(next) == "next" && c.u.at(next+1) == "year" {
		return moment{period: quarterPeriod(c.today.Year()+1, q), to: next + 2}, true
	}
	return moment{period: p, to: next}, true
}

func quarterName(text string) int {
	if len(text) == 2 && text[0] == 'q' && text[1] >= '1' && text[1] <= '4' {
		return int(text[1] - '0')
	}
	return 0
}

// maxApproach bounds the words looked through for the figure of a distance: "in
// maybe about the next".
const maxApproach = 5

// distance reads "in three months", "within 6 weeks", "two years from now",
// "3 months ago".
func (c calendar) distance(i int) (moment, bool) {
	start := i
	lead := c.u.at(i) == "in" || c.u.at(i) == "within" || c.u.at(i) == "after"
	if lead {
		start++
	}
	for start < i+maxApproach && (numberHedges[c.u.at(start)] || c.u.at(start) == "the" || c.u.at(start) == "next") {
		start++
	}
	q, ok := c.u.quantityAt(start, c.to)
	if !ok || spans[q.unit] < 1 || q.hi != q.lo && q.lo < 0 || q.hi > 100000 {
		return moment{}, false
	}
	sign, next := 1.0, q.to
	switch {
	case c.u.at(next) == "ago":
		sign, next = -1, next+1
	case c.u.at(next) == "from" && (c.u.at(next+1) == "now" || c.u.at(next+1) == "today"):
		next += 2
	case c.u.at(next) == "time" && lead:
		next++
	case !lead:
		return moment{}, false
	}
	p := c.shift(sign*q.hi, q.unit)
	p.hedged = p.hedged || q.hedged || q.lo != q.hi || start > i+1
	return moment{period: p, to: next}, true
}

// shift is the day, month or year n units from today: as exact as the unit.
func (c calendar) shift(n float64, unit string) period {
	switch unit {
	case "day", "week", "fortnight":
		return dayPeriod(c.today.AddDate(0, 0, int(n*spans[unit])))
	case "year":
		if n != float64(int(n)) {
			return c.shift(n*12, "month")
		}
		return yearPeriod(c.today.Year() + int(n))
	case "quarter":
		n *= 3
	}
	return monthsPeriod(c.today.Year(), c.today.Month()+time.Month(n), 1)
}

// named reads "tomorrow", "next week", "this year", "next spring", "by year
// end", "Christmas", "Easter".
func (c calendar) named(i int) (moment, bool) {
	switch c.u.at(i) {
	case "today", "tonight":
		return moment{period: dayPeriod(c.today), to: i + 1}, true
	case "tomorrow":
		return moment{period: dayPeriod(c.today.AddDate(0, 0, 1)), to: i + 1}, true
	case "yesterday":
		return moment{period: dayPeriod(c.today.AddDate(0, 0, -1)), to: i + 1, exact: true}, true
	case "christmas", "xmas":
		m, ok := c.dated(25, time.December, i+1)
		m.hedged = true
		return m, ok
	case "easter":
		return c.easter(i), true
	case "year", "month":
		return c.yearEnd(i)
	}
	if m, ok := c.season(i); ok {
		return m, true
	}
	return c.relative(i)
}

// easter reads "Easter", "Easter 2027" and "Easter next year".
func (c calendar) easter(i int) moment {
	m := moment{to: i + 1}
	y, next, ok := c.yearAt(i + 1)
	switch {
	case ok:
		m.to, m.exact = next, true
	case easterOf(c.today.Year()).Before(c.today):
		y = c.today.Year() + 1
	default:
		y = c.today.Year()
	}
	m.period = dayPeriod(easterOf(y))
	m.hedged = true
	return m
}

// easterOf returns Easter Sunday of year y, by the Gregorian computus.
func easterOf(y int) time.Time {
	golden, century, rest := y%19, y/100, y%100
	epact := (19*golden + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
	sunday := (32 + 2*(century%4) + 2*(rest/4) - epact - rest%4) % 7
	late := (golden + 11*epact + 22*sunday) / 451
	n := epact + sunday - 7*late + 114
	return day(y, time.Month(n/31), n%31+1)
}

// yearEnd reads "year end" and "month end".
func (c calendar) yearEnd(i int) (moment, bool) {
	if c.u.at(i+1) != "end" {
		return moment{}, false
	}
	p, ok := c.unit(c.u.at(i), c.today)
	return moment{period: p.part("end"), to: i + 2}, ok
}

var relatives = map[string]int{"next": 1, "this": 0, "last": -1}

// relative reads "next month", "this year", "last week".
func (c calendar) relative(i int) (moment, bool) {
	steps, ok := relatives[c.u.at(i)]
	if !ok || i+1 >= c.to {
		return moment{}, false
	}
	if m, ok := c.monthDay(i + 1); ok { // "next March"
		return m, true
	}
	t := c.today
	switch c.u.at(i + 1) {
	case "week":
		t = t.AddDate(0, 0, 7*steps)
	case "month":
		t = day(t.Year(), t.Month()+time.Month(steps), 1)
	case "quarter":
		t = day(t.Year(), t.Month()+time.Month(3*steps), 1)
	case "year":
		t = day(t.Year()+steps, t.Month(), 1)
	}
	p, ok := c.unit(c.u.at(i+1), t)
	return moment{period: p, to: i + 2, exact: steps < 0}, ok
}

// season reads "next spring", "summer 2027", "this autumn", "in the winter".
func (c calendar) season(i int) (moment, bool) {
	at := i
	lead := c.u.at(i)
	if lead == "next" || lead == "this" || lead == "last" {
		at++
	}
	m := seasons[c.u.at(at)]
	if m == 0 || at >= c.to {
		return moment{}, false
	}
	if y, next, ok := c.yearAt(at + 1); ok {
		p := monthsPeriod(y, m, 3)
		p.hedged = true
		return moment{period: p, to: next, exact: true}, true
	}
	if at == i && !datePrepositions[c.u.at(i-1)] && c.u.at(i-1) != "the" && !c.u.alone(i) {
		return moment{}, false
	}
	p := monthsPeriod(c.today.Year(), m, 3)
	if p.last.Before(c.today) || (lead == "next" && !p.first.After(c.today)) {
		p = monthsPeriod(c.today.Year()+1, m, 3)
	}
	if lead == "last" {
		p = monthsPeriod(p.first.Year()-1, m, 3)
	}
	p.hedged = true
	return moment{period: p, to: at + 1, exact: lead == "last"}, true
}

// weekday reads "Friday", "next Monday", "on Tuesday": the next such day, after "last"
// or "since" the one before.
func (c calendar) weekday(i int) (moment, bool) {
	at := i
	lead := c.u.at(i)
	if lead == "next" || lead == "this" || lead == "on" || lead == "by" {
		at++
	}
	w, ok := weekdays[c.u.at(at)]
	if !ok || at >= c.to || (at == i && len(c.u.at(at)) < 6 && len(c.u.words) > 1) {
		return moment{}, false
	}
	ahead := (int(w-c.today.Weekday())+6)%7 + 1
	if before := c.u.at(i - 1); before == "last" || before == "since" {
		ahead -= 7
	}
	p := dayPeriod(c.today.AddDate(0, 0, ahead))
	p.hedged = lead == "next"
	return moment{period: p, to: at + 1}, true
}

// bareYear reads "2027" on its own or after a preposition.
func (c calendar) bareYear(i int) (moment, bool) {
	if next := c.u.at(i + 1); next != "" && !c.u.parted(i+1) && (publics[stem(next)] || next == "people" || unitWords[next] == "money") { // "2000 members"
		return moment{}, false
	}
	y, next, ok := c.yearAt(i)
	if !ok || !isDigit(c.u.at(i)) || y > 2199 {
		return moment{}, false
	}
	m := moment{period: yearPeriod(y), to: next, exact: true}
	m.hedged = strings.HasSuffix(c.u.at(next-1), "ish")
	return m, true
}
