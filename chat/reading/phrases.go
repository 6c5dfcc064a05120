package reading

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// mark is what a stretch of a message wants of the conversation.
type mark struct {
	intent chat.Intent
	skip   obligations.SkipReason // for SkipThis
}

// The kinds of set phrases that are no acts of the listener's.
const (
	phraseFinish     = "finish"     // that is all
	phraseIrrelevant = "irrelevant" // does not apply here
	phraseWithdraw   = "withdraw"   // takes back the last answer
	phraseWait       = "wait"       // wants a moment
	phraseGoBack     = "goback"     // wants to talk of an earlier question again
	phraseGoOn       = "goon"       // did not want to stop
	phraseChoose     = "choose"     // wants the interviewer to choose
)

// setPhrase is what a set phrase does.
type setPhrase struct {
	act  listening.Act
	mark mark
}

var setPhrases = map[string]setPhrase{
	phraseFinish:     {listening.Stop, mark{intent: chat.Finish}},
	phraseIrrelevant: {listening.Skip, mark{intent: chat.SkipThis, skip: obligations.NotApplicable}},
	phraseWithdraw:   {listening.Correction, mark{intent: chat.Disagree}},
	phraseWait:       {listening.SmallTalk, mark{intent: chat.OffTopic}},
	phraseGoBack:     {listening.SmallTalk, mark{intent: chat.OffTopic}},
	phraseGoOn:       {listening.SmallTalk, mark{intent: chat.OffTopic}},
	phraseChoose:     {listening.SmallTalk, mark{intent: chat.OffTopic}},
	"help":           {listening.Question, mark{intent: chat.AskHelp}},
	"why":            {listening.Question, mark{intent: chat.AskWhy}},
	"progress":       {listening.Question, mark{intent: chat.AskProgress}},
	"memory":         {listening.Question, mark{intent: chat.AskMemory}},
}

// phraseSaid is a set phrase that was said.
type phraseSaid struct {
	byteRange
	kind string
	setPhrase
}

// phraseIn returns the kind of set phrase that a clause is, but for what is only polite at its
// ends; "" for none.
func (u *utterance) phraseIn(c wordRange) string {
	for _, r := range []wordRange{c, u.courteous(c)} {
		said := strings.Join(u.folded()[r.from:r.to], " ")
		for _, l := range language.All() {
			if kind := l.Said(said); kind != "" {
				return kind
			}
		}
	}
	return u.slippedPhrase(c)
}

// longestSlipped is how many words a set phrase has at most that is told with a slip of the finger.
const longestSlipped = 6

// slippedPhrase returns the kind of set phrase that a clause is but for one slip of the finger, where it
// is all of the message: "skpi", "dont knwo"; "" for none.
func (u *utterance) slippedPhrase(c wordRange) string {
	if c.len() > longestSlipped || u.spoken(c) != u.spoken(u.all()) {
		return ""
	}
	for i := c.from; i < c.to; i++ {
		word := u.folded()[i]
		known := func(l *language.Lexicon) bool { return l.Knows(word) }
		if slices.ContainsFunc(language.All(), known) {
			continue
		}
		for _, tag := range language.Languages() {
			l := language.Lexicons()[tag]
			for _, right := range l.Slips(word, u.count() == 1) {
				meant := slices.Clone(u.folded()[c.from:c.to])
				meant[i-c.from] = right
				m := cut(strings.Join(meant, " "))
				for _, r := range []wordRange{m.all(), m.courteous(m.all())} {
					if kind := l.Said(strings.Join(m.folded()[r.from:r.to], " ")); kind != "" {
						return kind
					}
				}
			}
		}
	}
	return ""
}

