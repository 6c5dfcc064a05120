package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// act does what a message without content wants.
func (h *heard) act(m mark) {
	h.out.Intent = m.intent
	key := h.askedKey()
	switch m.intent {
	case chat.SkipThis:
		if h.purpose() == sessions.ToConfirm && h.asked != nil && h.asked.Value != nil {
			h.add(obligations.Finding{Key: h.asked.Key, Act: obligations.Defer, Reason: "the person would not confirm it now"})
			break
		}
		h.aboutAsked(obligations.Finding{Act: obligations.Skip, Skip: m.skip, Reason: skipReasons[m.skip]})
	case chat.Later:
		h.aboutAsked(obligations.Finding{Act: obligations.Defer, Reason: wantsLater})
	case chat.DontKnow:
		h.aboutAsked(obligations.Finding{Act: obligations.Unsure, Reason: notKnown})
	case chat.AskResearch:
		if slices.ContainsFunc(h.said.Segments, func(s listening.Segment) bool { return s.Act == listening.LookUp }) {
			h.lookUp()
		} else if n, ok := h.mentioned(h.all(), anyOne); ok { // what came of it
			h.out.About = n.o.Key
		}
	case chat.AskMemory:
		if n, ok := h.mentioned(h.all(), func(o *obligations.Obligation) bool { return o != h.asked }); ok && n.label {
			h.out.About = n.o.Key
		}
	}
	if key != "" && h.out.About == "" && m.intent != chat.SmallTalk && m.intent != chat.OffTopic && m.intent != chat.AskResearch {
		h.out.About = key
	}
	if m.intent == "" {
		h.out.Intent = chat.Unclear
	}
}

var skipReasons = map[obligations.SkipReason]string{
	obligations.NotApplicable: "the person says it does not apply",
	obligations.NoPreference:  "the person has no preference",
	obligations.Declined:      "the person prefers not to say",
}

// Why something is put aside.
const (
	wantsLater = "the person wants to come back to it"
	notKnown   = "the person does not know"
)

func (r *reader) askedKey() string {
	if r.scene.Asked == nil {
		return ""
	}
	return r.scene.Asked.Key
}

// aboutAsked adds f for every obligation the last question was about. What is
// known for sure is not given up by a word about the question.
func (r *reader) aboutAsked(f obligations.Finding) {
	for _, key := range r.scene.Asked.Keys() {
		if o := r.find(key); o != nil && !r.told(key) && !(o.Status == obligations.Satisfied && f.Act != obligations.Defer) {
			f.Key = key
			r.add(f)
		}
	}
}

// withdrawn denies what was answered last.
func (h *heard) withdrawn() bool {
	list := h.answeredLast()
	if len(list) == 0 {
		return false
	}
	h.out.Intent, h.out.About = chat.Disagree, list[0].Key
	h.deny(list[0])
	return true
}
