package rules

import (
	"slices"

	"quaestor/obligations"
)

// saysNone reports whether choice i of t says that none of the others holds.
func saysNone(t *obligations.Template, i int) bool {
	words := cut(t.Choices[i].Label)
	return noneWords[t.Choices[i].Value] || len(words) > 0 && noneWords[words[0]]
}

// withoutNone settles between the choice that says none and others named beside it:
// "nothing really, just talked to friends" is the talk, "nothing yet, but we plan a
// survey" is nothing.
func (u *utterance) withoutNone(t *obligations.Template, hits []hit) []hit {
	none := func(h hit) bool { return saysNone(t, h.choice) }
	done := func(h hit) bool { return !h.negated && !none(h) && !u.planned(h) }
	switch {
	case !slices.ContainsFunc(hits, none):
		return hits
	case slices.ContainsFunc(hits, done):
		return slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return !h.negated && !done(h) })
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return !none(h) && !h.negated })
}

// plans say that something is still to be done.
var plans = set("plan plans planning will going want wants hope hoping intend thinking considering would soon later next")

// planReach is how far before a choice a word of plans counts.
const planReach = 6

// planned reports whether a choice is said to be still to come.
func (u *utterance) planned(h hit) bool {
	for i := h.from - 1; i >= 0 && i >= h.from-planReach && !u.parted(i+1) && u.at(i) != "but"; i-- {
		if plans[u.at(i)] {
			return true
		}
	}
	return false
}
