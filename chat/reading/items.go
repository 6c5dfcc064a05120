package reading

import (
	"encoding/json"
	"slices"

	"quaestor/chat/field"
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
		if o.Value == nil || !isList(o) || h.told(o.Key) && h.lists[o.Key] == nil {
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
		return h.amend(o, at, obligations.Correct)
	}
	return false
}

// droppedField returns the field that a sentence takes out as a whole: by its name, or by "it" where the
// message has named it before; nil for none.
func (h *heard) droppedField(a amendment, s wordRange) *obligations.Obligation {
	if !a.removes || !a.told || a.of != nil {
		return nil
	}
	held := func(o *obligations.Obligation) bool { return o.Value != nil && !o.Hinted() }
	if a.item.len() > 1 || !language.IsWord("topic", h.folded()[a.item.from]) {
		if o := h.namedIn(a.item); o != nil && held(o) {
			return o
		}
		return nil
	}
	if n, ok := h.mentioned(wordRange{0, s.from}, held); ok && (n.label || n.len() > 1) {
		return n.o
	}
	return nil
}

// beginOfMention returns the byte where the sentence begins that names o, or a later one.
func (h *heard) beginOfMention(o *obligations.Obligation, s wordRange) int {
	for _, x := range h.sentences() {
		if n, ok := h.mentioned(wordRange{x.from, min(x.to, s.to)}, func(other *obligations.Obligation) bool { return other == o }); ok && (n.label || n.len() > 1) && x.from <= s.from {
			from, _ := h.bytes(x)
			return from
		}
	}
	from, _ := h.bytes(s)
	return from
}

// amend notes what a list is after an item more or less: a message may change it several times.
func (h *heard) amend(o *obligations.Obligation, at valueRead, act obligations.Act) bool {
	if h.lists[o.Key] != nil {
		i := slices.IndexFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Key == o.Key })
		at.from = min(at.from, h.out.Findings[i].Evidence.Span.Start)
		h.out.Findings = slices.Delete(h.out.Findings, i, i+1)
	}
	if !h.note(o.Key, at, act, 0) {
		return false
	}
	if h.lists == nil {
		h.lists = map[string]json.RawMessage{}
	}
	h.lists[o.Key], h.amendedLast = at.value, o
	return true
}

// listOf returns the list that o holds, as the message has changed it so far.
func (h *heard) listOf(o *obligations.Obligation) json.RawMessage {
	if v := h.lists[o.Key]; v != nil {
		return v
	}
	return o.Value
}

// without returns what o holds without an item, nil for nothing, and whether it had it.
func (h *heard) without(o *obligations.Obligation, item wordRange) (left json.RawMessage, ok bool) {
	from, to := h.bytes(item)
	if o.Widget == obligations.MultiSelect {
		gone := field.Texts(field.Pick(o.Template, h.choicesSaid(o.Template, from, to), field.PartSaid))
		held := field.Texts(h.listOf(o))
		kept := slices.DeleteFunc(slices.Clone(held), func(v string) bool {
			return slices.Contains(gone, v) || o.Pick(v) == nil && h.saysItem(v, item)
		})
		if len(kept) == 0 {
			return nil, len(held) > 0
		}
		return field.Encode(kept), len(kept) < len(held)
	}
	kept, gone := field.WithoutItems(field.Text(h.listOf(o)), func(held string) bool { return h.saysItem(held, item) })
	if kept == "" {
		return nil, gone
	}
	return field.Encode(kept), gone
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
