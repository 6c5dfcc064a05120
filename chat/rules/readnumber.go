package rules

import (
	"math"
	"slices"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// readNumber reads a number or a range in the unit of t. What is part of a date is
// none.
func (u *utterance) readNumber(t *obligations.Template, from, to int, now time.Time) reading {
	if r := u.headcount(t, from, to); r.found() {
		return r
	}
	all := u.quantities(from, to)
	if len(all) == 0 {
		return u.noNumber(t, from, to)
	}
	all = u.undated(all, u.moments(from, to, now))
	if len(all) == 0 {
		return reading{from: from, to: to, remedy: chat.NumberRemedy(t)}
	}
	unit := unitOf(t.Unit)
	fit := u.fitting(t, all)
	if len(fit) == 0 {
		return reading{from: all[0].from, to: all[0].to, remedy: u.unfitRemedy(t, all)}
	}
	q, ok := u.total(t, fit, from, to)
	if !ok {
		q, ok = u.single(fit, unit, t)
	}
	if !ok {
		return reading{from: fit[0].from, to: fit[len(fit)-1].to, remedy: messages.Message{Key: "remedy.several-numbers"}}
	}
	r := u.measure(t, q)
	r.hedged = r.hedged || u.hedged(from, to)
	return r
}

// partsOfTime are lengths of time nobody can convert.
var partsOfTime = set("morning mornings afternoon afternoons evening evenings night nights weekend weekends session sessions shift shifts")

// fitting returns the figures of list that can be of what t asks for.
func (u *utterance) fitting(t *obligations.Template, list []quantity) []quantity {
	unit := unitOf(t.Unit)
	return slices.DeleteFunc(slices.Clone(list), func(q quantity) bool {
		clock := spans[unit] > 0 && q.unit == "" && q.noun == "" && ofTheClock[u.at(q.from-1)] // "evenings after 8"
		return clock || !comparable(q.unit, unit, t.Unit) || (spans[unit] > 0 || unit == "money") && partsOfTime[q.noun] || fillsPeriod(q, t)
	})
}

// ofTheClock stand before an hour of the day.
var ofTheClock = set("after before until till past")

// unfitRemedy says what would be right where no figure of list is of what t asks for.
func (u *utterance) unfitRemedy(t *obligations.Template, list []quantity) messages.Message {
	if spans[unitOf(t.Unit)] > 0 && slices.ContainsFunc(list, func(q quantity) bool { return partsOfTime[q.noun] }) {
		return partsRemedy(t)
	}
	return chat.NumberRemedy(t)
}

// partsRemedy asks for what parts of time come to, which may be short or long.
func partsRemedy(t *obligations.Template) messages.Message {
	asked := with{"unit": messages.Units(strings.ToLower(t.Unit))}
	if key := eachPeriod[periodOf(t)]; key != "" {
		asked["period"] = messages.Message{Key: key}
		return messages.Message{Key: "remedy.parts-each", Args: asked}
	}
	return messages.Message{Key: "remedy.parts", Args: asked}
}

// undated returns list without the figures of dates that name a month: "sept 2027",
// "1 June".
func (u *utterance) undated(list []quantity, dates []moment) []quantity {
	return slices.DeleteFunc(list, func(q quantity) bool {
		m, ok := dateWith(dates, q)
		return ok && u.namesMonth(m, q)
	})
}

// namesMonth reports whether a month stands among the words of m. "May" and "march"
// are words too, and need the figure of a year or a day that is one.
func (u *utterance) namesMonth(m moment, q quantity) bool {
	for i := m.from; i < m.to; i++ {
		if w := u.at(i); monthNames[w] != 0 && (q.year || w != "may" && w != "march" && w != "mar") {
			return true
		}
	}
	return false
}

// noNumber reads "none" as zero and asks for a figure where only "a few" is said.
func (u *utterance) noNumber(t *obligations.Template, from, to int) reading {
	content := u.content(from, to)
	for i := from; i < to; i++ {
		switch u.at(i) {
		case "none", "nobody", "nothing", "zero":
			if (i < from+4 || content <= 4) && u.asNought(t, i, to) {
				return u.measure(t, quantity{from: i, to: i + 1})
			}
		case "no":
			if i+1 < to && !breaks(u.gap(i+1), commaSigns) && u.lacks(t, i, content) {
				return u.measure(t, quantity{from: i, to: i + 1})
			}
		case "weekend", "weekends", "weekday", "weekdays", "morning", "mornings", "afternoon", "afternoons", "evening", "evenings", "night", "nights":
			if spans[unitOf(t.Unit)] > 0 {
				return reading{from: i, to: i + 1, remedy: partsRemedy(t)}
			}
		case "few", "several", "many", "some", "lots", "hundreds", "thousands", "dozens", "tens", "millions", "handful":
			return reading{from: i, to: i + 1, remedy: messages.Message{Key: "remedy.rough-number"}}
		}
	}
	return reading{}
}

// asNought reports whether a word for none at word i is the whole of what t asks for:
// not so "nobody else", "none of us", "nothing fixed", nor "nobody" where no people are
// counted.
func (u *utterance) asNought(t *obligations.Template, i, to int) bool {
	if u.at(i) == "nobody" && (unitOf(t.Unit) == "money" || spans[unitOf(t.Unit)] > 0) {
		return false
	}
	next := u.at(i + 1)
	if i+1 >= to || breaks(u.gap(i+1), commaSigns) || breaks(u.gap(i+1), sentenceSigns) {
		return true
	}
	return u.at(i) == "zero" || !restricting[next] && (u.at(i) != "nothing" || stillNothing[next])
}

var (
	restricting  = set("else besides apart except but other of")
	stillNothing = set("yet at so really right for as now")
)

// noFigures follow a "no" that is no nought: "no rush", "no limit".
var noFigures = set("idea ideas clue rush hurry limit limits problem problems worry worries preference deadline date pressure comment opinion way need doubt matter more particular fixed set real end")

// lacks reports whether "no" at word i says that there is none of what t asks for,
// rather than of something else that an answer of so many words of content tells of.
func (u *utterance) lacks(t *obligations.Template, i, content int) bool {
	if u.at(i+1) == "one" && restricting[u.at(i+2)] { // "no one else"
		return false
	}
	if headNouns[u.at(i+1)] && !strings.EqualFold(t.Unit, "people") { // "no employees" is no sum of money
		return false
	}
	return content <= 2 && !noFigures[u.at(i+1)] || inName(t, u.at(i+1)) || stem(u.at(i+1)) == stem(strings.ToLower(t.Unit))
}

// comparable reports whether a number said with one unit can answer for another.
// Plain numbers always can.
func comparable(said, wanted, text string) bool {
	if said == "" || said == wanted {
		return true
	}
	if spans[said] > 0 && spans[wanted] > 0 {
		return true
	}
	return wanted == "" && text == ""
}

// single picks the quantity that answers: the only one, the one in t's unit, or
// the one said to hold now. Years beside it are dates, not answers.
func (u *utterance) single(list []quantity, unit string, t *obligations.Template) (quantity, bool) {
	if len(list) > 1 {
		list = prefer(list, func(q quantity) bool { return !q.year || (t.Min != nil && *t.Min >= 1000) })
	}
	if len(list) > 1 {
		list = prefer(list, func(q quantity) bool { return u.current(q) })
	}
	if len(list) > 1 {
		list = prefer(list, func(q quantity) bool {
			return (unit != "" && q.unit == unit) || (q.noun != "" && t.Unit != "" && stem(q.noun) == stem(strings.ToLower(t.Unit)))
		})
	}
	if len(list) > 1 {
		list = prefer(list, func(q quantity) bool { return !q.days() })
	}
	if asked := periodOf(t); len(list) > 1 && asked != "" {
		list = prefer(list, func(q quantity) bool { return q.rate.period == asked && !q.rate.uneven })
	}
	if len(list) > 1 && strings.EqualFold(t.Unit, "people") { // "12 employees in 3 shops"
		list = prefer(list, func(q quantity) bool { return staffed[stem(u.lastOfNoun(q))] || u.ofPeople(q) && inName(t, "users") })
	}
	if len(list) > 1 && !u.alike(list) {
		list = prefer(list, func(q quantity) bool { return q.noun == "" || connecting[q.noun] })
	}
	same := !slices.ContainsFunc(list, func(q quantity) bool { return q.lo != list[0].lo || q.hi != list[0].hi })
	return list[0], same
}

// alike reports whether all of list count people, or all are money, so that none of them is
// more likely meant: "100k online, 50k in the shop".
func (u *utterance) alike(list []quantity) bool {
	other := func(q quantity) bool { return !u.ofPeople(q) }
	if q := list[0]; q.unit == "money" || u.scaledFigure(q) {
		other = func(q quantity) bool { return q.unit != "money" && !u.scaledFigure(q) }
	}
	return !slices.ContainsFunc(list, other)
}

// ofPeople reports whether q counts people by their kind.
func (u *utterance) ofPeople(q quantity) bool {
	who := stem(u.lastOfNoun(q))
	return publics[who] || staffed[who]
}

// prefer keeps what is liked, or all when nothing or everything is.
func prefer(list []quantity, liked func(quantity) bool) []quantity {
	out := slices.DeleteFunc(slices.Clone(list), func(q quantity) bool { return !liked(q) })
	if len(out) == 0 {
		return list
	}
	return out
}

// current reports whether q is said to hold now: "but now 12", "now it is only 4",
// "12 at the moment".
func (u *utterance) current(q quantity) bool {
	for i := q.from - 1; i >= q.from-4 && i >= 0 && !breaks(u.gap(i+1), sentenceSigns); i-- {
		if nowWords[u.at(i)] {
			return true
		}
	}
	after := func(i int) bool { return nowWords[u.at(i)] && !breaks(u.gap(i), commaSigns) }
	return after(q.to) || u.at(q.to+1) == "now" && !breaks(u.gap(q.to), commaSigns) && after(q.to+1)
}

var nowWords = set("now currently today")

// measure turns q into a value in t's unit, within its bounds.
func (u *utterance) measure(t *obligations.Template, q quantity) reading {
	q, r := u.forPeriod(t, q)
	if r.remedy.Key != "" {
		return r
	}
	unit := unitOf(t.Unit)
	lo, exactLo, ok := convert(q.lo, q.unit, unit)
	hi, exactHi, _ := convert(q.hi, q.unit, unit)
	if !ok && t.Unit != "" && q.unit != "" {
		r.remedy = chat.NumberRemedy(t)
		return r
	}
	if !exactLo || !exactHi {
		r.hedged = true
		if t.Integer {
			lo, hi = math.Round(lo), math.Round(hi)
		}
	}
	switch {
	case q.bound == '<' && lo == hi && hi >= least(t):
		lo = least(t)
	case q.bound == '>' && lo == hi:
		r.hedged = true
	}
	r.value = encode(lo)
	if lo != hi {
		r.value = encode(obligations.Range{Min: lo, Max: hi})
	}
	if t.Check(r.value) != nil {
		r.value, r.remedy = nil, chat.NumberRemedy(t)
	}
	return r
}

// forPeriod brings q to the period that t asks for, with the words it was read from, or
// says why it cannot be.
func (u *utterance) forPeriod(t *obligations.Template, q quantity) (quantity, reading) {
	r := reading{from: q.from, to: q.to, hedged: q.hedged}
	if wholeSum(t) && q.rate.period != "" && q.rate.period != "year" {
		return u.inAll(q)
	}
	if unit := unitOf(t.Unit); q.unit == "day" && unit == "hour" && periodOf(t) == "week" {
		q.lo, q.hi, q.unit, r.hedged = q.lo*workingDay, q.hi*workingDay, unit, true
	}
	q, same, ok := q.over(t)
	switch {
	case !ok:
		r.remedy = rateRemedy(t)
	case !same:
		r.from, r.to, r.hedged = q.first(), q.said(), true
	}
	return q, r
}

// workingDay is how many hours somebody means who gives a day a week.
const workingDay = 8

// fillsPeriod reports whether q is a length of time that fills the period t asks a
// figure for: no answer to how many hours a week is a week.
func fillsPeriod(q quantity, t *obligations.Template) bool {
	if spans[q.unit] == 0 || spans[unitOf(t.Unit)] == 0 {
		return false
	}
	asked := periodOf(t)
	return asked != "" && spans[q.unit] >= spans[asked]
}

// least is the lower end of "up to".
func least(t *obligations.Template) float64 {
	if t.Min != nil {
		return *t.Min
	}
	return 0
}
