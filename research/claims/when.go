package claims

import (
	"fmt"
	"strconv"
	"strings"
)

// date is a point or stretch of time in a passage.
type date struct {
	when     string // as in [Figure]; "--05", "--05-31" and "--Q3" without a year
	from, to int    // tokens, to excluded
	side     byte   // '>' since or after it, '<' before or until it, 'b' by it, '=' in it
}

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12,
}

// year returns the first year that when names, or 0.
func year(when string) int {
	for i := 0; i+4 <= len(when); i++ {
		if y, err := strconv.Atoi(when[i : i+4]); err == nil && y >= 1000 {
			return y
		}
	}
	return 0
}

// lastYear returns the last year that when names, or 0.
func lastYear(when string) int {
	if _, end, isRange := strings.Cut(when, "–"); isRange {
		return year(end)
	}
	return year(when)
}

// covers reports whether a source that says have supports a claim that says
// want: the same, or less exactly so.
func covers(have, want string) bool {
	if have == want || want == "" {
		return true
	}
	y := year(have)
	isYear := len(want) == 4 && want[0] != '-'
	switch {
	case strings.Contains(have, "–"), strings.HasPrefix(have, "FY"):
		return false
	case isYear:
		return y != 0 && strconv.Itoa(y) == want
	case len(want) == 7 && want[4] == '-':
		return strings.HasPrefix(have, want)
	case strings.HasPrefix(want, "--") && y != 0:
		return have[4:] == want[1:] || strings.HasPrefix(have[4:], want[1:]+"-") || want[2:] == have[:2]
	}
	return false
}

// readDates notes the dates of p, in order, and takes their tokens.
func (p *passage) readDates() {
	for i := 0; i < len(p.toks); {
		when, next := p.dateAt(i)
		if when == "" {
			i++
			continue
		}
		when, next = p.dateRange(when, i, next)
		d := date{when: when, from: i, to: next, side: p.sideOf(i)}
		p.dates = append(p.dates, d)
		for ; i < next; i++ {
			p.taken[i] = true
		}
	}
}

// dateAt reads one date at token i; next is the token after it.
func (p *passage) dateAt(i int) (when string, next int) {
	if p.class(i) == sign {
		return "", i
	}
	for _, read := range []func(int) (string, int){p.isoDate, p.dottedDate, p.slashDate, p.dayMonth, p.monthDay, p.period, p.fiscal, p.bareYear} {
		if when, next := read(i); when != "" {
			return when, next
		}
	}
	return "", i
}

// plainNumber returns the digits at token i as a number, or -1.
func (p *passage) plainNumber(i int) int {
	if p.class(i) != number {
		return -1
	}
	n, err := strconv.Atoi(p.text(i))
	if err != nil {
		return -1
	}
	return n
}

func (p *passage) isYear(i int) bool {
	y := p.plainNumber(i)
	return len(p.text(i)) == 4 && y >= 1900 && y < 2100
}

// joined reports whether tokens i … i+n are written without a space.
func (p *passage) joined(i, n int) bool {
	for j := i + 1; j <= i+n; j++ {
		if !p.glued(j) {
			return false
		}
	}
	return true
}

// isoDate reads 2024-05-31 and 2024-05.
func (p *passage) isoDate(i int) (string, int) {
	m := p.plainNumber(i + 2)
	if !p.isYear(i) || !p.is(i+1, "-") || !p.joined(i, 2) || len(p.text(i+2)) != 2 || m < 1 || m > 12 {
		return "", i
	}
	d := p.plainNumber(i + 4)
	if p.is(i+3, "-") && p.joined(i+2, 2) && len(p.text(i+4)) == 2 && d >= 1 && d <= 31 {
		return fmt.Sprintf("%s-%02d-%02d", p.text(i), m, d), i + 5
	}
	return fmt.Sprintf("%s-%02d", p.text(i), m), i + 3
}

