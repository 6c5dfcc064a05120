package rules

import (
	"strings"

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
	switch text := !h.asked.Closed() && kindOf(h.asked.Template) == listening.Text; {
	case v.value == nil, len(h.words) > mostUnsure, len(h.words) > shortTalk && !text && !v.spanned:
	default:
		h.note(h.asked.Key, v, obligations.Tell, fitOf(0.5, 0.9))
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
	if len(h.asked.Choices) == 0 || kindOf(h.asked.Template) == listening.YesNo {
		return false
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Question, listening.Correction, listening.Examples, listening.Repeat, listening.Skip, listening.Unknown:
			continue
		}
		var folded []string
		for _, w := range h.wordsBetween(seg.From, seg.To) {
			folded = append(folded, language.Fold(w.Text))
		}
		named := 0
		for k := range h.asked.Choices {
			if saidOf(&h.asked.Choices[k], folded) > 1 {
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
	again := joinFolded(h.said.Text) == joinFolded(h.lastSaid())
	if !again && (h.scene.Asked.Attempt < 2 || kindOf(h.asked.Template) != listening.Text) {
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
