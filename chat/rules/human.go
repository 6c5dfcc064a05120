package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
)

// humanKind is the kind of questions for a human being.
const humanKind = "human"

// human answers the wish for a human being, with whom the organisation names for that, and
// reports whether the message wants nothing else of the conversation.
func (w *writer) human() bool {
	u := &w.plan.Understanding
	if !chat.AsksForHuman(u) {
		return false
	}
	w.say("remark.human", nil)
	if c := strings.TrimRight(w.scene.Contact, " ."); c != "" {
		w.say("remark.human.contact", with{"contact": words(c)})
	}
	return slices.Contains(humanIntents, u.Intent) || w.aside() != nil // "who are you?" is answered with it
}

// humanIntents are the intents of a message that does little more than ask for a human being.
var humanIntents = []chat.Intent{chat.AskMeta, chat.OffTopic, chat.SmallTalk, chat.Unclear}
