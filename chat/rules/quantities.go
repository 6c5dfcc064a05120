package rules

import (
	"strings"

	"quaestor/sessions"
)

// quantity is a number in an utterance with its range, unit and doubt.
type quantity struct {
	lo, hi   float64
	from, to int    // words, to excluded, with unit
	unit     string // "day" … "year", "money", "percent", "mile" …, or empty
	noun     string // the word after it when it is no unit
	bound    byte   // '<' for at most, '>' for at least, 0 for neither
	hedged   bool
	year     bool // may be a calendar year
	rate     rate // how often there is as much
}

// unitWords maps the ways to write a unit to the unit.
var unitWords = map[string]string{
	"minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute", "hour": "hour", "hours": "hour", "hr": "hour", "hrs": "hour", "h": "hour",
	"day": "day", "days": "day", "d": "day", "week": "week", "weeks": "week", "wk": "week", "wks": "week", "w": "week", "fortnight": "fortnight", "fortnights": "fortnight",
	"month": "month", "months": "month", "mo": "month", "mos": "month", "mth": "month", "mths": "month", "quarter": "quarter", "quarters": "quarter",
	"year": "year", "years": "year", "yr": "year", "yrs": "year", "y": "year",
	"mile": "mile", "miles": "mile", "km": "km", "kms": "km", "kilometre": "km", "kilometres": "km", "kilometer": "km", "kilometers": "km", "metres": "metre", "meters": "metre",
	"kg": "kg", "kilo": "kg", "kilos": "kg", "tonne": "tonne", "tonnes": "tonne", "tons": "tonne", "litre": "litre", "litres": "litre", "liters": "litre",
	"percent": "percent", "pct": "percent", "percentage": "percent",
	"usd": "money", "eur": "money", "gbp": "money", "chf": "money", "cad": "money", "aud": "money", "inr": "money", "jpy": "money", "sek": "money", "nok": "money", "dkk": "money", "pln": "money",
	"dollar": "money", "dollars": "money", "euro": "money", "euros": "money", "pound": "money", "pounds": "money", "quid": "money", "bucks": "money", "francs": "money", "yen": "money", "rupees": "money", "sterling": "money",
}

// The signs and codes that may stand before an amount.
const currencySigns = sessions.CurrencySigns

var currencyCodes = set("usd eur gbp chf cad aud inr jpy sek nok dkk pln")

// quantities returns the numbers among words from to (excluded), in order.
func (u *utterance) quantities(from, to int) []quantity {
	var out []quantity
	free := from // where the words of the last one end
	for i := from; i < to; {
		if len(out) > 0 && i >= out[len(out)-1].rate.from && i < out[len(out)-1].rate.to {
			i = out[len(out)-1].rate.to
			continue
		}
		q, ok := u.quantityAt(i, to)
		if !ok || u.oftenness(q, i, to) {
			i++
			continue
		}
		if before := u.at(q.from - 1); q.unit == "" && (before == "aged" || before == "ages" || before == "age") {
			q.unit = "year"
		}
		u.takeRate(&q, free, to)
		u.doubts(&q, from, to)
		out = append(out, q)
		i, free = max(q.to, i+1), max(q.said(), i+1)
	}
	return u.eachDay(out)
}

// uncertain make no figure of a scale: "a few hundred".
var uncertain = set("few several many some")

// oftenness reports whether q, from word i, is how often something is rather than how
// much: "a week" of "a few hours a week" or "once a week", "three times a week".
func (u *utterance) oftenness(q quantity, i, to int) bool {
	before := strings.TrimSuffix(u.at(i-1), "s")
	if (u.at(i) == "a" || u.at(i) == "an") && spans[q.unit] > 0 && q.lo == 1 && !u.parted(i) {
		return unitWords[before] != "" || periodWords[before] != "" || scales[before] > 1 || before == "once" || before == "twice" || before == "time"
	}
	if u.at(q.to) != "times" {
		return false
	}
	_, ok := u.rateAt(i, to)
	return ok
}

// quantityAt reads a number or a range with its unit from word i.
func (u *utterance) quantityAt(i, to int) (quantity, bool) {
	n, ok := u.numeralAt(i, to)
	if !ok || u.loneOne(n, i, to) || n.word && scales[u.at(i)] > 1 && uncertain[u.at(i-1)] {
		return quantity{}, false
	}
	q := quantity{lo: n.value, hi: n.value, from: i, to: n.next, unit: n.unit, hedged: n.loose}
	q.year = calendarYear(u.at(i)) && !n.scaled
	u.takeUnit(&q, to)
	u.takeRange(&q, n, to)
	if u.money(i) || u.at(n.next-1) == "grand" && q.unit == "" {
		q.unit = "money"
	}
	return q, true
}

// loneOne reports whether n is the word "one" used as a pronoun: "the second
// one", "one of them".
func (u *utterance) loneOne(n numeral, i, to int) bool {
	if !n.word || n.value != 1 || u.at(i) != "one" || n.next != i+1 {
		return false
	}
	alone := i == 0 && n.next == len(u.words)
	return !alone && unitWords[u.at(n.next)] == "" && (i > 0 && (ordinals[u.at(i-1)] != 0 || pointers[u.at(i-1)]) || u.at(n.next) == "of" || n.next >= to)
}

var pointers = set("this that the which any no every each another small big large new old first last other only previous earlier later latest newer older recent former latter right wrong correct")

// calendarYear reports whether text may be a year, as "2016" and "2016ish" are; "200k" is none.
func calendarYear(text string) bool {
	text = strings.TrimSuffix(text, "ish")
	return len(text) == 4 && (text[:2] == "19" || text[:2] == "20") && strings.Trim(text, "0123456789") == ""
}

