package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// readDate reads one date.
func (u *utterance) readDate(t *obligations.Template, from, to int, now time.Time) reading {
	all := u.moments(from, to, now)
	if sinceWhen(t) && !slices.ContainsFunc(all, func(m moment) bool { return m.exact || !u.recurs(m) }) {
		if r := u.lasted(from, to, now); r.found() {
			return r
		}
	}
	if len(all) == 0 {
		return u.noDate(from, to)
	}
	m := closest(all)
	for _, other := range all {
		if !m.within(other) {
			return reading{from: m.from, to: other.to, remedy: messages.Message{Key: "remedy.several-dates"}}
		}
	}
	return u.date(t, m, now, u.hedged(from, to))
}

// closest returns the shortest of some dates: "1 June" of "before the summer, say 1
// June".
func closest(all []moment) moment {
	return slices.MinFunc(all, func(a, b moment) int { return cmp.Compare(a.last.Sub(a.first), b.last.Sub(b.first)) })
}

// within reports whether m is other, or lies in it.
func (m moment) within(other moment) bool {
	return m.value() == other.value() || !m.first.Before(other.first) && !m.last.After(other.last)
}

// date turns m into a value of t, or says why it cannot be one.
func (u *utterance) date(t *obligations.Template, m moment, now time.Time, hedged bool) reading {
	told := true
	if sinceWhen(t) {
		m, told = u.begun(m, now)
	}
	r := reading{from: m.from, to: m.to, hedged: hedged || m.hedged || u.at(m.from-1) == "around" || u.at(m.from-1) == "about"}
	switch {
	case !told:
		r.remedy.Key = "remedy.year"
	case m.other != nil:
		r.remedy = messages.Message{Key: "remedy.which-date", Args: with{"first": messages.Date(m.value()), "second": messages.Date(m.other.value())}}
	case ahead(t) && m.last.Before(now.AddDate(0, 0, -1)):
		r.remedy.Key = "remedy.passed"
	default:
		r.value = encode(m.value())
	}
	return r
}

// urgent words name no date.
var urgent = phrases("asap", "as soon as possible", "soon", "immediately", "right away", "yesterday already", "urgently", "no deadline yet", "the sooner the better")

// noDate asks for a date where only haste is said, or a figure makes no date.
func (u *utterance) noDate(from, to int) reading {
	for i := from; i < to; i++ {
		if u.starts(i, to, urgent) > 0 {
			return reading{from: i, to: i + 1, remedy: messages.Message{Key: "remedy.rough-date"}}
		}
		if isDigit(u.at(i)) {
			return reading{from: i, to: i + 1, remedy: chat.DateRemedy()}
		}
	}
	return reading{}
}

var (
	aheadWords = set("launch deadline due deliver delivery live target finish complete completed ready release deadlines by")
	pastWords  = set("did since founded started established begin began previous last historical history")
)

// ahead reports whether t asks for a day to come: its words speak of a deadline
// or a launch, and none of the past.
func ahead(t *obligations.Template) bool {
	words := cut(t.Prompt + " " + t.Name() + " " + strings.ReplaceAll(t.Key, "_", " "))
	has := func(s map[string]bool) bool { return slices.ContainsFunc(words, func(w string) bool { return s[w] }) }
	return has(aheadWords) && !has(pastWords)
}
