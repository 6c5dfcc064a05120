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
// counts people and the person is among those named.
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
	if !self {
		return reading{}
	}
	r := u.measure(t, quantity{lo: total, hi: total, from: from, to: to, hedged: guessed})
	r.hedged = r.hedged || u.hedged(from, to)
	return r
}

// maxHeadcount bounds, in words, what is added up.
const maxHeadcount = 16

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
	case u.at(c.from) == "so": // says it again: "just me, so 1"
		return 0, uncounted
	case len(all) == 1 && all[0].lo == all[0].hi && all[0].unit == "" && !all[0].year:
		return all[0].lo, figured
	case len(all) > 0 || c.len() > 4 || !owners[u.at(c.from)]:
		return 0, uncounted
	case pets[u.at(c.to-1)]:
		return 0, somebody
	}
	return 1, somebody
}
