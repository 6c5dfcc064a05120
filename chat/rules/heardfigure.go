package rules

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// strayFigure reports whether a segment is figures and dates and nothing else, which answers no
// question for a text: "12 people" is no goal, nor is "since 2011, there are four of us". What
// counts people, or says since when something is so, is noted where one obligation alone asks
// for it.
func (h *heard) strayFigure(seg *listening.Segment) bool {
	if h.asked == nil || !takesNoFigure(h.asked.Template) {
		return false
	}
	clauses := h.clausesOf(seg)
	var notes []func()
	for i := range clauses {
		note, stray := h.strayClause(&clauses[i])
		if !stray {
			return false
		}
		if note == nil && len(clauses) > 1 {
			return false
		}
		notes = append(notes, note)
	}
	for _, note := range notes {
		if note != nil {
			note()
		}
	}
	h.bare = len(clauses) > 0
	return h.bare
}

// strayClause reports whether a clause is a figure or a date and nothing else, and returns what
// notes it for the obligation that it is of; nil where that cannot be told.
func (h *heard) strayClause(seg *listening.Segment) (note func(), stray bool) {
	words := h.wordsBetween(seg.From, seg.To)
	if len(h.asked.Choices) == 0 && h.onlyDate(words) {
		return func() { h.noteStart(seg, words) }, true
	}
	figures := h.values.Figures(words)
	if len(figures) != 1 || figures[0].Percent || figures[0].Ordinal {
		return nil, false
	}
	f, people := figures[0], false
	for i, w := range words {
		switch word := language.Fold(w.Text); {
		case i >= f.From && i < f.To:
		case h.lexical("people", word), h.lexical("us", word):
			people = true
		case h.spelled(w.From, w.To) == 0, h.lexical("about", word), h.lexical("opener", word), h.lexical("of", word), h.lexical("speaker", word), h.lexical("predicate", word):
		default:
			return nil, false
		}
	}
	if len(h.asked.Choices) > 0 && !people && f.Currency == "" && f.Unit == "" && f.Period == "" {
		return nil, false // the number of a choice
	}
	if !people {
		return nil, true
	}
	return func() {
		if o := h.onlyCount(); o != nil && !h.told(o.Key) {
			if v := h.closed(o.Template, seg.From, seg.To, seg); v.value != nil {
				h.note(o.Key, v, obligations.Tell, 0)
			}
		}
	}, true
}

// onlyDate reports whether words are a date and nothing else: "since 1987", "going since 1987".
func (h *heard) onlyDate(words []language.Word) bool {
	dates := h.values.Dates(words, h.scene.Now, language.Behind)
	if len(dates) != 1 {
		return false
	}
	beside, since := 0, false
	for i, w := range words {
		word := language.Fold(w.Text)
		since = since || h.lexical("start", word)
		if (i < dates[0].From || i >= dates[0].To) && h.spelled(w.From, w.To) > 0 && !h.lexical("start", word) && !h.lexical("loose", word) && !h.lexical("boundary", word) && !h.lexical("about", word) && !h.lexical("opener", word) {
			beside++
		}
	}
	return beside == 0 || since && beside <= besideSince
}

// besideSince is how many words stand beside a date since when something is so: "it has existed
// since 2011".
const besideSince = 2

// noteStart notes a date since when something is so, where one obligation alone asks for a date
// that lies behind.
func (h *heard) noteStart(seg *listening.Segment, words []language.Word) {
	if !slices.ContainsFunc(words, func(w language.Word) bool { return h.lexical("start", language.Fold(w.Text)) }) {
		return
	}
	var only []*obligations.Obligation
	for i := range h.scene.Obligations {
		if o := &h.scene.Obligations[i]; o.Widget == obligations.Date && looksBack(o.Prompt) && o.Value == nil && !o.Resolved() {
			only = append(only, o)
		}
	}
	if len(only) != 1 || h.told(only[0].Key) {
		return
	}
	if v := h.closed(only[0].Template, seg.From, seg.To, seg); v.value != nil {
		v.loose = true
		h.note(only[0].Key, v, obligations.Tell, 0)
	}
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
	return asks && strings.HasSuffix(strings.TrimSpace(h.raw), "?")
}
