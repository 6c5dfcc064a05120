package language

import (
	"strconv"
	"time"
)

// parts of a period, before which "of" may stand: "end of next year".
var parts = []string{"early", "mid", "late"}

// partBefore reads what may stand before a period from word i: "end of", "mid"; part is "" for
// none, and after is the word behind it.
func (p *dating) partBefore(i int) (part string, after int) {
	for _, k := range parts {
		if n := p.has(k, i); n > 0 {
			after = i + n
			if p.at(after) == "-" {
				after++
			}
			for p.has("of", after) > 0 { // "of the"
				after += p.has("of", after)
			}
			return k, after
		}
	}
	return "", i
}

// which reads "last", "this" or "next" at word i as -1, 0 or 1; n is how many words that is, 0 for
// none of them.
func (p *dating) which(i int) (k, n int) {
	for j, kind := range []string{"last", "this", "next"} {
		if n := p.has(kind, i); n > 0 {
			return j - 1, n
		}
	}
	return 0, 0
}

// ofPeriod reads "next week", "this month", "end of next year", "end of the quarter".
func (p *dating) ofPeriod(i int) (DateValue, bool) {
	part, at := p.partBefore(i)
	k, n := p.which(at)
	if n == 0 && part == "" {
		return DateValue{}, false
	}
	unit, m := p.value("period", at+n)
	if _, year := p.integer(at+n+m, 4); m == 0 || n == 0 && year { // "Anfang Jahr 2015"
		return DateValue{}, false
	}
	return p.period(unit, part, k, at+n+m)
}

// periodEdge reads what is the beginning, middle or end of a period in one word: "Monatsende".
func (p *dating) periodEdge(i int) (DateValue, bool) {
	for _, part := range parts {
		if unit, n := p.value(part+"-of", i); n > 0 {
			return p.period(unit, part, 0, i+n)
		}
	}
	return DateValue{}, false
}

// period returns the period that lies k units from now, or a part of it, up to word to.
func (p *dating) period(unit, part string, k, to int) (DateValue, bool) {
	v := DateValue{To: to, Approximate: part != ""}
	switch unit {
	case "week", "weekend":
		day := p.monday(p.now).AddDate(0, 0, 7*k)
		if part == "" {
			v.End = dayOf(day.AddDate(0, 0, 6))
		}
		switch {
		case unit == "weekend":
			day = day.AddDate(0, 0, 5)
		case part == "mid":
			day = day.AddDate(0, 0, 2)
		case part == "late":
			day = day.AddDate(0, 0, 4)
		}
		v.ISO, v.Approximate = dayOf(day), true
	case "month":
		v.ISO, _ = p.shift("month", k, float64(k))
	case "quarter":
		first := (int(p.now.Month())-1)/3*3 + 1 + 3*k
		return p.months(p.now.Year(), first, 3, part, to), true
	case "year":
		if y := p.now.Year() + k; part != "" {
			v.ISO = monthOf(time.Date(y, map[string]time.Month{"early": 1, "mid": 6, "late": 12}[part], 1, 0, 0, 0, 0, time.UTC))
		} else {
			v.ISO = strconv.Itoa(y)
		}
	default:
		return DateValue{}, false
	}
	return v, true
}

// monday returns the Monday of the week of t.
func (p *dating) monday(t time.Time) time.Time {
	return t.AddDate(0, 0, -(int(t.Weekday()+6) % 7))
}

// months returns n months from the first on, which may lie in another year, or the first, middle or
// last one of them.
func (p *dating) months(year, first, n int, part string, to int) DateValue {
	at := func(k int) string {
		return monthOf(time.Date(year, time.Month(first+k), 1, 0, 0, 0, 0, time.UTC))
	}
	v := DateValue{To: to, Approximate: true}
	switch part {
	case "early":
		v.ISO = at(0)
	case "mid":
		v.ISO = at(n / 2)
	case "late":
		v.ISO = at(n - 1)
	default:
		v.ISO, v.Through = at(0), at(n-1)
	}
	return v
}

