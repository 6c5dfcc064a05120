package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// converse reads a message that neither settles a question nor corrects.
func (r *reader) converse() {
	if r.purpose() == sessions.ToForm && r.bySentence() {
		return
	}
	lead, content := r.lead(), r.content()
	if len(content) == 0 {
		r.act(lead)
		return
	}
	switch lead.intent {
	case chat.SkipThis, chat.Later:
		if r.purpose() == sessions.ToForm { // some fields now, the rest not
			r.answer(content)
		}
		r.act(lead)
		r.volunteer(content)
	case chat.AskHelp, chat.AskRepeat:
		r.act(lead)
		r.volunteer(content)
	case chat.AskResearch:
		r.besideWish(content)
		r.act(lead)
	case chat.AskWhy, chat.AskProgress, chat.AskMemory, chat.Leave:
		r.act(lead)
		r.answer(content)
	case chat.DontKnow:
		r.guess(content)
	default:
		r.respond(lead, content)
	}
}

// respond reads an answer, and what to make of a message that holds none.
func (r *reader) respond(lead mark, content []clause) {
	r.out.Intent = chat.Answer
	switch {
	case r.answer(content):
		if last := r.answeredLast(); lead.scratch && len(last) > 0 && !r.told(last[0].Key) {
			r.deny(last[0])
		}
	case lead.intent != "":
		r.act(lead)
	case r.missed:
		r.out.Intent = chat.Unclear
	case r.strayed && !r.u.idle(0, len(r.u.words)):
		r.out.Intent = chat.OffTopic
	case r.scene.Asked == nil || len(r.u.words) > 3 && r.asked != nil && !r.asked.Closed():
		r.out.Intent = chat.OffTopic
	default:
		r.out.Intent = chat.Unclear
	}
}

// guess reads "I don't know, maybe around 50": a hedged answer. Without a hedge
// or a value it stays "don't know".
func (r *reader) guess(content []clause) {
	closed := r.asked == nil || r.asked.Closed()
	guesses := slices.ContainsFunc(content, func(c clause) bool { return r.guessing(c) })
	before := len(r.out.Findings)
	if (closed || guesses) && r.answer(content) && len(r.out.Findings) > before {
		for i := before; i < len(r.out.Findings); i++ {
			if r.asked != nil && r.out.Findings[i].Key == r.asked.Key {
				r.out.Intent = chat.Answer
				r.out.Findings[i].Grade.Hedged = true
			}
		}
		if r.out.Intent == chat.Answer {
			return
		}
	}
	if !closed && !guesses {
		r.volunteer(content)
	}
	r.out.Refused = nil
	r.act(mark{intent: chat.DontKnow})
}

var guessWords = set("maybe perhaps probably possibly guess about around roughly like say approximately likely somewhere think but suppose")

// guessing reports whether c opens like a guess.
func (r *reader) guessing(c clause) bool {
	for i := c.from; i < c.to && i < c.from+4; i++ {
		if guessWords[r.u.at(i)] {
			return true
		}
	}
	return false
}

// act does what a message without content wants.
func (r *reader) act(m mark) {
	r.out.Intent = m.intent
	key := r.askedKey()
	switch m.intent {
	case chat.SkipThis:
		if r.purpose() == sessions.ToConfirm && r.asked != nil && r.asked.Value != nil {
			r.add(obligations.Finding{Key: r.asked.Key, Act: obligations.Defer, Reason: "the person would not confirm it now"})
			break
		}
		r.aboutAsked(obligations.Finding{Act: obligations.Skip, Skip: m.skip, Reason: skipReasons[m.skip]})
	case chat.Later:
		r.aboutAsked(obligations.Finding{Act: obligations.Defer, Reason: wantsLater})
	case chat.DontKnow:
		r.aboutAsked(obligations.Finding{Act: obligations.Unsure, Reason: notKnown})
	case chat.AskResearch:
		if r.wish() != nil {
			r.research()
		} else if h, ok := r.mentioned(0, len(r.u.words), r.spokenOf); ok {
			r.out.About = h.o.Key
		}
	case chat.AskMemory:
		if h, ok := r.mentioned(0, len(r.u.words), func(o *obligations.Obligation) bool { return o != r.asked }); ok && h.names(r.u) {
			r.out.About = h.o.Key
		}
	case chat.Agree, chat.Disagree:
		r.plainly(m)
	}
	if key != "" && r.out.About == "" && m.intent != chat.SmallTalk && m.intent != chat.OffTopic && m.intent != chat.AskResearch {
		r.out.About = key
	}
	if m.intent == "" {
		r.out.Intent = chat.Unclear
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

// plainly reads a bare yes or no to a question that can be answered so.
func (r *reader) plainly(m mark) {
	if m.scratch {
		r.scratch()
		return
	}
	if r.asked == nil || r.purpose() != sessions.ToAsk {
		return
	}
	whole := reading{to: len(r.u.words)}
	t := r.asked.Template
	switch t.Widget {
	case obligations.ChoiceOne:
		whole.value = yesNoChoice(t, m.intent)
	case obligations.Text:
		if m.intent == chat.Disagree && yesNoPrompt(t.Prompt) {
			whole.value = encode("None")
		}
	}
	if whole.value != nil && r.tell(t.Key, whole, obligations.Tell, "") {
		r.out.Intent = chat.Answer
	}
}

// yesNoChoice returns the choice of t that says yes or no, or nil.
func yesNoChoice(t *obligations.Template, said chat.Intent) []byte {
	wanted := map[chat.Intent][]string{chat.Agree: {"yes", "true"}, chat.Disagree: {"no", "false", "none"}}[said]
	for _, c := range t.Choices {
		words := cut(c.Label)
		if slices.Contains(wanted, strings.ToLower(c.Value)) || (len(words) > 0 && slices.Contains(wanted, words[0])) {
			return encode(c.Value)
		}
	}
	return nil
}

var yesNoOpeners = set("do does did is are was were have has had will would can could should any anything")

// yesNoPrompt reports whether a question can be answered with no: "Do you have
// …", "Any …", "…, if any".
func yesNoPrompt(prompt string) bool {
	words := cut(prompt)
	return len(words) > 0 && (yesNoOpeners[words[0]] || strings.Contains(strings.ToLower(prompt), "if any") || slices.Contains(words, "any") || slices.Contains(words, "anything"))
}
