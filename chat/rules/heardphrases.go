package rules

import (
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/sessions"
)

// setPhrases takes for what they are the stretches that are said in set phrases: those
// are closed, and surer than what is learned.
func (h *heard) setPhrases() {
	h.closedPhrases()
	defer h.setParting()
	h.setRequests()
	if h.language() != "en" {
		return
	}
	switch whole := (listening.Segment{From: 0, To: len(h.said.Text), Sure: 1}); {
	case h.u.idle(0, len(h.u.words)):
		whole.Act = listening.Gibberish
		h.said.Segments = []listening.Segment{whole}
	case h.asked != nil && h.asking() && h.stray(0, len(h.u.words)):
		whole.Act = listening.SmallTalk
		h.said.Segments = []listening.Segment{whole}
	}
	closing := (h.purpose() == sessions.ToConfirm || h.purpose() == sessions.ToFinish) && len(h.content()) == 0
	for _, p := range h.parts {
		act, ok := actOf(p.mark)
		if h.purpose() == sessions.ToConfirm && p.mark.intent == chat.Finish && p.len() <= 4 { // "that's it"
			act = listening.Confirm
		}
		bare := len(h.content()) == 0
		plain := closing || bare && h.asked != nil && !h.asked.Closed() && kindOf(h.asked.Template) == listening.Text
		if !p.marked || !ok || !plain && (act == listening.Confirm || act == listening.Deny) || p.mark.excuse && !bare ||
			p.mark.intent == chat.OffTopic && p.mark.aside == nil && h.u.asks(p.to-1) && h.acts(p.from) == listening.Question { // of another kind
			continue
		}
		from, to := h.u.words[p.from].start, h.u.words[p.to-1].end
		h.phrases = append(h.phrases, phraseSaid{from, to, act, p.mark, p.ends && (p.mark.intent == chat.SmallTalk || p.mark.aside != nil && !p.mark.aside.asks)})
	}
	h.hearTheRest()
}

// acts returns what the model takes word i for.
func (h *heard) acts(i int) listening.Act {
	if seg := h.segmentAt(h.u.words[i].start); seg != nil {
		return seg.Act
	}
	return listening.Answer
}

// hearTheRest hears by itself what is said beside set phrases that are sentences of their
// own, so that a greeting makes nothing else of it. What goes on in the same sentence is
// heard with it: "Sorry, the kettle is whistling".
func (h *heard) hearTheRest() {
	rest := []byte(h.said.Text)
	alone := false
	for _, p := range h.phrases {
		alone = alone || p.ends
		for i := p.from; p.ends && i < p.to; i++ {
			rest[i] = ' '
		}
	}
	if alone && len(h.content()) > 0 {
		h.said.Segments = h.again(string(rest)).Segments
	}
	for _, p := range h.phrases {
		h.said.Set(p.from, p.to, p.act)
	}
}

// closedPhrases takes for what they are the clauses that stand in a lexicon.
func (h *heard) closedPhrases() {
	var folded []string
	begun := 0
	for i := 0; i <= len(h.words); i++ {
		if i < len(h.words) && !strings.ContainsAny(h.words[i].Text, ",.;:!?\n") {
			folded = append(folded, language.Fold(h.words[i].Text))
			continue
		}
		for _, l := range language.Lexicons() {
			if act, ok := listening.ActNamed(l.Said(strings.Join(folded, " "))); ok && len(folded) > 0 {
				h.said.Set(h.words[begun].From, h.words[i-1].To, act)
				break
			}
		}
		begun, folded = i+1, nil
	}
}

// phraseSaid is a set phrase that was said, and what it wants.
type phraseSaid struct {
	from, to int
	act      listening.Act
	mark     mark
	ends     bool // a courtesy that is a sentence of its own
}

// phraseAt returns the set phrase that a segment is, if it is one.
func (h *heard) phraseAt(seg *listening.Segment) (mark, bool) {
	for _, p := range h.phrases {
		if seg.From < p.to && p.from < seg.To {
			return p.mark, true
		}
	}
	return mark{}, false
}

// actOf returns the act of what set phrases want.
func actOf(m mark) (listening.Act, bool) {
	switch m.intent {
	case chat.AskWhy, chat.AskMemory, chat.AskProgress, chat.AskMeta:
		return listening.Question, true
	case chat.AskHelp:
		if m.examples {
			return listening.Examples, true
		}
		return listening.Question, true
	case chat.AskRepeat:
		return listening.Repeat, true
	case chat.SkipThis:
		return listening.Skip, true
	case chat.Later:
		return listening.Later, true
	case chat.Leave, chat.Finish:
		return listening.Stop, true
	case chat.DontKnow:
		return listening.Unknown, true
	case chat.Agree:
		return listening.Confirm, true
	case chat.Disagree:
		return listening.Deny, true
	case chat.OffTopic:
		if m.aside != nil && m.aside.asks {
			return listening.Question, true
		}
		return listening.SmallTalk, true
	case chat.SmallTalk:
		return listening.SmallTalk, true
	case chat.AskResearch:
		return listening.LookUp, true
	}
	return 0, false
}
