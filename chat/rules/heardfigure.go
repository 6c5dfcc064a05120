package rules

import (
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// strayFigure reports whether a segment is a figure and nothing else, which answers no question
// for a text: "12 people" is no goal. What counts people is noted where one obligation alone
// counts them.
func (h *heard) strayFigure(seg *listening.Segment) bool {
	if h.asked == nil || kindOf(h.asked.Template) != listening.Text || h.asked.Widget != obligations.Text {
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
	if o := h.onlyCount(); people && o != nil {
		if v := h.closed(o.Template, seg.From, seg.To, seg); v.value != nil {
			h.note(o.Key, v, obligations.Tell, 0)
		}
	}
	return true
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
