package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// wants works out what the person wants of the conversation from what the segments do,
// and notes what comes beside an answer.
func (h *heard) wants() {
	best, at, wanted := chat.Intent(""), -1, mark{}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		m, ok := h.intentOf(seg)
		if !ok {
			continue
		}
		if strength[m.intent] > strength[best] || best == "" {
			best, at, wanted = m.intent, i, m
			if _, set := h.phraseAt(seg); !set {
				wanted = mark{intent: best, skip: obligations.Declined, examples: seg.Act == listening.Examples}
			}
		}
		h.out.Beside = append(h.out.Beside, chat.Remark{Intent: m.intent, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To]})
	}
	found := len(h.out.Findings) > 0
	if h.which && !found && best == "" {
		h.out.Intent = chat.AskMeta
		h.out.Beside = append(h.out.Beside, chat.Remark{Intent: chat.AskMeta, Act: listening.Correction.String(), Text: h.said.Text})
		return
	}
	switch {
	case found && slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool {
		return f.Act == obligations.Correct || f.Act == obligations.Deny
	}):
		h.out.Intent = chat.Correction
		if h.purpose() == sessions.ToConfirm && h.denied(h.asked.Key) {
			h.out.Intent = chat.Disagree
		}
		h.out.About = h.out.Findings[0].Key
	case best == chat.AskResearch:
		h.act(wanted)
	case found && slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Act == obligations.Confirm }):
		h.out.Intent = chat.Agree
	case found && (h.asked == nil || h.told(h.asked.Key)):
		h.out.Intent = chat.Answer
	case at >= 0 && (best == chat.SmallTalk || best == chat.OffTopic) && joinFolded(h.said.Text) == joinFolded(h.lastSaid()):
		h.out.Intent = chat.Unclear // said again, so it was meant for an answer
	case at >= 0:
		h.act(wanted)
	case found:
		h.out.Intent = chat.Answer
	case len(h.out.Refused) > 0:
		h.out.Intent = chat.Answer
	default:
		h.out.Intent = chat.Unclear
	}
	if found && at >= 0 && (best == chat.Leave || best == chat.Finish) {
		h.out.Intent = best
	}
}

// surely is how sure an act must be for the interview to follow it.
const surely = 0.4

// intentOf returns what a segment wants of the conversation.
func (h *heard) intentOf(seg *listening.Segment) (mark, bool) {
	if m, ok := h.phraseAt(seg); ok {
		return m, true
	}
	if seg.Sure < surely {
		return mark{}, false
	}
	switch seg.Act {
	case listening.Question:
		return mark{intent: h.questionKind(seg)}, true
	case listening.Unknown, listening.Delegate:
		return mark{intent: chat.DontKnow}, true
	case listening.NoPreference, listening.Skip:
		return mark{intent: chat.SkipThis}, true
	case listening.Later:
		return mark{intent: chat.Later}, true
	case listening.Repeat:
		return mark{intent: chat.AskRepeat}, true
	case listening.Examples:
		return mark{intent: chat.AskHelp}, true
	case listening.Stop:
		return mark{intent: chat.Leave}, true
	case listening.LookUp:
		return mark{intent: chat.AskResearch}, true
	case listening.Topic, listening.Shorter, listening.Human, listening.Feeling, listening.Complaint:
		return mark{intent: chat.OffTopic}, true
	case listening.SmallTalk:
		return mark{intent: chat.SmallTalk}, true
	case listening.Gibberish:
		return mark{intent: chat.Unclear}, true
	case listening.Answer, listening.Fact, listening.Correction, listening.Confirm, listening.Deny:
	}
	return mark{}, false
}

// questionKind returns what a question to us is about.
func (h *heard) questionKind(seg *listening.Segment) chat.Intent {
	from, to := h.wordsOf(seg.From, seg.To)
	if m, ok := h.u.intent(from, to); ok && m.intent != chat.Answer {
		return m.intent
	}
	text := " " + language.Fold(h.said.Text[seg.From:seg.To]) + " "
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
	}
	switch {
	case has("why ", "what for", "what's it for", "warum", "wieso", "wozu", "weshalb", "does it matter", "need that", "need to know"):
		return chat.AskWhy
	case has("what do you mean", "do you mean", "meinen sie", "meinst du", "heisst das", "bedeutet", "what's a ", "what is a ", "was ist "):
		return chat.AskHelp
	case has("how many more", "how much longer", "how long is this", "how far", "wie lange noch", "wie viele noch", "wie weit"):
		return chat.AskProgress
	case has("did i say", "have i said", "have you got down", "did i tell", "what have you", "habe ich gesagt", "hab ich gesagt"):
		return chat.AskMemory
	}
	return chat.AskMeta
}
