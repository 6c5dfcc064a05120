package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

var (
	addWords = phrases("add", "put", "please put", "also put", "also add", "please add", "please include", "please also add", "can you add", "could you add", "can we add", "include", "also include", "and also", "also",
		"i would like to add", "i want to add", "i would add", "i need to add", "we should add", "we need to add", "let us add", "you can add", "you could add", "you should add", "can i add", "could i add", "could we add", "then add", "oh and add", "and add",
		"we forgot", "i forgot", "you forgot", "we forgot to mention", "i forgot to mention", "we left out", "i left out", "you left out", "it lacks")
	removeWords = phrases("remove", "please remove", "take out", "drop", "delete", "leave out", "take away", "please drop", "please take out", "please delete")
)

// amend reads "add email" and "remove the shop" as a change of a list that is
// held: the one named, else the one answered last. It returns that list, or nil.
func (r *reader) amend(from, to int) *obligations.Obligation {
	from = r.skip(from, to, idleOpeners, actuallyOpeners)
	if o := r.alsoHas(from, to); o != nil {
		return o
	}
	if r.u.at(from) == "take" { // "take the shop out of the sales channels"
		return r.addTo(from+1, to, true)
	}
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
			if c := (clause{from: from + n, to: to}); add == n && r.bareItem(c) && r.added(o, c, false) {
				return o
			}
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

// bareItem reports whether c is just something to put down: "Add: Instagram".
func (r *reader) bareItem(c clause) bool {
	return strings.Contains(r.u.gap(c.from), ":") && c.len() <= maxItemWords && !speakers[r.u.at(c.from)] && !r.u.aside(c)
}

// places of what is added or taken away: "tourists to the target market".
var listPlaces = set("to in into under from of")

// addTo reads "tourists to the target market": what is added to the obligation that the
// words end with, or nil. What would be taken out of a text is asked for again, for only the
// person can say what is left of it.
func (r *reader) addTo(from, to int, remove bool) *obligations.Obligation {
	u := r.u
	for to > from && (u.at(to-1) == "too" || u.at(to-1) == "well" || u.at(to-1) == "as" || trailFillers[u.at(to-1)]) {
		to--
	}
	if h, ok := r.opensWith(from+1, to); ok && u.at(from) == "to" && r.fullyNamed(h) && h.to < to && listed(h.o) { // "to the competitors: the petrol station"
		if r.added(h.o, clause{from: h.to, to: to}, remove) {
			return h.o
		}
	}
	for i := from + 1; i+1 < to; i++ {
		if !listPlaces[u.at(i)] {
			continue
		}
		if h, ok := r.opensWith(i+1, to); ok && r.fullyNamed(h) && h.to == to && (listed(h.o) || h.o.Value == nil) {
			if r.added(h.o, clause{from: from, to: i}, remove) {
				return h.o
			}
		}
	}
	return nil
}

// fullyNamed reports whether h is the name of its obligation, or words of that and no others.
func (r *reader) fullyNamed(h cueHit) bool { return h.names(r.u) || r.byLabel(h) }

// listed reports whether more can be added to what o holds.
func listed(o *obligations.Obligation) bool {
	return o.Widget == obligations.Text || o.Widget == obligations.MultiSelect
}

// alsoHas reads what is added after the name it is added to: "the sales channels also include
// Instagram", "under sales channels add flyers".
func (r *reader) alsoHas(from, to int) *obligations.Obligation {
	u := r.u
	if listPlaces[u.at(from)] {
		from++
	}
	h, ok := r.opensWith(from, to)
	if !ok || h.o.Value == nil || !listed(h.o) || !r.fullyNamed(h) {
		return nil
	}
	n := u.starts(h.to, to, alsoHave)
	if n == 0 && r.purpose() == sessions.ToFinish {
		n = u.starts(h.to, to, missing)
	}
	if n == 0 && (from > 0 && listPlaces[u.at(from-1)] || strings.Contains(u.gap(h.to), ":")) {
		n = u.starts(h.to, to, addWords)
	}
	if n == 0 || h.to+n >= to || !r.added(h.o, clause{from: h.to + n, to: to}, false) {
		return nil
	}
	return h.o
}

// alsoHave add to what stands before them; missing do where people have the summary before them.
var (
	alsoHave = phrases("also include", "also includes", "should also include", "should include", "include also")
	missing  = phrases("lack", "lacks", "is missing", "are missing", "are also", "also are")
)

// added adds what c says to o, and reports whether there was something.
func (r *reader) added(o *obligations.Obligation, c clause, remove bool) bool {
	got := r.u.read(o.Template, c.from, c.to, r.scene.Now)
	if r.u.at(c.from) == "more" || got.value == nil && len(o.Choices) == 0 { // "put more money into the budget" is told of something
		return false
	}
	r.out.Intent, r.out.About = chat.Correction, o.Key
	switch {
	case remove && o.Widget == obligations.MultiSelect:
		return r.without(o, got)
	case got.value == nil || remove:
		r.out.Intent = chat.Unclear
		return true
	case o.Value == nil:
		return r.tell(o.Key, got, obligations.Tell, "")
	}
	if got.value = joined(o, got.value); obligations.SameValue(got.value, o.Value) { // which is there already
		r.out.Intent = chat.Answer
		return r.tell(o.Key, got, obligations.Tell, "")
	}
	return r.tell(o.Key, got, obligations.Correct, "the person added to it")
}

// without takes what was read out of the list that o holds.
func (r *reader) without(o *obligations.Obligation, got reading) bool {
	var held, gone []string
	if json.Unmarshal(o.Value, &held) != nil || json.Unmarshal(got.value, &gone) != nil {
		return false
	}
	left := slices.DeleteFunc(slices.Clone(held), func(v string) bool {
		return slices.ContainsFunc(gone, func(g string) bool { return strings.EqualFold(v, g) })
	})
	switch {
	case len(left) == len(held):
		return false
	case len(left) == 0:
		r.deny(o)
		return true
	}
	got.value = encode(left)
	return r.tell(o.Key, got, obligations.Correct, "the person changed the list")
}

// joined is what o holds with more.
func joined(o *obligations.Obligation, more json.RawMessage) json.RawMessage {
	var held, values []string
	if o.Widget == obligations.MultiSelect && json.Unmarshal(o.Value, &held) == nil && json.Unmarshal(more, &values) == nil {
		return encode(unique(append(held, values...)))
	}
	return encode(text(o.Value) + "; also " + text(more))
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
