package rules

import "strings"

// rate says how often there is as much as a quantity tells: "a week" of "two hours a
// week", "twice a month", "every other day".
type rate struct {
	period   string  // "hour" … "year", "everyday" or "weekday"; empty for no rate
	lo, hi   float64 // how often in it
	from, to int     // words, to excluded
	uneven   bool    // of one period or a special one, which stands for no other: "last month", "in a good week"
}

// periodWords name what a rate is of.
var periodWords = map[string]string{
	"hour": "hour", "hr": "hour", "day": "day", "night": "day", "morning": "day", "afternoon": "day", "evening": "day", "weekday": "weekday", "workday": "weekday",
	"week": "week", "wk": "week", "weekend": "week", "fortnight": "fortnight", "month": "month", "mo": "month", "mth": "month", "quarter": "quarter",
	"year": "year", "yr": "year", "annum": "year",
}

// adverbs are rates of one word.
var adverbs = map[string]string{
	"hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "pw": "week", "fortnightly": "fortnight", "monthly": "month", "pcm": "month",
	"quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year", "pa": "year",
}

var (
	plainPeriods = set("normal typical average usual ordinary full whole single calendar")
	workPeriods  = set("working work business school week")
	oddPeriods   = set("good bad busy quiet slow strong weak best worst great decent")
	notRates     = set("ago later earlier from before after off back")
	deductions   = set("tax taxes vat cost costs expenses rent deductions wages salaries") // "a year before tax" is a rate all the same
)

// inSeason reports whether a part of the year follows at word i, of which a rate holds
// only: "5k a week in summer".
func (u *utterance) inSeason(i int) bool {
	if u.parted(i) || u.at(i) != "in" && u.at(i) != "during" && u.at(i) != "over" {
		return false
	}
	if i++; u.at(i) == "the" {
		i++
	}
	w := u.at(i)
	return seasons[w] != 0 || monthNames[w] != 0 || w == "season" || u.at(i+1) == "season"
}

// maxTimes bounds the words of a number of times: "two or three times".
const maxTimes = 3

var often = map[string]float64{"once": 1, "twice": 2, "thrice": 3}

// rateAt reads a rate from word i.
func (u *utterance) rateAt(i, to int) (rate, bool) {
	r := rate{lo: 1, hi: 1, from: i}
	at := u.frequency(&r, i, to)
	if !u.everyAt(&r, at, to) || notRates[u.at(r.to)] && !deductions[u.at(r.to+1)] {
		return rate{}, false
	}
	r.uneven = r.uneven || u.inSeason(r.to)
	return r, true
}

// frequency reads "twice", "three times" or "once or twice" from word i, and returns
// the word after it.
func (u *utterance) frequency(r *rate, i, to int) int {
	if n := often[u.at(i)]; n > 0 {
		r.lo, r.hi = n, n
		if m := often[u.at(i+2)]; u.at(i+1) == "or" && m > n {
			r.hi, i = m, i+2
		}
		return i + 1
	}
	for next := i + 1; next <= min(i+maxTimes, to-1); next++ {
		if u.at(next) != "times" {
			continue
		}
		if q, ok := u.quantityAt(i, to); ok && q.to == next && q.lo > 0 {
			r.lo, r.hi = q.lo, q.hi
			return next + 1
		}
	}
	return i
}

// everyAt reads the period of r from word i: "a week", "/month", "every other day",
// "monthly", "on Saturdays".
func (u *utterance) everyAt(r *rate, i, to int) bool {
	if i >= to {
		return false
	}
	word := u.at(i)
	switch {
	case adverbs[word] != "":
		r.period, r.to = adverbs[word], i+1
	case strings.TrimSpace(u.gap(i)) == "/":
		r.period, r.to = periodWords[word], i+1
	case word == "in" && (u.at(i+1) == "a" || u.at(i+1) == "an" || u.at(i+1) == "one"):
		return u.periodAt(r, i+2, to)
	case word == "last", word == "this", word == "past":
		r.uneven = true
		return u.periodAt(r, i+1, to)
	case word == "every", word == "each":
		ok := u.periodAt(r, u.skipped(r, i+1, to), to)
		if r.period == "day" {
			r.period = "everyday"
		}
		return ok
	case word == "a", word == "an", word == "per":
		return u.periodAt(r, i+1, to)
	case word == "on", word == "at", word == "in":
		return u.daysAt(r, i+1, to)
	}
	return r.period != ""
}