// dottedDate reads 31.05.2024.
func (p *passage) dottedDate(i int) (string, int) {
	parts := strings.Split(p.text(i), ".")
	if p.class(i) != number || len(parts) != 3 || len(parts[2]) != 4 {
		return "", i
	}
	d, errD := strconv.Atoi(parts[0])
	m, errM := strconv.Atoi(parts[1])
	if errD != nil || errM != nil || d < 1 || d > 31 || m < 1 || m > 12 {
		return "", i
	}
	return fmt.Sprintf("%s-%02d-%02d", parts[2], m, d), i + 1
}

// slashDate reads 31/05/2024. Where day and month could be either, the date
// stays as it is written and only its year is known.
func (p *passage) slashDate(i int) (string, int) {
	a, b := p.plainNumber(i), p.plainNumber(i+2)
	if a < 1 || b < 1 || a > 31 || b > 31 || !p.is(i+1, "/") || !p.is(i+3, "/") || !p.isYear(i+4) || !p.joined(i, 4) {
		return "", i
	}
	switch y := p.text(i + 4); {
	case a > 12 && b <= 12:
		return fmt.Sprintf("%s-%02d-%02d", y, b, a), i + 5
	case b > 12 && a <= 12:
		return fmt.Sprintf("%s-%02d-%02d", y, a, b), i + 5
	default:
		return fmt.Sprintf("%02d/%02d/%s", a, b, y), i + 5
	}
}

// monthNamed returns the month named at token i, or 0. "may" and "march" are
// other words too, so they need a capital and company.
func (p *passage) monthNamed(i int) int {
	m := months[p.text(i)]
	if m == 0 || p.class(i) != word || !p.toks[i].upper {
		return 0
	}
	if p.is(i, "may") || p.is(i, "march") || p.is(i, "mar") || p.is(i, "jan") {
		near := p.plainNumber(i+1) > 0 || p.is(i+1, "of") && p.isYear(i+2) || p.plainNumber(i-1) > 0 && p.plainNumber(i-1) < 32
		if !near && !monthLeads[p.text(i-1)] {
			return 0
		}
	}
	return m
}

var monthLeads = set("in of by since until before after early late mid last next this every from st nd rd th")

// dayMonth reads "31 May 2024", "31st of May".
func (p *passage) dayMonth(i int) (string, int) {
	d, j := p.plainNumber(i), i+1
	if d < 1 || d > 31 {
		return "", i
	}
	if ordinalEnd[p.text(j)] || p.is(j, ".") {
		j++
	}
	if p.is(j, "of") {
		j++
	}
	m := p.monthNamed(j)
	if m == 0 {
		return "", i
	}
	return p.withYear(fmt.Sprintf("-%02d-%02d", m, d), j+1)
}

var ordinalEnd = set("st nd rd th")

// monthDay reads "May 31, 2024", "May 2024" and "May".
func (p *passage) monthDay(i int) (string, int) {
	m := p.monthNamed(i)
	if m == 0 {
		return "", i
	}
	j := i + 1
	if p.is(j, ".") && p.glued(j) {
		j++
	}
	if d := p.plainNumber(j); d >= 1 && d <= 31 && len(p.text(j)) <= 2 {
		j++
		if ordinalEnd[p.text(j)] {
			j++
		}
		return p.withYear(fmt.Sprintf("-%02d-%02d", m, d), j)
	}
	return p.withYear(fmt.Sprintf("-%02d", m), j)
}

// withYear puts the year at token j, after a comma or "of", before rest.
func (p *passage) withYear(rest string, j int) (string, int) {
	k := j
	if p.is(k, ",") || p.is(k, "of") {
		k++
	}
	if p.isYear(k) {
		return p.text(k) + rest, k + 1
	}
	return "-" + rest, j
}

