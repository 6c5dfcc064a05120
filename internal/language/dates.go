package language

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// DateValue is a day, a month or a year as somebody says it.
type DateValue struct {
	ISO         string // "2027-06-12", "2027-06" or "2027"
	Through     string // of a quarter or half of a year, its last month, while ISO is its first; else ""
	End         string // of a week, a weekend, a season or a decade, its last day, while ISO is how it begins; else ""
	Approximate bool   // "around", "early", a season
	Other       string // the other day that it may be: "05/06", "the 3rd", "next Friday"; else ""
	From, To    int    // words, To excluded
}

// In returns the day, month or year that a date is where a direction is looked in: of several
// months the last one for what is to come, by which it will be so, and the first for what was.
func (v *DateValue) In(d Direction) string {
	if d == Ahead && v.Through != "" {
		return v.Through
	}
	return v.ISO
}

// Covers reports whether an ISO date lies in v, or is it.
func (v *DateValue) Covers(iso string) bool {
	return v.ISO == iso || v.Through != "" && len(iso) >= len(v.ISO) && iso[:len(v.ISO)] >= v.ISO && iso[:len(v.Through)] <= v.Through
}

// Direction says where a date lies that names no year, or a weekday alone.
type Direction int8

// The directions.
const (
	Ahead  Direction = iota // the next one
	Behind                  // the last one
)

// Dates returns the dates in words, in order. now is the day they are said on.
func (r *Reader) Dates(words []Word, now time.Time, d Direction) []DateValue {
	p := &dating{phrase: r.phrase(words), now: now, direction: d}
	return scan(len(words), p.date, func(v DateValue) int { return v.To })
}

type dating struct {
	*phrase

	now       time.Time
	direction Direction
}

// date reads a date from word i.
func (p *dating) date(i int) (DateValue, bool) {
	for _, read := range []func(int) (DateValue, bool){p.iso, p.numeric, p.partOfYear, p.calendarWeek, p.relativeDay, p.named, p.inAWhile, p.ofPeriod, p.periodEdge, p.weekday, p.holiday, p.season, p.ordinalDay, p.spelledYear, p.decade, p.year} {
		if v, ok := read(i); ok {
			v.From = i
			return v, true
		}
	}
	return DateValue{}, false
}

func dayOf(t time.Time) string   { return t.Format("2006-01-02") }
func monthOf(t time.Time) string { return t.Format("2006-01") }

// integer returns the number that word i is in digits, of at most n of them.
func (p *dating) integer(i, n int) (int, bool) {
	w := p.at(i)
	if w == "" || len(w) > n || strings.Trim(w, "0123456789") != "" {
		return 0, false
	}
	v, err := strconv.Atoi(w)
	return v, err == nil
}

// spelledYear reads a year in words, as two numbers: "nineteen twenty-eight", "twenty
// fifteen", "nineteen oh five".
func (p *dating) spelledYear(i int) (DateValue, bool) {
	century, n := p.value("digit", i)
	if n == 0 {
		century, n = p.value("tens", i)
	}
	c, _ := strconv.Atoi(century)
	if n == 0 || c < 16 || c > 20 || unicode.IsDigit([]rune(p.words[i].Text)[0]) {
		return DateValue{}, false
	}
	if v, n2 := p.value("digit", i+n+1); p.has("oh", i+n) > 0 && n2 > 0 && len(v) == 1 {
		return DateValue{ISO: strconv.Itoa(c) + "0" + v, To: i + n + 1 + n2}, true
	}
	if v, ok := p.decade(i); ok {
		return v, true
	}
	rest, to, ok := p.number(i + n)
	if !ok || rest < 10 || rest > 99 || rest != float64(int(rest)) || unicode.IsDigit([]rune(p.words[i+n].Text)[0]) || p.has("period", to)+p.has("unit", to)+p.has("currency", to) > 0 {
		return DateValue{}, false
	}
	return DateValue{ISO: strconv.Itoa(100*c + int(rest)), To: to}, true
}

