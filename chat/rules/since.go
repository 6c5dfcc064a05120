package rules

import (
	"slices"
	"strings"
	"time"

	"quaestor/obligations"
)

var sinceWords = set("since did founded started established began begun")

// sinceWhen reports whether t asks when something began.
func sinceWhen(t *obligations.Template) bool {
	return slices.ContainsFunc(cut(t.Prompt+" "+strings.ReplaceAll(t.Key, "_", " ")), func(w string) bool { return sinceWords[w] })
}

var (
	comingWords = set("will next coming this open opens opening start starts starting begin begins launch launching plan planning going hope yet soon")
	eventWords  = set("after before when that")
	afterthings = set("i we it maybe probably really think just already now so yes guess suppose or for with")
)

// begun is when something began that began at m: the latest such month or season, where
// no year is said and nothing says that it is still to come. told is false when the year
// hangs on something nobody can look up: "the summer after the flood".
func (u *utterance) begun(m moment, now time.Time) (out moment, told bool) {
	next := u.at(m.to)
	if u.parted(m.to) {
		next = ""
	}
	season := slices.ContainsFunc(u.words[m.from:m.to], func(w word) bool { return seasons[w.text] != 0 })
	switch {
	case m.exact || !u.recurs(m):
		return m, true
	case eventWords[next] || season && next != "" && !afterthings[next]:
		return m, false
	case !m.first.After(now) || u.isComing(m):
		return m, true
	}
	m.period, m.hedged = m.yearBefore(), true
	return m, true
}

// recurs reports whether m comes each year: a month, a season, a quarter.
func (u *utterance) recurs(m moment) bool {
	return slices.ContainsFunc(u.words[m.from:m.to], func(w word) bool {
		return monthNames[w.text] != 0 || seasons[w.text] != 0 || quarterName(w.text) != 0 || w.text == "christmas"
	})
}

// isComing reports whether words in or before m say that it lies ahead: "we open in
// June".
func (u *utterance) isComing(m moment) bool {
	for i := m.to - 1; i >= 0 && i >= m.from-maxClause; i-- {
		if u.at(i) == "since" {
			return false
		}
		if comingWords[u.at(i)] {
			return true
		}
		if i <= m.from && breaks(u.gap(i), sentenceSigns) {
			break
		}
	}
	return false
}

// yearBefore is p a year earlier.
func (p period) yearBefore() period {
	last := p.last.AddDate(-1, 0, 0)
	if p.layout == byMonth { // to the end of that month in that year
		last = day(p.last.Year()-1, p.last.Month()+1, 0)
	}
	p.first, p.last = p.first.AddDate(-1, 0, 0), last
	return p
}

// notSince stand beside a length of time that does not reach from then to now.
var notSince = set("in within after before next every of later until till ahead from")

// lasted reads for how long something has been: "for 20 years" is since 20 years ago.
func (u *utterance) lasted(from, to int, now time.Time) reading {
	all := slices.DeleteFunc(u.quantities(from, to), func(q quantity) bool { return spans[q.unit] < 1 })
	if len(all) != 1 {
		return reading{}
	}
	q := all[0]
	if q.lo != q.hi || q.lo <= 0 || q.hi*spans[q.unit] > maxLasted || q.rate.period != "" || notSince[u.at(q.from-1)] || notSince[u.at(q.to)] && !u.parted(q.to) {
		return reading{}
	}
	y, m, d := now.Date()
	p := calendar{u, to, day(y, m, d)}.shift(-q.hi, q.unit)
	return reading{value: encode(p.value()), from: q.from, to: q.to, hedged: true}
}

// maxLasted is the longest, in days, that anything has been.
const maxLasted = 500 * 365
