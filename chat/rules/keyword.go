package rules

import (
	"slices"
	"strings"

	"quaestor/obligations"
)

// generalWords stand in many names and tell none of them apart.
var generalWords = set(`size number count type kind date time year years month months people name names total amount list main level what when where which
	with from that this your most many much have make into good other than more business company product service`)

// keyWord returns the one held obligation that the words from a place on name by
// a word of its label or key, after "the" or "our": "team" for "Team size". A
// word the open question is named by too is a word of its answer.
func (r *reader) keyWord(from, to int) (cueHit, bool) {
	if owners[r.u.at(from)] {
		from++
	}
	word := r.u.at(from)
	if from >= to || len(word) < 4 || generalWords[word] || r.asked != nil && r.asked.Value == nil && nameHas(r.asked, word) {
		return cueHit{}, false
	}
	var named []*obligations.Obligation
	for i := range r.scene.Obligations {
		if o := &r.scene.Obligations[i]; o.Value != nil && nameHas(o, word) {
			named = append(named, o)
		}
	}
	if len(named) > 1 {
		named = r.figuresOf(named, from+1, to)
	}
	if len(named) != 1 {
		return cueHit{}, false
	}
	return cueHit{o: named[0], from: from, to: from + 1}, true
}

// figuresOf returns those of list that ask for a number, where words from to (excluded) have
// one: "the revenue is more like 190k" is of the yearly sales, not of how money comes in.
func (r *reader) figuresOf(list []*obligations.Obligation, from, to int) []*obligations.Obligation {
	if len(r.u.quantities(from, to)) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(o *obligations.Obligation) bool { return o.Widget != obligations.Number })
}

// nameHas reports whether word is one of the words of o's label or key.
func nameHas(o *obligations.Obligation, word string) bool { return inName(o.Template, word) }

// inName reports whether word is one of the words of t's label or key.
func inName(t *obligations.Template, word string) bool {
	for _, w := range cut(t.Name() + " " + strings.ReplaceAll(t.Key, "_", " ")) {
		if stem(w) == stem(word) {
			return true
		}
	}
	return false
}

// changeLinks lead from the name of what is changed to its right value.
var changeLinks = set("to from with into up down at it")

// changeable returns what "change the …" speaks of in words from to (excluded).
func (r *reader) changeable(from, to int) (cueHit, bool) {
	if h, ok := r.lineOf(from, to); ok {
		return h, true
	}
	if h, ok := r.mentioned(from, to, isHeld); ok && h.from <= from+3 {
		return h, true
	}
	h, ok := r.keyWord(from, to)
	return h, ok && changeLinks[r.u.at(h.to)]
}

// restated reads "the team is 6 people" after a word of correction: the held
// obligation named there, and the first word of its right value. A name that is
// only a key word counts when a value of the obligation follows.
func (r *reader) restated(from, to int) (o *obligations.Obligation, value int) {
	if h, ok := r.mentioned(from, to, isHeld); ok && h.from <= from+3 {
		next, linked := r.u.skipLink(h.to, to)
		if (linked || linkVerbs[r.u.at(h.to-1)]) && next < to {
			return h.o, next
		}
	}
	h, ok := r.keyWord(from, to)
	if !ok {
		return nil, from
	}
	next, linked := r.u.skipLink(h.to, to)
	if w := r.u.at(h.to); w == "has" || w == "have" {
		next, linked = h.to+1, true
	}
	if !linked || next >= to || !r.readNew(change{from: next, to: to}, h.o).found() {
		return nil, from
	}
	return h.o, next
}