// skipped reads what "every" passes over: "other week", "second month", "two weeks".
func (u *utterance) skipped(r *rate, i, to int) int {
	switch w := u.at(i); {
	case w == "other" || w == "second":
		r.lo, r.hi = r.lo/2, r.hi/2
		return i + 1
	case w == "few" || w == "couple":
		r.uneven = true
		return i + 1
	}
	if n, ok := u.numeralAt(i, to); ok && n.value > 0 {
		r.lo, r.hi = r.lo/n.value, r.hi/n.value
		return n.next
	}
	return i
}

// periodAt reads the name of a period from word i.
func (u *utterance) periodAt(r *rate, i, to int) bool {
	worked := workPeriods[u.at(i)] && strings.HasPrefix(u.at(i+1), "day")
	switch {
	case worked, plainPeriods[u.at(i)]:
		i++
	case oddPeriods[u.at(i)]:
		r.uneven = true
		i++
	}
	name := u.at(i)
	r.period, r.to = periodWords[name], i+1
	if r.period == "" {
		r.period = periodWords[strings.TrimSuffix(name, "s")]
	}
	switch {
	case worked:
		r.period = "weekday"
	case r.period == "" && weekdayName(name):
		r.period = "week"
	}
	return r.period != "" && i < to
}

// daysAt reads "on Saturdays", "at weekends" and "in the evenings" after their
// preposition.
func (u *utterance) daysAt(r *rate, i, to int) bool {
	if u.at(i) == "the" {
		i++
	}
	name := u.at(i)
	r.to = i + 1
	switch {
	case name == "weekend", name == "weekends", strings.HasSuffix(name, "s") && weekdayName(name):
		r.period = "week"
	case name == "weekdays":
		r.period = "weekday"
	case name == "mornings", name == "afternoons", name == "evenings", name == "nights":
		r.period = "day"
	}
	return r.period != "" && i < to
}

func weekdayName(word string) bool {
	_, ok := weekdays[strings.TrimSuffix(word, "s")]
	return ok && len(word) > 5
}

// How far a rate may stand from what it is of, in words: "20 hours of my own time a
// month", "each month we take in about 800".
const (
	maxRateAfter  = 5
	maxRateBefore = 8
)

// untied stand before a length of time that is no rate: "20k for a year".
var untied = set("for in within over after of take takes took last lasts than until by about around is was be need needs")

// takeRate finds the rate of q, after it or before it, not before word from.
func (u *utterance) takeRate(q *quantity, from, to int) {
	r, ok := u.rateAfter(*q, to)
	if !ok {
		r, ok = u.rateBefore(*q, from)
	}
	if !ok {
		return
	}
	q.rate = r
	if r.from == q.to { // "a" is no noun
		q.noun = ""
	}
}

func (u *utterance) rateAfter(q quantity, to int) (rate, bool) {
	for i := q.to; i < min(to, q.to+maxRateAfter); i++ {
		near := i == q.to
		if u.parted(i) || !near && connects[u.at(i)] {
			break
		}
		if r, ok := u.rateAt(i, to); ok && (near || u.at(i) != "in" && !untied[u.at(i-1)]) {
			return r, true
		}
		if _, ok := u.numeralAt(i, to); ok {
			break
		}
	}
	return rate{}, false
}

func (u *utterance) rateBefore(q quantity, from int) (rate, bool) {
	for i := q.from - 1; i >= max(from, q.from-maxRateBefore) && !u.parted(i+1) && !connects[u.at(i)]; i-- {
		if r, ok := u.rateAt(i, q.from); ok && (u.at(i-1) == "in" || !untied[u.at(i-1)]) {
			return u.oftener(r, from), true
		}
	}
	return rate{}, false
}

// oftener adds to r what stands before it, not before word from: "twice" of "twice a
// week".
func (u *utterance) oftener(r rate, from int) rate {
	for i := max(from, r.from-3); i < r.from; i++ {
		if longer, ok := u.rateAt(i, r.to); ok && longer.to == r.to {
			return longer
		}
	}
	return r
}

var connects = set("and but plus so then or because")

// parted reports whether a sign parts word i from the word before.
func (u *utterance) parted(i int) bool {
	return breaks(u.gap(i), sentenceSigns) || breaks(u.gap(i), commaSigns)
}
