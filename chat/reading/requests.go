package reading

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
)

// What questions want to know that are told by closed words: [chat.Remark.About] of them. Those of
// other questions are names of [listening.QuestionKind].
const (
	AboutDeletion  = "deletion"  // whether what was said can be deleted
	AboutRetention = "retention" // how long and where it is kept
	AboutTraining  = "training"  // whether a model learns from it
	AboutNotes     = "memory"    // what was noted, or whether a change was
	AboutFindings  = "findings"  // what came of research
	AboutDownload  = "download"  // how to take away what was said
	AboutOverview  = "overview"  // what the interview is about
)

// longestRequest bounds, in words, a sentence that is a request or a question about what is
// kept here.
const longestRequest = 16

// setRequests marks the sentences that ask about what is noted and kept as questions, whatever
// they sound like: "List it.", "löschen Sie bitte alles".
func (h *heard) setRequests() {
	for n, s := range h.sentences() {
		if h.wishes(s) {
			from, to := h.bytes(s)
			h.said.Set(from, to, listening.LookUp)
			continue
		}
		from, to := h.words[s.from].From, h.words[min(s.to, len(h.words)-1)].To
		if h.blames(s) {
			h.said.Set(from, to, listening.Complaint)
			continue
		}
		if s.to-s.from <= longestRequest && (h.requestIn(s) != "" || h.asksBack(s) || n == 0 && h.beginsAsking()) {
			if c := h.asksLast(s); c.from > s.from { // what stands before it answers
				from = h.words[c.from].From
			}
			h.said.Set(from, to, listening.Question)
		}
	}
}

// setTakenBack marks the sentences that take back what was told last, in whatever words: "scrap what I
// said before", "that was meant for the other one".
func (h *heard) setTakenBack() {
	for _, s := range h.sentences() {
		if !h.takesBack(s) {
			continue
		}
		from, to := h.words[s.from].From, h.words[s.to-1].To
		p := setPhrases[phraseWithdraw]
		h.phrases = append(h.phrases, phraseSaid{byteRange{from, to}, phraseWithdraw, p})
		h.said.Set(from, to, p.act)
	}
}

// longestTakenBack bounds, in words, such a sentence.
const longestTakenBack = 14

// takesBack reports whether a sentence calls what was said last wrong, or asks to forget it, and says
// nothing else.
func (h *heard) takesBack(s wordRange) bool {
	if s.len() > longestTakenBack || h.asks(s) {
		return false
	}
	wrong, last, elsewhere, said := false, false, false, false
	for i := s.from; i < s.to; {
		n := 1
		switch w := h.folded()[i]; {
		case h.entry("takeback", i, s.to) > 0:
			n, wrong = h.entry("takeback", i, s.to), true
		case h.entry("wrongly", i, s.to) > 0:
			n, wrong = h.entry("wrongly", i, s.to), true
		case language.IsWord("nonsense", w):
			wrong = true
		case h.entry("elsewhere", i, s.to) > 0:
			n = h.entry("elsewhere", i, s.to)
			elsewhere = slices.ContainsFunc(h.folded()[max(s.from, i-2):i], func(w string) bool { return language.IsWord("boundary", w) })
		case h.entry("lastsaid", i, s.to) > 0:
			n, last = h.entry("lastsaid", i, s.to), true
		case language.IsWord("saying", w), language.IsWord("bygone", w):
			said = true
		case !language.IsSaid(h.words[i].Text), language.IsWord("loose", w), language.IsWord("speaker", w), language.IsWord("topic", w), language.IsWord("predicate", w), language.IsWord("opener", w), language.IsWord("mend", w), language.IsWord("addressing", w), language.IsWord("boundary", w), language.IsWord("being", w), language.IsWord("article", w):
		case h.entry("courtesy", i, s.to) > 0:
			n = h.entry("courtesy", i, s.to)
		default:
			return false
		}
		i += n
	}
	return wrong && last || elsewhere && (said || last || wrong)
}

// wishes reports whether a sentence asks for something to be looked up: "can you find out how many",
// "recherchieren Sie das".
func (h *heard) wishes(s wordRange) bool {
	if s.len() > longestWish {
		return false
	}
	s = h.courteous(s)
	begins := h.entry("lookup", s.from, s.to) > 0
	asked := h.asks(s) && h.speaksOf(s, "addressing")
	return begins && s.len() > 1 || (asked || s.from > 0 && h.entryBefore("courtesy", 0, s.from) > 0) && h.speaksOf(s, "lookup")
}

// longestWish bounds, in words, a wish for research, which says what it is about.
const longestWish = 40

// beginsAsking reports whether the message begins as a question does that somebody leaves without
// its mark, where choices are put: "what is the difference between".
func (h *heard) beginsAsking() bool {
	return h.asked != nil && len(h.asked.Choices) > 0 && len(h.words) > longestHello && h.lexical("asks", h.folded()[0]) && h.lexical("being", h.folded()[1])
}

// requestIn returns what a sentence asks about what is noted and kept; "" for nothing.
func (h *heard) requestIn(s wordRange) string {
	if about := requestOf(h.folded()[s.from:s.to], h.asks(s)); about != "" || !h.asksNotedOf(s) {
		return about
	}
	return AboutNotes
}

// requestOf is [heard.requestIn] of the folded words of a sentence.
func requestOf(words []string, asks bool) string {
	s := wordsOf(words)
	if !asks && !slices.ContainsFunc(words, func(w string) bool { return language.IsWord("addressing", w) }) && !s.begins("shows") && !s.begins("readout") {
		return ""
	}
	has := s.has
	addressed := asks || has("addressing")
	said := strings.TrimRight(strings.Join(words, " "), " ?!.")
	switch {
	case slices.ContainsFunc(language.All(), func(l *language.Lexicon) bool { return l.Said(said) == AboutOverview }):
		return AboutOverview
	case asks && has("foundout") && (has("searching") || has("addressing")), asks && len(words) <= longestHello && has("searching") && !has("lookup"):
		return AboutFindings
	case has("erase") && has("allofit") && addressed:
		return AboutDeletion
	case has("keeps") && (has("howlong") || has("where") || asks && has("allofit")) && addressed:
		return AboutRetention
	case asks && has("takeaway") && len(words) <= longestHello+3:
		return AboutDownload
	case has("trains") && has("machine") && addressed:
		return AboutTraining
	case asksNoted(words, asks):
		return AboutNotes
	}
	return ""
}

// requestAbout is [requestOf] of a text that asks. Where that is several sentences, each of them tells
// whether it asks what is noted.
func requestAbout(text string) string {
	about := requestOf(strings.Fields(language.FoldWords(text)), true)
	if about == AboutNotes && strings.ContainsAny(strings.TrimRight(text, "?!. "), "?!.") {
		return ""
	}
	return about
}
