package reading

import (
	"quaestor/internal/language"
	"quaestor/internal/listening"
)

// longestBack bounds, in words, a sentence that asks back what was asked.
const longestBack = 8

// asksBack reports whether a sentence asks what the last question meant: a word that asks stands at its
// end, or within what was supposed: "under what?", "wenn wir was bekommen?". "Or what?" asks nothing.
func (h *heard) asksBack(s wordRange) bool {
	if !h.asks(s) || s.len() > longestBack || len(h.scene.Transcript) == 0 {
		return false
	}
	s = h.courteous(s)
	for n := h.entryBefore("echoend", s.from, s.to); s.len() > 0 && (n > 0 || !language.IsSaid(h.words[s.to-1].Text)); n = h.entryBefore("echoend", s.from, s.to) {
		s.to -= max(n, 1)
	}
	if s.len() < 2 {
		return false
	}
	first := h.folded()[s.from]
	if language.IsWord("noecho", first) || language.IsWord("asks", first) || language.IsWord("asksis", first) {
		return false
	}
	if language.IsWord("condition", first) {
		return h.speaksOf(wordRange{s.from + 1, s.to}, "whword")
	}
	return h.entryBefore("whword", s.from, s.to) > 0
}

// blames reports whether a question reproaches the interviewer with what was asked or noted, and wants no
// answer: "are you going to ask me all of it again", "who sorted this, a monkey", "since when".
func (h *heard) blames(s wordRange) bool {
	if !h.asks(s) || s.len() > longestRequest {
		return false
	}
	words := wordsOf(h.folded()[s.from:s.to])
	polite := h.entry("courtesy", s.from, s.to) > 0
	switch {
	case !polite && words.begins("blame"):
		return true
	case !polite && words.has("addressing") && words.has("repeating") && words.has("asking") && words.begins("asks"):
		return true
	case words.begins("askswho") && words.has("handiwork") && !words.has("addressing") && !words.has("questioning"):
		return true
	}
	return words.begins("asks") && h.answersItself(s)
}

// answersItself reports whether a question has a mock answer of its own behind a comma: "what is this, a
// quiz".
func (h *heard) answersItself(s wordRange) bool {
	list := h.clauses(s)
	if len(list) != 2 || list[0].len() > 5 || list[1].len() < 2 || list[1].len() > 3 || h.speaksOf(list[0], "addressing", "meaning") {
		return false
	}
	return language.IsWord("article", h.folded()[list[1].from]) && h.speaksOf(list[0], "being") && h.speaksOf(list[0], "topic")
}

// blamedFor returns the key of what a reproach is about: what it names or says, what is read back, or what
// was answered last where it speaks of what was noted; "" for nothing.
func (h *heard) blamedFor(seg *listening.Segment) string {
	if len(h.out.Beside) > mostAsked {
		return ""
	}
	if o, _ := h.notedOf(seg.From, seg.To); o != nil && o.Value != nil {
		return o.Key
	}
	if h.asked != nil && h.confirming(h.asked) {
		return h.asked.Key
	}
	if list := h.answeredLast(); len(list) > 0 && h.speaksOf(h.within(seg.From, seg.To), "handiwork", "blame") {
		return list[0].Key
	}
	return ""
}

// asksBackIn is [heard.asksBack] of a segment that asks.
func (h *heard) asksBackIn(seg *listening.Segment) bool {
	in, ok := h.sentenceOf(seg)
	return ok && seg.Act == listening.Question && h.asksBack(in)
}

// blamesIn is [heard.blames] of a segment.
func (h *heard) blamesIn(seg *listening.Segment) bool {
	in, ok := h.sentenceOf(seg)
	return ok && seg.Act == listening.Complaint && h.blames(in)
}
