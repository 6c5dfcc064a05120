package reading

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/sessions"
)

// reconsider takes for an answer what was heard as talk, or as a wish about the interview, where it
// fits the open question that was asked, or means an option of it. It is held in doubt, and read back.
func (h *heard) reconsider() {
	if !h.listener.Encoded() || h.asked == nil || h.purpose() != sessions.ToAsk || h.puts() {
		return
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if _, set := h.phraseAt(seg); set || h.isSettled(seg.From, seg.To) || strings.Contains(h.said.Text[seg.From:seg.To], "?") {
			continue
		}
		if h.answersAfterAll(seg) {
			seg.Act, seg.Sure = listening.Answer, min(seg.Sure, unsureAnswer)
		}
	}
}

// answersAfterAll reports whether a segment that was heard as talk answers what was asked.
func (h *heard) answersAfterAll(seg *listening.Segment) bool {
	switch seg.Act {
	case listening.SmallTalk:
		asks := slices.ContainsFunc(h.wordsBetween(seg.From, seg.To), func(w language.Word) bool { return language.IsWord("asks", language.Fold(w.Text)) })
		if isOpen(h.asked.Template) && !asks { // "what a day"
			return h.fitted(h.asked, seg.From, seg.To, otherAnswers).Asked >= leastFit
		}
	case listening.Feeling, listening.Complaint, listening.Stop, listening.Skip, listening.Later, listening.Topic, listening.Unknown, listening.Delegate:
	default:
		return false
	}
	return len(h.asked.Choices) > 0 && h.meant(h.asked.Template, seg.From, seg.To, seg) != nil
}
