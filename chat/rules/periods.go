package rules

import (
	"math"
	"slices"
	"strings"

	"quaestor/obligations"
)

// aWeek is how often a period comes in a week. How many days somebody means who says
// "a day" is not known: from the working days to all of them.
var aWeek = map[string][2]float64{
	"day": {5, 7}, "everyday": {7, 7}, "weekday": {5, 5}, "week": {1, 1}, "fortnight": {0.5, 0.5}, "month": {12.0 / 52, 12.0 / 52}, "quarter": {4.0 / 52, 4.0 / 52}, "year": {1.0 / 52, 1.0 / 52},
}

// eachDay joins what is said of a day with how many days of a week are meant: "2
// hours a day, three days a week".
func eachDay(list []quantity) []quantity {
	for i := 0; i+1 < len(list); i++ {
		a, b := list[i], list[i+1]
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
func rateRemedy(t *obligations.Template) string {
	return "I need that as a figure for a whole " + periodOf(t) + "; a rough one is fine."
}
