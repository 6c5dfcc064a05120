package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// struck reads clauses that say that something is none of a list: "Nadia isn't a thing it must do",
// "Herr Özil gehört da nicht hin". What they name is taken off the list that has it, and nothing
// else. It reports whether there was one.
func (h *heard) struck() bool {
	found := false
	for _, s := range h.sentences() {
		for _, c := range h.clauses(s) {
			from, to := h.bytes(c)
			if h.asksIn(s) || h.isSettled(from, to) || !h.strikes(c) {
				continue
			}
			h.settled = append(h.settled, byteRange{from, to})
			found = true
		}
	}
	if found {
		h.hearBeside()
	}
	return found
}

// strikes takes what a clause says to be none of a list off it.
func (h *heard) strikes(c wordRange) bool {
	c = h.afterNoIn(h.courteous(c))
	for _, o := range h.heldLists() {
		if h.told(o.Key) && h.lists[o.Key] == nil {
			continue
		}
		item, ok := h.disowned(o, c)
		if !ok {
			continue
		}
		left, has := h.without(o, item)
		if !has {
			continue
		}
		if left == nil {
			h.deny(o)
			return true
		}
		at := valueRead{value: left, sure: 1}
		at.from, at.to = h.bytes(c)
		return h.amend(o, at, obligations.Correct)
	}
	return false
}

// afterNoIn returns a clause without a plain no at its beginning.
func (h *heard) afterNoIn(c wordRange) wordRange {
	for c.len() > 1 && (saysNo(h.folded()[c.from]) || isMark(h.folded()[c.from], ",")) {
		c.from++
	}
	return c
}

// disowned returns the words of a clause that name an item of the list o, where it says of them no more
// than that they are not on it, or are wrong.
func (h *heard) disowned(o *obligations.Obligation, c wordRange) (wordRange, bool) {
	if c.len() < 2 || language.IsWord("asks", h.folded()[c.from]) || h.entry("joining", c.from, c.to) > 0 {
		return wordRange{}, false // "that the drivers won't use it" is a worry
	}
	about := listening.Stems(askedWords(o.Template) + " " + o.Name() + " " + strings.Join(o.Cues, " "))
	mayAnswer := h.purpose() == sessions.ToAsk && h.asked != nil && h.asked != o && isOpen(h.asked.Template)
	for to := min(c.to-1, c.from+longestItem); to > c.from; to-- {
		item := h.bareItem(wordRange{c.from, to})
		if item.len() == 0 || !h.hasItem(o, item) || !h.speaksOf(wordRange{to, c.to}, "not", "no", "wrongly", "nonsense") {
			continue
		}
		if rest := (wordRange{to, c.to}); h.saysNoneOf(rest, about) && (!mayAnswer || h.speaksOf(rest, "listed", "wrongly", "nonsense")) {
			return item, true
		}
	}
	return wordRange{}, false
}

// hasItem reports whether some words name an item of what o holds, and not all of several.
func (h *heard) hasItem(o *obligations.Obligation, item wordRange) bool {
	if o.Widget == obligations.MultiSelect {
		from, to := h.bytes(item)
		held := field.Texts(h.listOf(o))
		return slices.ContainsFunc(h.choicesSaid(o.Template, from, to), func(c field.SaidChoice) bool {
			return c.Score >= 1 && slices.Contains(held, o.Choices[c.Choice].Value)
		}) || slices.ContainsFunc(held, func(v string) bool { return o.Pick(v) == nil && h.saysItem(v, item) })
	}
	return slices.ContainsFunc(field.Items(field.Text(h.listOf(o))), func(held string) bool { return h.saysItem(held, item) })
}

// saysNoneOf reports whether words say only that what stands before them is not what some stems are of, or
// on a list, or right.
func (h *heard) saysNoneOf(r wordRange, about map[string]bool) bool {
	says := false
	for i := r.from; i < r.to; i++ {
		w := h.folded()[i]
		if n := max(h.entry("listed", i, r.to), h.entry("wrongly", i, r.to), h.entry("nonsense", i, r.to)); n > 0 {
			says, i = true, i+n-1
			continue
		}
		if h.idle(i) || h.entry("not", i, r.to)+h.entry("no", i, r.to)+h.entry("evenso", i, r.to) > 0 || language.IsWord("being", w) || language.IsWord("article", w) || language.IsWord("topic", w) {
			continue
		}
		for st := range listening.Stems(h.words[i].Text) {
			if !about[st] {
				return false
			}
			says = true
		}
	}
	return says
}

// callsAllWrong reports whether the message says that what was read back is wrong, and nothing else: "no,
// that's all wrong".
func (h *heard) callsAllWrong() bool {
	says := false
	for i := 0; i < len(h.words); i++ {
		w := h.folded()[i]
		n := max(h.entry("wrongly", i, len(h.words)), h.entry("nonsense", i, len(h.words)))
		switch {
		case n > 0:
			says, i = true, i+n-1
		case h.idle(i), language.IsWord("being", w), language.IsWord("topic", w), language.IsWord("everyone", w), language.IsWord("evenso", w), language.IsWord("list", w):
		default:
			return false
		}
	}
	return says
}
