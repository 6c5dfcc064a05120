package rules

import (
	"encoding/json"
	"slices"

	"quaestor/obligations"
)

// verdict is what a message says of the values it may choose from.
type verdict struct {
	right, wrong []int    // places of the values it stands by, and of those it rejects
	other        []clause // what it says of neither
	at           clause   // where it speaks of a value first, of one it stands by before all
}

// judge weighs what the statements of content say of each of values: who says which
// one is wrong says as well which one is right.
func (r *reader) judge(values []json.RawMessage, content []clause) verdict {
	var v verdict
	for _, c := range r.statements(values, content) {
		i := r.spokenOfIn(values, c)
		switch {
		case r.all(c) && r.rejects(values, c):
			v.wrong = everyPlace(len(values))
		case i < 0:
			v.other = append(v.other, c)
			continue
		case r.rejects(values, c):
			v.wrong = append(v.wrong, i)
		default:
			v.right = append(v.right, i)
		}
		if v.at.len() == 0 || len(v.right) == 1 && len(v.wrong) > 0 && v.right[0] == i {
			v.at = c
		}
	}
	return v
}

// spokenOfIn returns the place of the value that c speaks of, whatever it says of it, or
// -1: "March was too early" speaks of March.
func (r *reader) spokenOfIn(values []json.RawMessage, c clause) int {
	if i := r.whichValue(values, c.from, c.to); i >= 0 {
		return i
	}
	if i := r.byOverlap(values, c.from, c.to, true); i >= 0 {
		return i
	}
	for j := c.from + 1; j < c.to; j++ {
		if linkVerbs[r.u.at(j)] {
			return r.whichValue(values, c.from, j)
		}
	}
	return -1
}

func everyPlace(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// only returns the place of the one value of n that stands, or -1.
func (v verdict) only(n int) int {
	stands := v.right
	if len(stands) == 0 && len(v.wrong) > 0 {
		stands = slices.DeleteFunc(everyPlace(n), func(i int) bool { return slices.Contains(v.wrong, i) })
	}
	stands = slices.Compact(slices.Sorted(slices.Values(stands)))
	if len(stands) != 1 || slices.Contains(v.wrong, stands[0]) {
		return -1
	}
	return stands[0]
}

// statements cuts content where a value is set against another one: "14 not 12".
func (r *reader) statements(values []json.RawMessage, content []clause) []clause {
	var out []clause
	for _, c := range content {
		for _, c := range r.u.clausesWithin(c) {
			if next := r.u.at(c.from + 1); next != "longer" && next != "more" {
				c.from = r.skip(c.from, c.to, noOpeners, idleOpeners, actuallyOpeners) // "no the second one is wrong"
			}
			if i := r.contrast(c.from, c.to); i > c.from && r.whichValue(values, i+1, c.to) >= 0 && r.whichValue(values, c.from, i) >= 0 {
				out = append(out, clause{from: c.from, to: i})
				c.from = i
			}
			out = append(out, c)
		}
	}
	return out
}

// sentenceEnds reports whether a sentence ends between word from and word to.
func (r *reader) sentenceEnds(from, to int) bool {
	for i := from + 1; i <= to; i++ {
		if breaks(r.u.gap(i), sentenceSigns) {
			return true
		}
	}
	return false
}

// clausesWithin cuts a sentence that was taken as one into its clauses.
func (u *utterance) clausesWithin(c clause) []clause {
	var out []clause
	for _, x := range u.clauses() {
		if x.from >= c.from && x.to <= c.to {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return []clause{c}
	}
	return out
}

var (
	wrongOnes = set(`wrong wrongly mistake mistaken mistakenly error typo incorrect incorrectly false nonsense outdated obsolete accident accidentally misspoke mistyped
		misread superseded ignore forget scratch delete drop remove discard strike dismiss stopped`)
	notWords = set("not no never neither nor isnt wasnt")
	oldOnes  = set("old older former previous earlier original past history")
	longAgo  = phrases("last year", "last month", "last week", "last summer", "last spring", "last autumn", "last winter", "last season", "years ago", "a year ago", "months ago",
		"a month ago", "used to", "back then", "previously", "formerly", "at the time", "at that time", "in the past", "out of date", "no longer", "any more", "anymore", "was a guess", "was just a guess", "was only a guess", "can go", "is off", "was off", "too low", "too high", "too early", "too late", "too small", "too big", "too large", "too few", "too many",
		"too much", "too little")
	sinceThen = set("since from until till as")
)

// all reports whether c speaks of every value: "both are wrong", "none of them".
func (r *reader) all(c clause) bool {
	switch r.u.at(r.skip(c.from, c.to, idleOpeners, thinkLeads)) {
	case "both", "neither", "all", "none":
		return true
	}
	return false
}

// rejects reports whether c says that the value it speaks of does not hold, or does no
// longer. Words that are part of a value say nothing of it.
func (r *reader) rejects(values []json.RawMessage, c clause) bool {
	own := map[string]bool{}
	for _, v := range values {
		for _, w := range cut(text(v)) {
			own[w] = true
		}
	}
	no, wrong := false, false
	for i := c.from; i < c.to; i++ {
		w := r.u.at(i)
		switch {
		case own[w]:
		case notWords[w]:
			no = !no
		case wrongOnes[w]:
			wrong = true
		case w == "none", w == "before" && i == c.to-1, oldOnes[w] && r.linkedBefore(values, c.from, i), r.u.starts(i, c.to, longAgo) > 0 && !sinceThen[r.u.at(i-1)]:
			return true
		}
	}
	return no != wrong
}

// linkedBefore reports whether words from to (excluded) name a value and link what
// follows to it: "12 is the" of "12 is the old one".
func (r *reader) linkedBefore(values []json.RawMessage, from, to int) bool {
	for i := from + 1; i < to; i++ {
		if linkVerbs[r.u.at(i)] && r.whichValue(values, from, i) >= 0 {
			return true
		}
	}
	return false
}

// anew returns the statements that give a value of their own instead, without what
// leads in: "it is 15", "15 people".
func (r *reader) anew(list []clause) []clause {
	var out []clause
	for _, c := range list {
		if n := r.skip(c.from, c.to, strongOpeners, idleOpeners); n > c.from {
			c.from = n
		} else if got := r.u.read(r.asked.Template, c.from, c.to, r.scene.Now); r.asked.Widget == obligations.Text || got.value == nil || !ofChoices(r.asked.Template, got.value) || r.u.content(c.from, c.to)-r.u.content(got.from, got.to) > 1 {
			continue
		}
		out = append(out, c)
	}
	return out
}
