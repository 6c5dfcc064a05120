package rules

import (
	"math"
	"slices"
	"strings"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// aWeek is how often a period comes in a week. How many days somebody means who says
// "a day" is not known: from the working days to all of them.
var aWeek = map[string][2]float64{
	"day": {5, 7}, "everyday": {7, 7}, "weekday": {5, 5}, "week": {1, 1}, "fortnight": {0.5, 0.5}, "month": {12.0 / 52, 12.0 / 52}, "quarter": {4.0 / 52, 4.0 / 52}, "year": {1.0 / 52, 1.0 / 52},
}

// eachDay joins what is said of a day with how many days of a week are meant: "2
// hours a day, three days a week".
func (u *utterance) eachDay(list []quantity) []quantity {
	for i := 0; i+1 < len(list); i++ {
		a, b := list[i], list[i+1]
		if a.days() && u.ofEach(a, b) {
			b.rate = rate{period: "day", lo: 1, hi: 1, from: b.to, to: b.to}
		}
		if b.daily() && a.days() {
			a, b = b, a
		}
		if !a.daily() || !b.days() || list[i+1].from-list[i].said() > 2 {
			continue
		}
		a.lo, a.hi, a.rate = a.lo*b.lo*a.rate.lo, a.hi*b.hi*a.rate.hi, b.rate
		a.rate.from, a.rate.to = min(list[i].first(), list[i+1].first()), max(list[i].said(), list[i+1].said())
		list = slices.Replace(list, i, i+2, a)
	}
	return list
}

// ofEach reports whether b is how much each of the days is that a counts: "two evenings a
// week, 3 hours each", "two evenings a week of three hours".
func (u *utterance) ofEach(a, b quantity) bool {
	between := u.at(b.from - 1)
	return b.unit == "hour" && b.rate.period == "" && (u.at(b.to) == "each" || b.from-1 == a.said() && (between == "of" || between == "for"))
}

// daily reports whether q is said of a day, and days whether it counts days of a
// longer period.
func (q quantity) daily() bool { return q.rate.period == "day" || q.rate.period == "everyday" }

func (q quantity) days() bool {
	some := q.unit == "day" || periodWords[strings.TrimSuffix(q.noun, "s")] == "day"
	return some && (q.rate.period == "week" || q.rate.period == "month")
}

// first and said are the words of q with its rate, said excluded.
func (q quantity) first() int {
	if q.rate.period != "" {
		return min(q.from, q.rate.from)
	}
	return q.from
}

func (q quantity) said() int { return max(q.to, q.rate.to) }

// over brings q to a figure for the period that t asks for. same tells whether it is
// the person's own; ok is false when nobody can tell.
func (q quantity) over(t *obligations.Template) (out quantity, same, ok bool) {
	r := q.rate
	if r.period == "" {
		return q, true, true
	}
	asked := periodOf(t)
	own := r.period == asked || asked == "day" && (r.period == "everyday" || r.period == "weekday")
	from, to := aWeek[r.period], aWeek[asked]
	switch {
	case asked == "", own && r.lo == 1 && r.hi == 1:
		return q, true, true
	case !own && (r.uneven || from[0] == 0 || to[0] == 0 || unitOf(t.Unit) == "percent"): // growth does not add up
		return q, false, false
	}
	if own {
		from, to = [2]float64{1, 1}, [2]float64{1, 1}
	}
	q.lo = rounded(q.lo * r.lo * from[0] / to[1])
	q.hi = rounded(q.hi * r.hi * from[1] / to[0])
	return q, false, true
}

// wholeSum reports whether t asks for all the money there is for something, of which a rate
// tells only how fast it is spent.
func wholeSum(t *obligations.Template) bool {
	return unitOf(t.Unit) == "money" && periodOf(t) == "" && inName(t, "budget")
}

// inAll brings q, an amount of some period, to what it comes to over the time it is said to
// last: "500 a month for a year". Where no time is said it asks for it.
func (u *utterance) inAll(q quantity) (quantity, reading) {
	r := reading{from: q.first(), to: q.said(), hedged: true}
	span, ok := u.lasting(q)
	times, _, comparable := convert(span.lo, span.unit, q.rate.period)
	if !ok || !comparable || q.rate.uneven {
		r.remedy = messages.Message{Key: "remedy.in-all", Args: with{"period": messages.Message{Key: eachPeriod[q.rate.period]}}}
		return q, r
	}
	q.lo, q.hi = rounded(q.lo*q.rate.lo*times), rounded(q.hi*q.rate.hi*times)
	r.to = max(r.to, span.to)
	return q, r
}

// lasting returns for how long there is as much as q: "for a year", "for the next six months".
func (u *utterance) lasting(q quantity) (quantity, bool) {
	at := q.said()
	if u.at(at) != "for" && u.at(at) != "over" {
		return quantity{}, false
	}
	for at++; u.at(at) == "the" || u.at(at) == "next" || u.at(at) == "first" || numberHedges[u.at(at)]; at++ {
	}
	span, ok := u.quantityAt(at, len(u.words))
	return span, ok && spans[span.unit] > 0 && span.lo == span.hi
}

// rounded keeps no digits that a rough figure does not have.
func rounded(v float64) float64 {
	if math.Abs(v) >= 100 {
		return math.Round(v)
	}
	return math.Round(v*100) / 100
}

// periodOf returns the period that t asks a figure for: "week" of "How many hours a
// week", "year" of "in a year". It is empty where t asks for none.
func periodOf(t *obligations.Template) string {
	for _, text := range []string{t.Prompt, t.Name()} {
		words := cut(text)
		for i, w := range words {
			if adverbs[w] != "" {
				return adverbs[w]
			}
			if p := periodWords[w]; p != "" && i > 0 && slices.Contains([]string{"a", "an", "per", "each", "every"}, words[i-1]) {
				return p
			}
		}
	}
	return ""
}

// rateRemedy asks for the figure of the period that t asks for.
func rateRemedy(t *obligations.Template) messages.Message {
	return messages.Message{Key: "remedy.rate", Args: with{"period": messages.Message{Key: wholePeriods[periodOf(t)]}}}
}

// wholePeriods are the messages for a period as a whole, "a whole week", and eachPeriod
// those for how much there is in each of them, "a week".
var (
	wholePeriods = map[string]string{
		"day": "period.whole.day", "everyday": "period.whole.day", "weekday": "period.whole.day", "week": "period.whole.week", "fortnight": "period.whole.fortnight",
		"month": "period.whole.month", "quarter": "period.whole.quarter", "year": "period.whole.year",
	}
	eachPeriod = map[string]string{
		"day": "period.each.day", "everyday": "period.each.day", "weekday": "period.each.weekday", "week": "period.each.week", "fortnight": "period.each.fortnight",
		"month": "period.each.month", "quarter": "period.each.quarter", "year": "period.each.year",
	}
)