// setPhrases takes for what they are the clauses that are said in set phrases: those are closed,
// and surer than what is learned.
func (h *heard) setPhrases() {
	clauses := h.clauses(h.all())
	for i, c := range clauses {
		kind := h.phraseIn(c)
		if kind != "" && kind == h.slippedPhrase(c) {
			h.slipped = kind
		}
		if (kind == phraseChoose || kind == listening.NoPreference.String()) && h.readsBack() { // "whatever you like" minds nothing
			kind = listening.Confirm.String()
		}
		p, ok := setPhrases[kind]
		if act, named := listening.ActNamed(kind); !ok && named {
			p, ok = setPhrase{act: act}, true
			p.mark, _ = markOf(act)
		}
		if _, manner := styleRequests[kind]; manner {
			p, ok = setPhrase{listening.SmallTalk, mark{intent: chat.OffTopic}}, true
		}
		if kind == phraseFinish && h.endsAnswer(c) {
			if i > 0 && (c.len() > 1 || h.endsSentence(c.from-1)) {
				from, to := h.bytes(c)
				if i+1 == len(clauses) { // with the marks behind it
					to = len(h.raw)
				}
				h.said.Set(from, to, listening.SmallTalk)
			}
			continue // "one looks it up, done"
		}
		if !ok || (p.act == listening.Confirm || p.act == listening.Deny) && !h.takesAssent() {
			continue
		}
		from, to := h.bytes(c)
		if p.mark.intent != "" {
			h.phrases = append(h.phrases, phraseSaid{byteRange{from, to}, kind, p})
		}
		if i+1 < len(clauses) { // with the marks behind it
			to, _ = h.bytes(clauses[i+1])
		}
		h.said.Set(from, max(to, from), p.act)
	}
	h.setWaiting()
	h.setRequests()
	h.setTakenBack()
	h.setLabel()
	h.setParting()
	if at := chat.AnnouncedAt(h.raw); at >= 0 { // what somebody brings up answers nothing
		h.said.Set(at, len(h.raw), listening.SmallTalk)
	}
}

// endsAnswer reports whether a clause says no more than that an answer is over, and something that is no
// courtesy stands before it: "a baker. That's it".
func (h *heard) endsAnswer(c wordRange) bool {
	bare := h.courteous(c)
	if bare.len() == 0 || h.entry("ender", bare.from, bare.to) != bare.len() || h.purpose() == sessions.ToFinish {
		return false
	}
	before := h.courteous(wordRange{0, c.from})
	return before.len() > 0 && h.spoken(before).len() > 0
}

// setWaiting takes a word or two beside a wish for a moment for the reason for it: "brb, bell".
func (h *heard) setWaiting() {
	for _, p := range h.phrases {
		if p.kind == phraseWait && p.from == 0 && h.spelled(p.to, len(h.raw)) <= fewBeside && h.spelled(p.to, len(h.raw)) == h.count()-h.spelled(0, p.to) {
			h.said.Set(p.to, len(h.raw), listening.SmallTalk)
			return
		}
	}
}

// setLabel takes a short message for an answer that says the label of a choice of what was asked,
// whatever it sounds like.
func (h *heard) setLabel() {
	if h.asked == nil || len(h.asked.Choices) == 0 || h.purpose() != sessions.ToAsk || h.count() > mostOfChoice || strings.Contains(h.raw, "?") || len(h.phrases) > 0 || field.Kind(h.asked.Template) == listening.YesNo {
		return
	}
	said := " " + language.PlainWords(h.raw) + " "
	for _, c := range h.asked.Choices {
		if label := language.PlainWords(c.Label); strings.Contains(label, " ") && strings.Contains(said, " "+label+" ") {
			h.said.Set(0, len(h.raw), listening.Answer)
			return
		}
	}
}

// readsBack reports whether the last question said something back, for a yes or a no.
func (h *heard) readsBack() bool {
	return h.purpose() == sessions.ToConfirm || h.purpose() == sessions.ToApprove
}

// isYes reports whether all of a message is a set phrase that agrees, or minds nothing.
func (h *heard) isYes() bool {
	switch h.phraseIn(h.spoken(h.all())) {
	case listening.Confirm.String(), listening.NoPreference.String(), phraseChoose:
		return !h.asked.Closed() || h.asked.Widget != obligations.ChoiceOne
	}
	return false
}

// takesAssent reports whether a plain yes or no is no answer but says that something is right or
// wrong: something was read back, or an open question takes none.
func (h *heard) takesAssent() bool {
	switch h.purpose() {
	case sessions.ToConfirm, sessions.ToFinish, sessions.ToApprove, sessions.ToResolve:
		return true
	}
	return h.asked != nil && !h.asked.Closed() && field.Kind(h.asked.Template) == listening.Text
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