// period reads "Q3 2024", "2024 Q3", "third quarter of 2024", "H1".
func (p *passage) period(i int) (string, int) {
	if p.isYear(i) && periodName(p.text(i+1)) {
		return strings.ToUpper(p.text(i+1)) + " " + p.text(i), i + 2
	}
	var name string
	j := i + 1
	switch {
	case periodName(p.text(i)):
		name = strings.ToUpper(p.text(i))
	case p.is(i+1, "quarter") && ordinals[p.text(i)] >= 1 && ordinals[p.text(i)] <= 4:
		name, j = "Q"+strconv.Itoa(ordinals[p.text(i)]), i+2
	case p.is(i+1, "half") && (p.is(i, "first") || p.is(i, "second")) && (p.is(i+2, "of") && p.isYear(i+3) || p.isYear(i+2)):
		name, j = "H"+strconv.Itoa(ordinals[p.text(i)]), i+2
	default:
		return "", i
	}
	k := j
	if p.is(k, "of") || p.is(k, "/") || p.is(k, "-") || p.is(k, ",") || p.is(k, "'") {
		k++
	}
	if p.isYear(k) {
		return name + " " + p.text(k), k + 1
	}
	return "--" + name, j
}

func periodName(w string) bool {
	return len(w) == 2 && (w[0] == 'q' && w[1] >= '1' && w[1] <= '4' || w[0] == 'h' && (w[1] == '1' || w[1] == '2'))
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

// fiscal reads "FY2024", "FY24", "fiscal year 2024".
func (p *passage) fiscal(i int) (string, int) {
	w := p.text(i)
	if rest, ok := strings.CutPrefix(w, "fy"); ok && (len(rest) == 4 || len(rest) == 2) && strings.Trim(rest, "0123456789") == "" {
		return "FY" + "20"[:4-len(rest)] + rest, i + 1
	}
	j := i + 1
	if w == "fiscal" && p.is(j, "year") {
		j++
	}
	if (w == "fy" || w == "fiscal") && p.isYear(j) {
		return "FY" + p.text(j), j + 1
	}
	return "", i
}

// bareYear reads four digits that are likely a year and no amount.
func (p *passage) bareYear(i int) (string, int) {
	if !p.isYear(i) || p.currencyBefore(i) != "" || p.scaleAt(i+1) {
		return "", i
	}
	if u, _ := p.baseUnit(i + 1); u != "" && (p.class(i+1) != word || unitWords[p.text(i+1)] != "" || currencyCodes[p.raw(i+1)] != "") {
		return "", i
	}
	if counted[p.stem(i+1)] != "" && !yearLeads[p.text(i-1)] {
		return "", i
	}
	return p.text(i), i + 1
}

var yearLeads = set("in since by from until of before after during for between and to")

// dateRange joins the year at token next to when: "2023–2030", "2023/24", "from
// 2023 to 2030".
func (p *passage) dateRange(when string, i, next int) (string, int) {
	if len(when) != 4 {
		return when, next
	}
	dash := (p.is(next, "-") || p.is(next, "/")) && (p.joined(next-1, 2) || p.is(next, "-"))
	words := (p.is(i-1, "from") || p.is(i-1, "between")) && (p.is(next, "to") || p.is(next, "and") || p.is(next, "through") || p.is(next, "until"))
	end := p.plainNumber(next + 1)
	switch {
	case !dash && !words:
	case p.isYear(next+1) && end > year(when):
		return when + "–" + p.text(next+1), next + 2
	case dash && p.joined(next-1, 2) && len(p.text(next+1)) == 2 && end == (year(when)+1)%100:
		return when + "–" + strconv.Itoa(year(when)+1), next + 2
	}
	return when, next
}

// sideOf returns on which side of the date at token i things are.
func (p *passage) sideOf(i int) byte {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		switch w := p.text(j); {
		case w == "since" || w == "after" || w == "following":
			return '>'
		case w == "before" || w == "until" || w == "till" || w == "pre":
			return '<'
		case w == "by":
			return 'b'
		case !dateLead[w]:
			return '='
		}
	}
	return '='
}

var dateLead = set("the early late mid end start beginning of in - year")
