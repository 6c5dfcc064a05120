package rules

import (
	"encoding/json"
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
)

var (
	addWords    = phrases("add", "also add", "please add", "include", "also include", "and also", "also")
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