// partOfYear reads a quarter or a half of a year: "Q2", "Q3 next year", "the second quarter of
// 2027", "end of Q1", "1. Halbjahr".
func (p *dating) partOfYear(i int) (DateValue, bool) {
	part, at := p.partBefore(i)
	number, length, to := p.numbered(at)
	if to == 0 {
		return DateValue{}, false
	}
	year, end := p.yearOf(to)
	first := (number-1)*length + 1
	if year == 0 {
		year = p.now.Year()
		over := first+length-1 < int(p.now.Month())
		switch {
		case p.direction == Ahead && over:
			year++
		case p.direction == Behind && first > int(p.now.Month()):
			year--
		}
	}
	return p.months(year, first, length, part, end), true
}

// numbered reads which quarter or half of a year the words from i name, and how many months it
// has; to is 0 for none.
func (p *dating) numbered(i int) (number, months, to int) {
	for _, kind := range []struct {
		short, long string
		months      int
	}{{"quarter-mark", "quarter", 3}, {"half-mark", "half", 6}} {
		if n, ok := p.integer(i+1, 1); ok && p.has(kind.short, i) > 0 && p.glued(i+1) && n >= 1 && n <= 12/kind.months {
			return n, kind.months, i + 2
		}
		n, at := p.day(i)
		if p.at(at) == "." && p.glued(at) {
			at++
		}
		if at == i || n < 1 || n > 12/kind.months || at == i+1 && p.has("ordinal", i) == 0 {
			continue
		}
		unit, k := p.value("period", at)
		if kind.months == 6 {
			unit = "half"
			k = p.has("half-year", at)
		}
		if k > 0 && unit == kind.long {
			return n, kind.months, at + k
		}
	}
	return 0, 0, 0
}

// yearOf reads the year that goes with a part of it, at word i: "2027", "of next year", "/27"; 0 for
// none.
func (p *dating) yearOf(i int) (year, to int) {
	at := i
	for p.has("of", at) > 0 {
		at += p.has("of", at)
	}
	if k := p.yearWord(at); k != 0 {
		return p.now.Year() + k - 10, at + max(p.has("next", at), p.has("last", at), p.has("this", at)) + 1
	}
	if p.at(at) == "/" || p.at(at) == "'" {
		at++
	}
	if y, ok := p.integer(at, 4); ok && y > 1900 && y < 2200 {
		return y, at + 1
	}
	if y, ok := p.integer(at, 2); ok && at > i && len(p.at(at)) == 2 && y > 0 {
		return 2000 + y, at + 1
	}
	return 0, i
}

// calendarWeek reads "KW 12", "week 12 of 2027", "12. KW" as the Monday of that week as ISO 8601
// counts them.
func (p *dating) calendarWeek(i int) (DateValue, bool) {
	part, at := p.partBefore(i)
	week, to, rate := 0, 0, false
	switch w, ok := p.integer(at, 2); {
	case p.has("calendar-week", at) > 0:
		n := p.has("calendar-week", at)
		week, ok = p.integer(at+n, 2)
		to, rate = at+n+1, p.has("per", i-1)+p.has("article", i-1) > 0 || p.at(i-1) == "der" // "in der Woche 12 Stunden"
		if !ok {
			return DateValue{}, false
		}
	case ok && p.at(at+1) == "." && p.has("calendar-week", at+2) > 0:
		week, to = w, at+2+p.has("calendar-week", at+2)
	}
	if week < 1 || week > 53 || rate || p.has("period", to)+p.has("currency", to)+p.has("unit", to)+p.has("people", to) > 0 {
		return DateValue{}, false
	}
	year, end := p.yearOf(to)
	if year == 0 {
		year, end = p.now.Year(), to
		_, now := p.now.ISOWeek()
		switch {
		case p.direction == Ahead && week < now:
			year++
		case p.direction == Behind && week > now:
			year--
		}
	}
	day := p.monday(time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)).AddDate(0, 0, 7*(week-1))
	v := DateValue{To: end, Approximate: true}
	switch part {
	case "":
		v.End = dayOf(day.AddDate(0, 0, 6))
	case "mid":
		day = day.AddDate(0, 0, 2)
	case "late":
		day = day.AddDate(0, 0, 4)
	}
	v.ISO = dayOf(day)
	return v, true
}
