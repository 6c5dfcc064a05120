package rules

import (
	"strings"

	"quaestor/obligations"
)

// selves are the ways people count themselves.
var selves = phrases("me", "myself", "i", "just me", "only me", "just myself", "it is just me", "it is only me", "just i", "me myself", "me alone")

// pets are not counted.
var pets = set("dog dogs cat cats pet pets hamster parrot")

// headcount adds up the people somebody names beside themselves: "me and one
// developer", "my wife and I plus two part-timers". It finds nothing unless t
// counts people, and the person is among those named or they are of several kinds.
func (u *utterance) headcount(t *obligations.Template, from, to int) reading {
	if strings.ToLower(t.Unit) != "people" || to-from > maxHeadcount {
		return reading{}
	}
	total, self, guessed := 0.0, false, false
	for _, c := range u.items(u.skipLeadIns(from, to), to) {
		n, how := u.heads(c)
		if how == uncounted {
			return reading{}
		}
		total += n
		self = self || how == oneself
		guessed = guessed || how == somebody
	}
	if !self && !u.kindsOf(from, to) {
		return reading{}
	}
	r := u.measure(t, quantity{lo: total, hi: total, from: from, to: to, hedged: guessed})
	r.hedged = r.hedged || u.hedged(from, to)
	return r
}

// maxHeadcount bounds, in words, what is added up.
const maxHeadcount = 16

// kindsOfStaff tell people who are counted apart.
var kindsOfStaff = set("full part fulltime parttime permanent temporary seasonal casual freelance freelancers apprentice apprentices volunteer volunteers partners owners directors founders contractors interns trainees")

// anyStaff are all kinds, to which more may be added: "4 people plus 2 seasonal". After a
// comma those may be some of them.
var anyStaff = set("people staff employees workers")

// kindsOf reports whether words from to (excluded) count people of several kinds, and
// nothing else: "4 full time and 2 part time".
func (u *utterance) kindsOf(from, to int) bool {
	if to-from > maxHeadcount {
		return false
	}
	seen := map[string]bool{}
	list := u.items(u.skipLeadIns(from, to), to)
	for i, c := range list {
		all := u.quantities(c.from, c.to)
		if len(all) != 1 || all[0].unit != "" || all[0].rate.period != "" || seen[all[0].noun] {
			return false
		}
		noun := all[0].noun
		if !kindsOfStaff[noun] && !(i == 0 && (noun == "" || anyStaff[noun]) && len(list) > 1 && !u.parted(list[1].from) && !u.parted(list[1].from-1)) {
			return false
		}
		seen[noun] = true
	}
	return len(list) > 1
}

// counting is how an item of a list counts people.
type counting int

const (
	uncounted counting = iota
	oneself
	somebody // "my wife": one, as far as can be told
	figured
)

// heads counts the people of one item.
func (u *utterance) heads(c clause) (float64, counting) {
	if n := u.starts(c.from, c.to, selves); n > 0 && n == c.len() {
		return 1, oneself
	}
	all := u.quantities(c.from, c.to)
	switch {
	case (noneWords[u.at(c.from)] || u.at(c.from) == "nobody" || u.at(c.from) == "no") && c.len() <= 4: // "nobody else"
		return 0, figured
	case u.starts(c.from, c.to, totalLeads) > 0: // says it again: "just me, so 1"
		return 0, uncounted
	case len(all) == 1 && all[0].lo == all[0].hi && all[0].unit == "" && all[0].rate.period == "" && !all[0].year:
		return all[0].lo, figured
	case len(all) > 0 || c.len() > 4 || !owners[u.at(c.from)] && !u.calls(c.from):
		return 0, uncounted
	case pets[u.at(c.to-1)]:
		return 0, somebody
	}
	return 1, somebody
}

// calls reports whether word i is somebody's name, as far as its capital tells: "Anna, Tom
// and me".
func (u *utterance) calls(i int) bool {
	w := u.at(i)
	return u.capital(i) && len(w) > 1 && !connecting[w] && !numberHedges[w] && !strings.HasSuffix(w, "ly") && !verbs[w]
}
