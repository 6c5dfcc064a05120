package rules

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// strayFigure reports whether a segment is a figure and nothing else, which answers no question
// for a text: "12 people" is no goal. What counts people is noted where one obligation alone
// counts them.
func (h *heard) strayFigure(seg *listening.Segment) bool {
	if h.asked == nil || !takesNoFigure(h.asked.Template) {
		return false
	}
	words := h.wordsBetween(seg.From, seg.To)
	figures := h.values.Figures(words)
	if len(figures) != 1 || figures[0].Percent || figures[0].Ordinal {
		return false
	}
	f, people := figures[0], false
	for i, w := range words {
		switch word := language.Fold(w.Text); {
		case i >= f.From && i < f.To:
		case h.lexical("people", word), h.lexical("us", word):
			people = true
		case h.spelled(w.From, w.To) == 0, h.lexical("about", word), h.lexical("opener", word), h.lexical("of", word), h.lexical("speaker", word), h.lexical("predicate", word):
		default:
			return false
		}
	}
	if len(h.asked.Choices) > 0 && !people && f.Currency == "" && f.Unit == "" && f.Period == "" {
		return false // the number of a choice
	}
	h.bare = true
	if o := h.onlyCount(); people && o != nil && !h.told(o.Key) {
		if v := h.closed(o.Template, seg.From, seg.To, seg); v.value != nil {
			h.note(o.Key, v, obligations.Tell, 0)
		}
	}
	return true
}

// takesNoFigure reports whether t is for a text, or for choices none of which is a figure.
func takesNoFigure(t *obligations.Template) bool {
	if len(t.Choices) > 0 {
		return !slices.ContainsFunc(t.Choices, func(c obligations.Choice) bool {
			return strings.ContainsAny(c.Label+strings.Join(c.Synonyms, ""), "0123456789")
		})
	}
	return t.Widget == obligations.Text && kindOf(t) == listening.Text
}

// lexical reports whether a folded word is of a kind in the lexicon of the session's language.
func (h *heard) lexical(kind, word string) bool {
	l := language.Lexicons()[h.reader.language()]
	return l != nil && l.Has(kind, word)
}

// onlyCount returns the one obligation that counts people and has no value, or nil.
func (h *heard) onlyCount() *obligations.Obligation {
	var only *obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if strings.EqualFold(o.Unit, "people") && o.Value == nil && !o.Resolved() {
			if only != nil {
				return nil
			}
			only = o
		}
	}
	return only
}

// puts reports whether the message asks something, as a question with a question word does.
func (h *heard) puts() bool {
	asks := false
	for i, w := range h.words {
		asks = asks || (i == 0 || h.words[i-1].Text == ",") && h.lexical("asks", language.Fold(w.Text))
	}
	return asks && strings.HasSuffix(strings.TrimSpace(h.u.raw), "?")
}
