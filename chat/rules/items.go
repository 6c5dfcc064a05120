package rules

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// takeOff takes an item off the list that has it, and reports whether one has.
func (h *heard) takeOff(a amendment, s wordRange) bool {
	lists := h.heldLists()
	if a.of != nil {
		lists = []*obligations.Obligation{a.of}
	}
	for _, o := range lists {
		if o.Value == nil || !isList(o) || h.told(o.Key) {
			continue
		}
		left, ok := h.without(o, a.item)
		if !ok {
			continue
		}
		if left == nil {
			h.deny(o)
			return true
		}
		at := valueRead{value: left, sure: 1}
		at.from, at.to = h.bytes(s)
		return h.note(o.Key, at, obligations.Correct, 0)
	}
	return false
}

// itemMark parts the items of a text that lists something.
var itemMark = regexp.MustCompile(`\s*[;,]\s*(?:and\s+|und\s+|also\s+|auch\s+)?|\s+(?:and|und|&)\s+`)

// without returns what o holds without an item, nil for nothing, and whether it had it.
func (h *heard) without(o *obligations.Obligation, item wordRange) (left json.RawMessage, ok bool) {
	from, to := h.bytes(item)
	if o.Widget == obligations.MultiSelect {
		gone := textsOf(pick(o.Template, h.choicesSaid(o.Template, from, to), partSaid))
		held := textsOf(o.Value)
		kept := slices.DeleteFunc(slices.Clone(held), func(v string) bool {
			return slices.Contains(gone, v) || o.Pick(v) == nil && h.saysItem(v, item)
		})
		if len(kept) == 0 {
			return nil, len(held) > 0
		}
		return encode(kept), len(kept) < len(held)
	}
	held := text(o.Value)
	marks := append(itemMark.FindAllStringIndex(held, -1), []int{len(held), len(held)})
	kept, begun, mark, gone := "", 0, "", false
	for _, m := range marks {
		if part := held[begun:m[0]]; h.saysItem(part, item) {
			gone = true
		} else {
			if kept != "" {
				kept += mark
			}
			kept += part
		}
		mark, begun = held[m[0]:m[1]], m[1]
	}
	if kept == "" {
		return nil, gone
	}
	return encode(kept), gone
}

// saysItem reports whether some words say an item of a list: all that they say of something is in
// it, and it says little more.
func (h *heard) saysItem(held string, item wordRange) bool {
	said, has := listening.Stems(h.text(item)), listening.Stems(held)
	for st := range said {
		if !has[st] {
			return false
		}
	}
	return len(said) > 0 && len(has) <= len(said)+1 && len(language.Words(held)) <= longestItem
}

// itemsChanged returns what a change added to a list or text, or what it took off it, as a value of
// the same kind; nil where it did more than that.
func itemsChanged(c obligations.Change) (more, fewer json.RawMessage) {
	if c.After.Widget == obligations.Text {
		if added := c.Elaborated(); added != "" {
			return encode(added), nil
		}
		before, after := itemsOfText(text(c.Before.Value)), itemsOfText(text(c.After.Value))
		if gone := missing(before, after); len(gone) > 0 && len(gone) < len(before) && len(missing(after, before)) == 0 {
			return nil, encode(strings.Join(gone, "; "))
		}
		return nil, nil
	}
	if c.After.Widget != obligations.MultiSelect {
		return nil, nil
	}
	before, after := textsOf(c.Before.Value), textsOf(c.After.Value)
	added, gone := missing(after, before), missing(before, after)
	switch {
	case len(gone) == 0 && len(before) > 0 && len(added) > 0:
		return encode(added), nil
	case len(added) == 0 && len(after) > 0 && len(gone) > 0:
		return nil, encode(gone)
	}
	return nil, nil
}

// itemsOfText returns the items of a text that lists something.
func itemsOfText(s string) []string { return itemMark.Split(s, -1) }

// missing returns what of a list another has not.
func missing(list, in []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(v string) bool { return slices.Contains(in, v) })
}