// decade reads ten years by their first: "the eighties", "the 80s", "eighteen-eighties", "1880er".
// Without a century they are the last ones that are over or have begun.
func (p *dating) decade(i int) (DateValue, bool) {
	century, to := 0, i
	for _, kind := range []string{"digit", "tens"} {
		if v, n := p.value(kind, i); n > 0 && (len(v) == 2 && v >= "16" && v <= "20") {
			century, _ = strconv.Atoi(v)
			if to = i + n; p.at(to) == "-" {
				to++
			}
			break
		}
	}
	tens, n := p.value("decade", to)
	first, err := strconv.Atoi(tens)
	switch {
	case n > 0 && err == nil:
		to += n
	case century == 0:
		digits := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p.at(i), "n"), "er"), "s")
		if digits == p.at(i) && p.glued(i+1) && p.has("decade-suffix", i+1) > 0 {
			to++
		} else if digits == p.at(i) {
			return DateValue{}, false
		}
		if first, err = strconv.Atoi(digits); err != nil || first%10 != 0 || len(digits) != 2 && len(digits) != 4 {
			return DateValue{}, false
		}
		to++
	default:
		return DateValue{}, false
	}
	switch {
	case first >= 1000:
	case century > 0:
		first += 100 * century
	default:
		if first += p.now.Year() / 100 * 100; first > p.now.Year() {
			first -= 100
		}
	}
	if first < 1600 || first > p.now.Year() || century == 0 && first%100 > 0 && i > 0 && p.has("definite", i-1) == 0 { // "in his 40s"
		return DateValue{}, false
	}
	return DateValue{ISO: strconv.Itoa(first), End: fmt.Sprintf("%04d-12-31", first+9), Approximate: true, To: to}, true
}

// iso reads "2027-06-12".
func (p *dating) iso(i int) (DateValue, bool) {
	if len(p.at(i)) != 4 || p.at(i+1) != "-" || !p.glued(i+1) || !p.glued(i+2) {
		return DateValue{}, false
	}
	y, ok := p.integer(i, 4)
	m, ok2 := p.integer(i+2, 2)
	if !ok || !ok2 || m < 1 || m > 12 {
		return DateValue{}, false
	}
	if d, ok := p.integer(i+4, 2); ok && p.at(i+3) == "-" && exists(y, m, d) {
		return DateValue{ISO: fmt.Sprintf("%04d-%02d-%02d", y, m, d), To: i + 5}, true
	}
	return DateValue{ISO: fmt.Sprintf("%04d-%02d", y, m), To: i + 3}, true
}

func exists(y, m, d int) bool {
	return m >= 1 && m <= 12 && d >= 1 && time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Day() == d
}

// isClock reports whether "7.10" at word i is a time of day: another one with minutes that are no month
// stands right before or behind it, with at most a word between, as in "7.10 bis 7.45"; or "Uhr".
func (p *dating) isClock(i int) bool {
	for _, k := range [...]int{i - 2, i - 1, i + 1, i + 2} {
		if k < 0 || k >= len(p.words) {
			continue
		}
		hour, minute, ok := strings.Cut(p.at(k), ".")
		h, err1 := strconv.Atoi(hour)
		m, err2 := strconv.Atoi(minute)
		if ok && err1 == nil && err2 == nil && len(minute) == 2 && h < 24 && m > 12 && m < 60 {
			return true
		}
	}
	return p.at(i+1) == "uhr"
}

// numeric reads "12.6.2027", "12/06/27", "12.6.".
func (p *dating) numeric(i int) (DateValue, bool) {
	var parts []string
	w, to := p.at(i), i+1
	if w == "" || !unicode.IsDigit(rune(w[0])) {
		return DateValue{}, false
	}
	switch {
	case strings.Count(w, ".") > 0:
		parts = strings.Split(w, ".")
	case p.at(i+1) == "/" && p.glued(i+1) && p.glued(i+2):
		parts, to = []string{w, p.at(i + 2)}, i+3
		if p.at(i+3) == "/" && p.glued(i+3) {
			parts, to = append(parts, p.at(i+4)), i+5
		}
	case p.at(i+1) == "." && p.glued(i+1) && i+2 < len(p.words) && p.has("month", i+2) == 0: // "12. 6. 2027"
		if m, ok := p.integer(i+2, 2); ok && m <= 12 && p.at(i+3) == "." {
			parts, to = []string{w, p.at(i + 2)}, i+4
			if _, ok := p.integer(i+4, 4); ok && len(p.at(i+4)) != 3 {
				parts, to = append(parts, p.at(i+4)), i+5
			}
		} else if strings.Count(p.at(i+2), ".") == 1 {
			parts, to = append([]string{w}, strings.Split(p.at(i+2), ".")...), i+3
		}
	}
	if len(parts) < 2 || len(parts) > 3 {
		return DateValue{}, false
	}
	d, err1 := strconv.Atoi(parts[0])
	m, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil || len(parts[0]) > 2 || len(parts[1]) > 2 {
		return DateValue{}, false
	}
	slashed := p.at(i+1) == "/" && p.trait("month-first") && d <= 12 && m <= 12 && d != m // the month may come first
	if m > 12 && d <= 12 {
		d, m = m, d
	}
	if len(parts) == 2 {
		dotted := p.at(to) == "." && p.glued(to)
		if p.isClock(i) {
			return DateValue{}, false
		}
		if !exists(2024, m, d) || !dotted && strings.Contains(w, ".") && len(parts[1]) != 2 || !dotted && p.at(i+1) != "/" && p.trait("month-first") {
			return DateValue{}, false
		}
		if dotted {
			to++
		}
		v := DateValue{ISO: p.near(m, d), To: to}
		if slashed {
			v.Other = p.near(d, m)
		}
		return v, true
	}
	y, err := strconv.Atoi(parts[2])
	if err != nil || len(parts[2]) == 3 || len(parts[2]) > 4 {
		return DateValue{}, false
	}
	if y < 100 {
		y += 2000
		if y > p.now.Year()+20 {
			y -= 100
		}
	}
	if !exists(y, m, d) {
		return DateValue{}, false
	}
	v := DateValue{ISO: fmt.Sprintf("%04d-%02d-%02d", y, m, d), To: to}
	if slashed {
		v.Other = fmt.Sprintf("%04d-%02d-%02d", y, d, m)
	}
	return v, true
}

