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

// lastResort reads the whole message as the answer, in doubt, when nothing was understood and
// it is not surely anything else.
func (h *heard) lastResort(confirming bool) {
	if h.asked == nil || confirming || len(h.settled) > 0 || !h.asking() || h.told(h.asked.Key) || h.refused(h.asked.Key) {
		return
	}
	if !h.asked.Closed() && (h.only(listening.Confirm) || h.only(listening.Deny)) {
		return
	}
	if !h.asked.Closed() && h.lexical("asksis", h.folded()[0]) {
		return // "whats the point"
	}
	if first, _, _ := strings.Cut(h.folded()[0], "'"); !h.asked.Closed() && language.IsWord("asks", first) && (first[0] == 'w' || first == "how") && h.speaks(&listening.Segment{From: 0, To: len(h.raw)}, "being", "predicate") {
		return // "what's the weather like"
	}
	if len(h.words) > longestNamed || h.namedChoice() || h.toldAgain() || len(h.out.Findings) > 0 {
		return
	}
	whole := &listening.Segment{Act: listening.Answer, From: 0, To: len(h.said.Text), Sure: 0.5}
	for i := range h.said.Segments {
		s := &h.said.Segments[i]
		if h.introduces(s) {
			whole.From, whole.To, whole.Values = s.From, s.To, s.Values
			break
		}
		whole.Values = append(whole.Values, s.Values...)
		if h.greets(s) {
			continue
		}
		if _, set := h.phraseAt(s); set || answersNothing[s.Act] && s.Sure >= surelyTalk {
			return
		}
	}
	if h.strayFigure(whole) || h.puts() {
		return
	}
	v := h.valueIn(h.asked.Template, whole, true)
	switch text := !h.asked.Closed() && field.Kind(h.asked.Template) == listening.Text; {
	case v.value == nil, len(h.words) > mostUnsure, len(h.words) > shortTalk && !text && !v.spanned:
	default:
		h.noteFitting(h.asked.Key, v, obligations.Tell, fitOf(0.5, 0.9))
	}
}

// greets reports whether a stretch of the first message is a greeting, and another one follows.
func (h *heard) greets(s *listening.Segment) bool {
	return h.scene.Turn <= 2 && s.Act == listening.SmallTalk && h.spelled(s.From, s.To) <= longestHello && h.spelled(s.To, len(h.said.Text)) > longestHello
}

// introduces reports whether a stretch of the first message says more than hello: who greets and
// goes on tells what they came for.
func (h *heard) introduces(s *listening.Segment) bool {
	return h.scene.Turn <= 2 && s.Act == listening.SmallTalk && h.spelled(s.From, s.To) > longestHello && !strings.Contains(h.said.Text[s.From:s.To], "?")
}

// longestHello is how many words a greeting has at most.
const longestHello = 5

// answersNothing are the acts that answer nothing.
var answersNothing = map[listening.Act]bool{listening.Question: true, listening.Complaint: true, listening.Stop: true, listening.Human: true, listening.Topic: true, listening.LookUp: true, listening.Skip: true,
	listening.Later: true, listening.Unknown: true, listening.Delegate: true, listening.Repeat: true, listening.Examples: true, listening.Shorter: true, listening.Correction: true, listening.NoPreference: true,
	listening.SmallTalk: true, listening.Feeling: true, listening.Gibberish: true}

// How sure it must be that words answer nothing, for them not to be put to the person as
// their answer; and how long, in words, what is put so may be.
const (
	surelyTalk = 0.6
	mostUnsure = 40
	shortTalk  = 6
)

// namedChoice takes a choice of what was asked whose label is said word for word in what
// is no question.
func (h *heard) namedChoice() bool {
	if len(h.asked.Choices) == 0 || field.Kind(h.asked.Template) == listening.YesNo {
		return false
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Question, listening.Correction, listening.Examples, listening.Repeat, listening.Skip, listening.Unknown:
			continue
		}
		folded := language.Folded(h.wordsBetween(seg.From, seg.To))
		named := 0
		for k := range h.asked.Choices {
			if field.Said(&h.asked.Choices[k], folded) > 1 {
				named++
			}
		}
		if named == 0 || named > 1 && h.asked.Widget != obligations.MultiSelect {
			continue
		}
		v := h.chosen(h.asked.Template, listening.Choice, nil, seg)
		return h.note(h.asked.Key, v, obligations.Tell, fitOf(0.7, 1))
	}
	return false
}

// toldAgain takes for the answer to an open question what is said in the same words as
// before, and what is told at length when it is asked again: it was meant so.
func (h *heard) toldAgain() bool {
	if h.asked.Closed() || len(h.words) < 3 || h.scene.Asked == nil || len(h.phrases) > 0 {
		return false
	}
	again := language.FoldWords(h.said.Text) == language.FoldWords(h.lastSaid())
	if !again && (h.scene.Asked.Attempt < 2 || field.Kind(h.asked.Template) != listening.Text) {
		return false
	}
	seg := listening.Segment{Act: listening.Answer, From: -1}
	for _, s := range h.said.Segments {
		switch s.Act {
		case listening.Answer, listening.Fact, listening.Feeling, listening.SmallTalk:
			if seg.From < 0 {
				seg.From = s.From
			}
			seg.To = s.To
		}
	}
	if again {
		seg.From, seg.To = 0, len(h.said.Text)
	}
	if seg.From < 0 {
		return false
	}
	v := h.valueOfSegment(&obligations.Template{Widget: obligations.Text}, listening.Text, &seg)
	return h.note(h.asked.Key, v, obligations.Tell, fitOf(0.55, 1))
}

// lastSaid is what the person said before this message.
func (h *heard) lastSaid() string {
	for i := len(h.scene.Transcript) - 1; i >= 0; i-- {
		if m := &h.scene.Transcript[i]; m.Role == sessions.FromUser {
			return m.Content
		}
	}
	return ""
}

// strayFigure reports whether a segment is figures and dates and nothing else, which answers no
// question for a text: "12 people" is no goal, nor is "since 2011, there are four of us". What
// counts people, or says since when something is so, is noted where one obligation alone asks
// for it.
func (h *heard) strayFigure(seg *listening.Segment) bool {
	if h.asked == nil || !field.TakesNoFigure(h.asked.Template) {
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
		if o := &h.scene.Obligations[i]; o.Widget == obligations.Date && field.LooksBack(o.Template) && o.Value == nil && !o.Resolved() {
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