// money reports whether a currency stands before word i.
func (u *utterance) money(i int) bool {
	return strings.ContainsAny(lastRune(u.gap(i)), currencySigns) || currencyCodes[u.at(i-1)]
}

func lastRune(s string) string {
	r := []rune(strings.TrimRight(s, " "))
	if len(r) == 0 {
		return ""
	}
	return string(r[len(r)-1])
}

// takeUnit reads the unit after q.
func (u *utterance) takeUnit(q *quantity, to int) {
	gap := u.gap(q.to)
	after := strings.TrimLeft(gap, " ")
	switch {
	case strings.TrimSpace(gap) == "/": // "800/month"
	case strings.HasPrefix(after, "%"):
		q.unit = "percent"
	case after != "" && strings.ContainsAny(string([]rune(after)[:1]), currencySigns):
		q.unit = "money"
	case q.to >= to || breaks(gap, sentenceSigns) || breaks(gap, commaSigns):
	case u.at(q.to) == "per" && u.at(q.to+1) == "cent":
		q.unit, q.to = "percent", q.to+2
	case unitWords[u.at(q.to)] != "":
		q.unit, q.to = unitWords[u.at(q.to)], q.to+1
		if q.to+3 <= to && u.join(q.to, q.to+3) == "and a half" {
			q.lo, q.hi, q.to = q.lo+0.5, q.hi+0.5, q.to+3
		}
	case units[u.at(q.to)] > 0: // "two fifty"
	default:
		q.noun = u.at(q.to)
	}
}

// takeRange reads the upper end of a range: "5-10", "5 to 10", "between 5 and
// 10", "10 or 12", "10 to 20k".
func (u *utterance) takeRange(q *quantity, low numeral, to int) {
	next := q.to
	gap := u.gap(next)
	dash := strings.Trim(gap, " ")
	switch {
	case (dash == "-" || dash == "–" || dash == "—") && isDigit(u.at(next)):
	case u.at(next) == "to" || u.at(next) == "till" || u.at(next) == "until" || u.at(next) == "or":
		next++
	case u.at(next) == "and" && u.before(q.from, "between"):
		next++
	default:
		return
	}
	high, ok := u.numeralAt(next, to)
	if !ok {
		return
	}
	high.value = max(high.value, -high.value)
	top := quantity{lo: high.value, hi: high.value, from: next, to: high.next, unit: high.unit}
	u.takeUnit(&top, to)
	if by := u.scaledBy(high, next); !low.scaled && low.value < high.value/by {
		q.lo *= by
	}
	if q.lo > top.hi || (q.unit != "" && top.unit != "" && q.unit != top.unit) {
		return
	}
	q.hedged = q.hedged || u.at(next-1) == "or" || high.loose
	q.hi, q.to, q.noun, q.year = top.hi, top.to, top.noun, false
	if top.unit != "" {
		q.unit = top.unit
	}
}

// scaledBy returns the scale that n, read from word i on, is said in, which what it
// is the upper end of may be said in too: 100 of "two or three hundred", 1000 of "10 to 20k".
func (u *utterance) scaledBy(n numeral, i int) float64 {
	by := 1.0
	for last := n.next - 1; last > i && scales[u.at(last)] > 1; last-- {
		by *= scales[u.at(last)]
	}
	if by > 1 || !n.scaled {
		return by
	}
	for n.value/by >= 1000 {
		by *= 1000
	}
	return by
}

// before reports whether w stands within three words before word i.
func (u *utterance) before(i int, w string) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if u.at(j) == w {
			return true
		}
	}
	return false
}

var (
	mostBefore  = phrases("up to", "at most", "no more than", "not more than", "less than", "fewer than", "under", "below", "maximum", "maximum of", "max", "a maximum of", "not over", "no higher than", "capped at")
	leastBefore = phrases("at least", "more than", "over", "above", "minimum", "minimum of", "a minimum of", "no less than", "not less than", "upwards of", "from", "starting at", "north of")
	mostAfter   = phrases("at most", "max", "maximum", "or less", "or fewer", "tops", "at the most")
	leastAfter  = phrases("or more", "plus", "minimum", "at least", "and up", "and above", "and more", "upwards")
	looseAfter  = phrases("or so", "ish", "give or take", "plus or minus", "more or less", "or thereabouts", "roughly", "approximately", "i think", "i guess", "maybe", "probably", "i believe", "i suppose")
)

// doubts notes what stands around q: bounds and hedges, within words from to.
func (u *utterance) doubts(q *quantity, from, to int) {
	for back := 1; back <= 4 && q.from-back >= from; back++ {
		i := q.from - back
		q.hedged = q.hedged || (back <= 2 && numberHedges[u.at(i)])
		switch back {
		case u.starts(i, q.from, mostBefore):
			q.bound = '<'
		case u.starts(i, q.from, leastBefore):
			if q.bound == 0 && !(u.at(i) == "from" && q.lo == q.hi) {
				q.bound = '>'
			}
		}
	}
	after := max(q.to, q.rate.to)
	if after > q.to && u.starts(q.to, to, mostAfter)+u.starts(q.to, to, leastAfter)+u.starts(q.to, to, looseAfter) > 0 {
		after = q.to
	}
	if after == q.to && q.noun != "" && after < to && u.starts(after, to, mostAfter)+u.starts(after, to, leastAfter)+u.starts(after, to, looseAfter) == 0 {
		after++
	}
	switch {
	case u.starts(after, to, looseAfter) > 0:
		q.hedged = true
	case u.starts(after, to, mostAfter) > 0:
		q.bound = '<'
	case u.starts(after, to, leastAfter) > 0 || strings.HasPrefix(u.gap(q.to), "+"):
		q.bound = '>'
	}
	q.hedged = q.hedged || strings.Contains(u.gap(q.from), "~")
}
