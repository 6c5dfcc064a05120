package rules

import (
	"encoding/json"
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
)

var (
	addWords    = phrases("add", "also add", "please add", "please include", "please also add", "can you add", "could you add", "can we add", "include", "also include", "and also", "also")
	removeWords = phrases("remove", "please remove", "take out", "drop", "delete", "leave out", "take away", "please drop")
)

// amend reads "add email" and "remove the shop" as a change of a list that is
// held: the one named, else the one answered last.
func (r *reader) amend(from, to int) bool {
	add, remove := r.u.starts(from, to, addWords), r.u.starts(from, to, removeWords)
	n := max(add, remove)
	if n == 0 || from+n >= to {
		return false
	}
	if add == n && r.addTo(from+n, to) {
		return true
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
			return true
		}
		return r.tell(o.Key, reading{value: value, from: from, to: to}, obligations.Correct, "the person changed the list")
	}
	return false
}

// places of what is added: "tourists to the target market".
var into = set("to in into under")

// addTo reads "tourists to the target market": what is added to the text of the
// obligation that the words end with.
func (r *reader) addTo(from, to int) bool {
	for i := from + 1; i+1 < to; i++ {
		if !into[r.u.at(i)] {
			continue
		}
		h, ok := r.opensWith(i+1, to)
		if !ok || h.to != to || h.o.Widget != obligations.Text {
			continue
		}
		got := r.u.readText(h.o.Template, from, i)
		if got.value == nil {
			return false
		}
		r.out.Intent, r.out.About = chat.Correction, h.o.Key
		if h.o.Value == nil {
			return r.tell(h.o.Key, got, obligations.Tell, "")
		}
		got.value = encode(text(h.o.Value) + "; also " + text(got.value))
		return r.tell(h.o.Key, got, obligations.Correct, "the person added to it")
	}
	return false
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
