package rules

import (
	"encoding/json"
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
)

var (
	addWords    = phrases("add", "put", "please put", "also put", "also add", "please add", "please include", "please also add", "can you add", "could you add", "can we add", "include", "also include", "and also", "also")
	removeWords = phrases("remove", "please remove", "take out", "drop", "delete", "leave out", "take away", "please drop")
)

// amend reads "add email" and "remove the shop" as a change of a list that is
// held: the one named, else the one answered last. It returns that list, or nil.
func (r *reader) amend(from, to int) *obligations.Obligation {
	add, remove := r.u.starts(from, to, addWords), r.u.starts(from, to, removeWords)
	n := max(add, remove)
	if n == 0 || from+n >= to {
		return nil
	}
	if o := r.addTo(from+n, to, add != n); o != nil {
		return o
	}
	for _, o := range r.listsHeld(from, to) {
		hits := r.u.named(o.Template, from+n, to)
		if len(hits) == 0 {
			continue
		}
		value := amended(o, hits, remove == n)
		if obligations.SameValue(value, o.Value) {
			continue
		}
		r.out.Intent, r.out.About = chat.Correction, o.Key
		if value == nil {
			r.deny(o)
			return o
		}
		if r.tell(o.Key, reading{value: value, from: from, to: to}, obligations.Correct, "the person changed the list") {
			return o
		}
	}
	return nil
}

// places of what is added or taken away: "tourists to the target market".
var listPlaces = set("to in into under from")

// addTo reads "tourists to the target market": what is added to the obligation that the
// words end with, or nil. What would be taken out of a text is asked for again, for only the
// person can say what is left of it.
func (r *reader) addTo(from, to int, remove bool) *obligations.Obligation {
	u := r.u
	for to > from && (u.at(to-1) == "too" || u.at(to-1) == "well" || u.at(to-1) == "as" || trailFillers[u.at(to-1)]) {
		to--
	}
	if h, ok := r.opensWith(from+1, to); ok && u.at(from) == "to" && h.names(u) && h.to < to && h.o.Widget == obligations.Text { // "to the competitors: the petrol station"
		if r.added(h.o, clause{from: h.to, to: to}, remove) {
			return h.o
		}
	}
	for i := from + 1; i+1 < to; i++ {
		if !listPlaces[u.at(i)] {
			continue
		}
		if h, ok := r.opensWith(i+1, to); ok && h.names(u) && h.to == to && (h.o.Widget == obligations.Text || h.o.Value == nil) {
			if r.added(h.o, clause{from: from, to: i}, remove) {
				return h.o
			}
		}
	}
	return nil
}

// added adds what c says to o, and reports whether there was something.
func (r *reader) added(o *obligations.Obligation, c clause, remove bool) bool {
	got := r.u.read(o.Template, c.from, c.to, r.scene.Now)
	if r.u.at(c.from) == "more" || got.value == nil && len(o.Choices) == 0 { // "put more money into the budget" is told of something
		return false
	}
	r.out.Intent, r.out.About = chat.Correction, o.Key
	switch {
	case got.value == nil || remove:
		r.out.Intent = chat.Unclear
		return true
	case o.Value == nil:
		return r.tell(o.Key, got, obligations.Tell, "")
	}
	got.value = encode(text(o.Value) + "; also " + text(got.value))
	return r.tell(o.Key, got, obligations.Correct, "the person added to it")
}

// listsHeld returns the multiselects with a value that the words may be about.
func (r *reader) listsHeld(from, to int) []*obligations.Obligation {
	isList := func(o *obligations.Obligation) bool { return o.Widget == obligations.MultiSelect && o.Value != nil }
	if h, ok := r.mentioned(from, to, isList); ok {
		return []*obligations.Obligation{h.o}
	}
	if r.asked != nil && r.asked.Widget == obligations.MultiSelect && r.asked.Value == nil {
		return nil
	}
	return slices.DeleteFunc(r.answeredLast(), func(o *obligations.Obligation) bool { return !isList(o) })
}

// amended returns o's list with the choices of hits added or taken out; nil when
// nothing would be left.
func amended(o *obligations.Obligation, hits []hit, remove bool) json.RawMessage {
	var held []string
	if json.Unmarshal(o.Value, &held) != nil {
		return nil
	}
	named := picked(o.Template, hits)
	if remove {
		held = slices.DeleteFunc(held, func(v string) bool { return slices.Contains(named, v) })
	} else {
		held = unique(append(held, named...))
	}
	if len(held) == 0 {
		return nil
	}
	return encode(held)
}