// near returns the day of the year that is nearest in the direction.
func (p *dating) near(m, d int) string {
	t := time.Date(p.now.Year(), time.Month(m), d, 0, 0, 0, 0, time.UTC)
	today := p.now.Truncate(24 * time.Hour)
	switch {
	case p.direction == Ahead && t.Before(today):
		t = time.Date(p.now.Year()+1, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	case p.direction == Behind && t.After(today):
		t = time.Date(p.now.Year()-1, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	}
	return dayOf(t)
}

// nearMonth returns the month of that number that is nearest in the direction.
func (p *dating) nearMonth(m int) string {
	y := p.now.Year()
	switch {
	case p.direction == Ahead && m < int(p.now.Month()):
		y++
	case p.direction == Behind && m > int(p.now.Month()):
		y--
	}
	return fmt.Sprintf("%04d-%02d", y, m)
}

// relativeDay reads "tomorrow", "the day after tomorrow".
func (p *dating) relativeDay(i int) (DateValue, bool) {
	s, n := p.value("relative", i)
	if n == 0 || p.at(i) == "morgen" && i > 0 && p.has("daypart", i-1) == 0 && p.words[i].Text == "Morgen" {
		return DateValue{}, false
	}
	if p.has("moment", i) > 0 {
		return DateValue{}, false
	}
	days, _ := strconv.Atoi(s)
	return DateValue{ISO: dayOf(p.now.AddDate(0, 0, days)), To: i + n}, true
}

// day reads a day of the month from word i: "12", "12th", "twelfth", "12.".
func (p *dating) day(i int) (int, int) {
	if s, n := p.value("ordinal", i); n > 0 {
		v, _ := strconv.Atoi(s)
		return v, i + n
	}
	if p.has("tens", i) > 0 && p.at(i+1) == "-" { // "twenty-fifth"
		t, _ := p.value("tens", i)
		if o, n := p.value("ordinal", i+2); n > 0 {
			a, _ := strconv.Atoi(t)
			b, _ := strconv.Atoi(o)
			return a + b, i + 2 + n
		}
	}
	if p.has("tens", i) > 0 && p.has("ordinal", i+1) > 0 {
		t, _ := p.value("tens", i)
		o, n := p.value("ordinal", i+1)
		a, _ := strconv.Atoi(t)
		b, _ := strconv.Atoi(o)
		return a + b, i + 1 + n
	}
	v, ok := p.integer(i, 2)
	if !ok || v < 1 || v > 31 {
		return 0, i
	}
	to := i + 1
	if n := p.has("suffix", to); n > 0 && p.glued(to) {
		to += n
	}
	return v, to
}

// named reads what has a month's name: "12 June", "the 12th of June 2027", "June 12th",
// "mid June", "end of June".
func (p *dating) named(i int) (DateValue, bool) {
	d, after, approximate := p.beforeMonth(i)
	s, n := p.value("month", after)
	if n == 0 || !p.month(after, d > 0 || approximate) {
		return DateValue{}, false
	}
	m, _ := strconv.Atoi(s)
	to := after + n
	if p.at(to) == "." && p.glued(to) && len(p.at(after)) <= 4 {
		to++
	}
	if d == 0 && !approximate {
		d, to = p.dayAfter(to)
	}
	v, ok := p.inYear(m, d, to, i)
	v.Approximate = approximate
	return v, ok
}

// beforeMonth reads what may stand before a month's name from word i: a day, or a part of
// the month; after is the word behind it.
func (p *dating) beforeMonth(i int) (day, after int, approximate bool) {
	for _, part := range []string{"early", "mid", "late"} {
		n := p.has(part, i)
		if n == 0 {
			continue
		}
		at := i + n
		if p.at(at) == "-" {
			at++
		}
		return 0, at + p.has("of", at), true
	}
	d, after := p.day(i)
	if d == 0 {
		return 0, i, false
	}
	if p.at(after) == "-" || p.has("rangeto", after) > 0 { // "12-15 June": the first
		if e, to := p.day(after + 1); e > d && p.has("month", to) > 0 {
			after = to
		}
	}
	return d, after + p.has("of", after), false
}

// dayAfter reads the day that stands behind a month's name, at word i; 0 for none.
func (p *dating) dayAfter(i int) (day, to int) {
	if d, end := p.day(i); d > 0 && p.numberStays(end, i) {
		return d, end
	}
	if p.has("definite", i) > 0 {
		if d, end := p.day(i + 1); d > 0 {
			return d, end
		}
	}
	return 0, i
}

// inYear completes month m, and day d unless it is 0, by the year that stands at word to,
// else by the nearest one. The date began at word i.
func (p *dating) inYear(m, d, to, i int) (DateValue, bool) {
	if p.at(to) == "," {
		if y, ok := p.integer(to+1, 4); ok && y > 1900 && y < 2200 {
			to++
		}
	}
	of := to + p.has("of", to)
	if y, ok := p.integer(of, 4); ok && y > 1800 && y < 2200 {
		return onDay(y, m, d, of+1)
	}
	if y, ok := p.integer(to, 2); ok && d > 0 && y > 31 && len(p.at(to)) == 2 && p.has("period", to+1) == 0 { // "29 feb 84"
		return onDay(1900+y, m, d, to+1)
	}
	if k := p.yearWord(of); k != 0 {
		n := max(p.has("next", of), p.has("last", of), p.has("this", of))
		return onDay(p.now.Year()+k-10, m, d, of+n+1)
	}
	if d > 0 {
		return DateValue{ISO: p.near(m, d), To: to}, exists(2024, m, d)
	}
	v := DateValue{ISO: p.nearMonth(m), To: to}
	switch {
	case p.has("next", i-1) > 0 && p.direction == Ahead && m == int(p.now.Month()): // "next November" in November
		v.ISO = fmt.Sprintf("%04d-%02d", p.now.Year()+1, m)
	case p.has("last", i-1) > 0:
		back := *p
		back.direction = Behind
		v.ISO = back.nearMonth(m)
	}
	return v, true
}

// onDay returns a day, or the month when d is 0; false when there is no such day.
func onDay(y, m, d, to int) (DateValue, bool) {
	if d == 0 {
		return DateValue{ISO: fmt.Sprintf("%04d-%02d", y, m), To: to}, true
	}
	return DateValue{ISO: fmt.Sprintf("%04d-%02d-%02d", y, m, d), To: to}, exists(y, m, d)
}

// yearWord returns 9, 10 or 11 for "last year", "this year", "next year" at word i; 0 for
// none.
func (p *dating) yearWord(i int) int {
	for k, kind := range []string{"last", "this", "next"} {
		if n := p.has(kind, i); n > 0 {
			if unit, _ := p.value("period", i+n); unit == "year" {
				return 9 + k
			}
		}
	}
	return 0
}

// numberStays reports whether the day that ends before word end belongs to the month
// before it: not the "12" of "June 12 people".
func (p *dating) numberStays(end, from int) bool {
	return end > from+1 || end >= len(p.words) || !unicode.IsLetter([]rune(p.words[end].Text)[0]) || p.has("rangeto", end) > 0 || p.has("hourmark", end) > 0 || p.has("at-time", end) > 0
}

// month reports whether the name at word i is one: "may", "march", "mar" and "sun" are
// words, too.
func (p *dating) month(i int, sure bool) bool {
	if p.has("month-or-word", i) > 0 {
		_, year := p.integer(i+1, 4)
		return sure || year || unicode.IsUpper([]rune(p.words[i].Text)[0]) && i > 0 || len(p.words) == 1 || p.has("in", i-1) > 0 || p.has("next", i-1) > 0 || p.has("before-month", i-1) > 0
	}
	return true
}

// weekday reads "Friday", "next Friday", "Friday week".
func (p *dating) weekday(i int) (DateValue, bool) {
	at, last := i, 0
	next := p.has("next", i)
	if next > 0 {
		at += next
	} else if last = p.has("last", i); last > 0 {
		at += last
	} else {
		at += p.has("this", i)
	}
	s, n := p.value("weekday", at)
	if n == 0 || len(p.at(at)) < 3 && !(p.at(at+1) == "." && p.glued(at+1)) || (p.at(at) == "sun" || p.at(at) == "sat") && !unicode.IsUpper([]rune(p.words[at].Text)[0]) {
		return DateValue{}, false
	}
	// A weekday that goes with a date: "Saturday the 12th of June".
	k := at + n
	if p.at(k) == "." && p.glued(k) {
		k++
	}
	for p.at(k) == "," || p.has("definite", k) > 0 {
		k++
	}
	for _, read := range []func(int) (DateValue, bool){p.numeric, p.named, p.ordinalDay, p.holiday} {
		if v, ok := read(k); ok && len(v.ISO) == 10 {
			return v, true
		}
	}
	d, _ := strconv.Atoi(s)
	today := int(p.now.Weekday()+6)%7 + 1
	days := (d - today + 7) % 7
	if days == 0 {
		days = 7
	}
	switch {
	case last > 0 || next == 0 && p.direction == Behind:
		days -= 7
	case next > 0 && days+today <= 7 && p.weekly(i): // "next Friday" on a Tuesday is the one of the next week
		days += 7
	}
	to := at + n
	if unit, n := p.value("period", to); unit == "week" && n > 0 && p.trait("weekday-week") { // "Friday week"
		days, to = days+7, to+n
	}
	v := DateValue{ISO: dayOf(p.now.AddDate(0, 0, days)), To: to}
	switch {
	case d == today: // today, or a week from now
		v.Other = dayOf(p.now)
	case next > 0 && p.weekly(i): // in the next week, or in this one
		v.Other = dayOf(p.now.AddDate(0, 0, days-7))
	}
	return v, true
}

// weekly reports whether the word at i puts a weekday into the next week; "kommenden" and
// "coming" mean the very next one.
func (p *dating) weekly(i int) bool {
	return p.has("coming", i) == 0
}

// inAWhile reads "in three weeks", "2 months ago", "vor 2 Jahren".
func (p *dating) inAWhile(i int) (DateValue, bool) {
	at := i
	in := p.has("in", at)
	german := p.has("ago-before", at) > 0
	if in > 0 || german {
		at++
	}
	if in > 0 && p.has("definite", at) > 0 || in > 0 && p.has("next", at) > 0 { // "within the next six months"
		at++
		at += p.has("next", at)
	}
	for p.has("about", at) > 0 && p.at(at) != "" {
		at += p.has("about", at)
	}
	v, to, ok := p.number(at)
	if n := p.has("article", at); n > 0 && p.has("period", at+n) > 0 {
		v, to = 1, at+n
	} else if !ok {
		return DateValue{}, false
	}
	loose := 0
	if p.has("collective", to-1) > 0 { // "a couple of weeks"
		loose = p.has("of", to)
	}
	unit, n := p.value("period", to+loose)
	if n == 0 {
		return DateValue{}, false
	}
	to += loose + n
	sign := 1
	switch {
	case german:
		sign = -1
	case p.has("ago", to) > 0:
		sign, to = -1, to+1
	case p.has("from-now", to) > 0:
		to += p.has("from-now", to)
	case in == 0:
		return DateValue{}, false
	}
	iso, ok := p.shift(unit, sign*int(v), v)
	return DateValue{ISO: iso, To: to, Approximate: loose > 0 || unit == "month" || unit == "year"}, ok
}

// shift returns the day, month or year that lies n units from now.
func (p *dating) shift(unit string, n int, exact float64) (string, bool) {
	switch unit {
	case "day":
		return dayOf(p.now.AddDate(0, 0, n)), true
	case "week":
		return dayOf(p.now.AddDate(0, 0, 7*n)), true
	case "fortnight":
		return dayOf(p.now.AddDate(0, 0, 14*n)), true
	case "month":
		first := time.Date(p.now.Year(), p.now.Month(), 1, 0, 0, 0, 0, time.UTC)
		return monthOf(first.AddDate(0, n, 0)), true
	case "quarter":
		return monthOf(p.now.AddDate(0, 3*n, 0)), true
	case "year":
		if exact != float64(int(exact)) {
			return monthOf(p.now.AddDate(0, int(exact*12), 0)), true
		}
		return strconv.Itoa(p.now.Year() + n), true
	case "decade":
		return strconv.Itoa(p.now.Year() + 10*n), true
	}
	return "", false
}

// holiday reads "Christmas", "Easter 2027".
func (p *dating) holiday(i int) (DateValue, bool) {
	s, n := p.value("holiday", i)
	if n == 0 {
		return DateValue{}, false
	}
	y, to := 0, i+n
	if v, ok := p.integer(to, 4); ok && v > 1900 && v < 2200 {
		y, to = v, to+1
	}
	on := func(year int) time.Time {
		if offset, ok := strings.CutPrefix(s, "easter"); ok {
			days, _ := strconv.Atoi(strings.TrimPrefix(offset, "+"))
			return easter(year).AddDate(0, 0, days)
		}
		t, _ := time.Parse("2006-01-02", strconv.Itoa(year)+"-"+s)
		return t
	}
	if y == 0 {
		y = p.now.Year()
		if p.direction == Ahead && on(y).Before(p.now.Truncate(24*time.Hour)) {
			y++
		} else if p.direction == Behind && on(y).After(p.now) {
			y--
		}
	}
	return DateValue{ISO: dayOf(on(y)), To: to}, true
}

// easter returns Easter Sunday of a year, by the rule of Gauss as Butcher wrote it.
func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	d, e, f := b/4, b%4, (b+8)/25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(y, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

// season reads "spring 2027", "next summer".
func (p *dating) season(i int) (DateValue, bool) {
	at := i
	next := p.has("next", at)
	last := p.has("last", at)
	at += next + last + p.has("this", at)
	s, n := p.value("season", at)
	if n == 0 || p.at(at) == "fall" && next+last == 0 && p.has("in", at-1) == 0 && p.at(at-1) != "the" {
		return DateValue{}, false
	}
	m, _ := strconv.Atoi(s)
	v := DateValue{ISO: p.nearMonth(m), To: at + n, Approximate: true}
	if y, ok := p.integer(v.To, 4); ok && y > 1900 && y < 2200 {
		v.ISO = fmt.Sprintf("%04d-%02d", y, m)
		v.To++
	}
	if first, err := time.Parse("2006-01", v.ISO); err == nil {
		v.End = dayOf(first.AddDate(0, 3, -1))
	}
	return v, true
}

// ordinalDay reads "the 28th", "am 28.".
func (p *dating) ordinalDay(i int) (DateValue, bool) {
	d, to := p.day(i)
	suffixed := to > i+1 || p.has("ordinal", i) > 0
	if d == 0 || !suffixed {
		return DateValue{}, false
	}
	before := i - 1
	if p.at(to-1) == "." && p.has("before-day", before) == 0 {
		return DateValue{}, false
	}
	capital := p.trait("capital-ordinals") && unicode.IsUpper([]rune(p.words[i].Text)[0]) // "am Dritten"
	if p.has("ordinal", i) > 0 && (p.has("on-day", before) == 0 || d < 4 && !capital) {
		return DateValue{}, false
	}
	first := time.Date(p.now.Year(), p.now.Month(), 1, 0, 0, 0, 0, time.UTC)
	step := 1
	if p.direction == Behind {
		step = -1
	}
	for k := range 4 {
		t := first.AddDate(0, step*k, d-1)
		if t.Day() == d && (p.direction == Ahead && !t.Before(p.now.Truncate(24*time.Hour)) || p.direction == Behind && !t.After(p.now)) {
			other := first.AddDate(0, step*(k+1), d-1)
			return DateValue{ISO: dayOf(t), Other: dayOf(other), To: to}, true
		}
	}
	return DateValue{}, false
}

// year reads "2027", "in 1998".
func (p *dating) year(i int) (DateValue, bool) {
	y, ok := p.integer(i, 4)
	if !ok || y < 1850 || y > 2150 || len(p.at(i)) != 4 {
		return DateValue{}, false
	}
	if p.at(i-1) == "/" && p.glued(i) || p.has("currency", i-1) > 0 || p.has("currency", i+1) > 0 || p.has("unit", i+1) > 0 || p.at(i+1) == ":" {
		return DateValue{}, false
	}
	return DateValue{ISO: strconv.Itoa(y), To: i + 1}, true
}
