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

// wants works out what the person wants of the conversation from what the segments do,
// and notes what comes beside an answer.
func (h *heard) wants() {
	best, at, wanted := chat.Intent(""), -1, mark{}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		m, ok := h.intentOf(seg)
		if !ok || m.intent == chat.Leave && h.scene.Turn <= 1 && h.count() > longestHello {
			continue // who begins by telling what they came for does not leave
		}
		if m.intent == chat.Leave && h.spelled(seg.From, seg.To) <= fewWords && h.tellsBehind(seg.To) {
			continue // "it's a service, period. They pay in cash"
		}
		if strength[m.intent] > strength[best] || best == "" {
			best, at, wanted = m.intent, i, m
			if _, set := h.phraseAt(seg); !set {
				wanted = mark{intent: best, skip: skipOf(seg.Act)}
			}
		}
		h.out.Beside = append(h.out.Beside, h.remarks(seg, m)...)
	}
	found := len(h.out.Findings) > 0
	if h.which && !found && best == "" && !h.only(listening.Deny) {
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
	case at >= 0 && (best == chat.SmallTalk || best == chat.OffTopic) && language.FoldWords(h.said.Text) == language.FoldWords(h.lastSaid()):
		h.out.Intent = chat.Unclear // said again, so it was meant for an answer
	case at >= 0:
		h.act(wanted)
	case found:
		h.out.Intent = chat.Answer
	case len(h.out.Refused) > 0:
		h.out.Intent = chat.Answer
	case h.only(listening.Confirm):
		h.out.Intent = chat.Agree
	case h.only(listening.Deny):
		h.out.Intent = chat.Disagree
	default:
		h.out.Intent = chat.Unclear
	}
	if found && at >= 0 && (best == chat.Leave || best == chat.Finish) {
		h.out.Intent = best
	}
}

// tellsBehind reports whether something is told in a message behind a byte.
func (h *heard) tellsBehind(at int) bool {
	return slices.ContainsFunc(h.said.Segments, func(s listening.Segment) bool {
		return s.From >= at && (s.Act == listening.Answer || s.Act == listening.Fact) && h.spelled(s.From, s.To) > fewWords
	})
}

// only reports whether all of the message does one thing.
func (h *heard) only(act listening.Act) bool {
	return len(h.said.Segments) > 0 && !slices.ContainsFunc(h.said.Segments, func(s listening.Segment) bool { return s.Act != act })
}

// skipOf returns why a question is left out.
func skipOf(act listening.Act) obligations.SkipReason {
	if act == listening.NoPreference {
		return obligations.NoPreference
	}
	return obligations.Declined
}

// fewBeside is how many words beside a set phrase say nothing of their own.
const fewBeside = 2

// surely is how sure an act must be for the interview to follow it.
const surely = 0.4

// intentOf returns what a segment wants of the conversation.
func (h *heard) intentOf(seg *listening.Segment) (mark, bool) {
	switch h.about(seg) {
	case AboutNotes:
		return mark{intent: chat.AskMemory}, true
	case AboutFindings:
		return mark{intent: chat.AskResearch}, true
	case AboutDeletion, AboutRetention, AboutTraining, AboutDownload:
		return mark{intent: chat.AskMeta}, true
	}
	if m, ok := h.phraseAt(seg); ok {
		return m, true
	}
	if seg.Sure < surely || len(h.phrases) > 0 && seg.Act != listening.Question && h.spelled(seg.From, seg.To) <= fewBeside {
		return mark{}, false
	}
	if seg.Act == listening.Question {
		return mark{intent: h.questionKind(seg)}, true
	}
	if seg.Act == listening.Stop && slices.ContainsFunc(h.phrases, func(p phraseSaid) bool { return p.kind == phraseFinish }) {
		return mark{intent: chat.Finish}, true // "that's all, please stop now"
	}
	return markOf(seg.Act)
}

// markOf returns what an act wants of the conversation.
func markOf(act listening.Act) (mark, bool) {
	switch act {
	case listening.Unknown, listening.Delegate:
		return mark{intent: chat.DontKnow}, true
	case listening.NoPreference, listening.Skip:
		return mark{intent: chat.SkipThis, skip: skipOf(act)}, true
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
	case listening.Answer, listening.Fact, listening.Correction, listening.Confirm, listening.Deny, listening.Question:
	}
	return mark{}, false
}

// questionKind returns what a question to us is about.
func (h *heard) questionKind(seg *listening.Segment) chat.Intent {
	if kind := h.about(seg); kind != "" {
		if intent, ok := questionIntents[kind]; ok {
			return intent
		}
	}
	return chat.AskMeta
}

// questionIntents are what questions want of the conversation, by their kind.
var questionIntents = map[string]chat.Intent{"why": chat.AskWhy, "meaning": chat.AskHelp, "examples": chat.AskHelp, "repeat": chat.AskRepeat, "progress": chat.AskProgress, "memory": chat.AskMemory, AboutFindings: chat.AskResearch}

// sureQuestion is from where the kind of a question is acted on: of the questions above it
// that training/questions.py held out, 75 to 80 of 100 were of it.
const sureQuestion = 0.45

// questionAbout returns the kind of a question to us, "" where that is not sure.
func (h *heard) questionAbout(question string) string {
	if about := requestAbout(question); about != "" {
		return about
	}
	kind, sure := h.kindOfQuestion(question)
	if sure < sureQuestion || kind == listening.WhoAsks && !wordsOf(strings.Fields(language.FoldWords(question))).has("whoasks") {
		return "" // who asks is asked of who asks, and of nobody else
	}
	return kind.String()
}

// remarks returns a segment that tells nothing as remarks: a question for each of its
// clauses whose kind is sure, where there are two.
func (h *heard) remarks(seg *listening.Segment, m mark) []chat.Remark {
	if h.blamesIn(seg) || h.asksBackIn(seg) {
		return []chat.Remark{h.remark(seg, m)}
	}
	if h.asksOnlyNoted(seg) {
		r := chat.Remark{Intent: chat.AskMemory, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To], About: AboutNotes}
		return []chat.Remark{h.noteAsked(r, seg.From, seg.To)}
	}
	if seg.Act == listening.Question || seg.Act == listening.Topic || seg.Act == listening.Complaint {
		var out []chat.Remark
		for _, c := range h.clausesOf(seg) {
			words := h.said.Text[c.From:c.To]
			if about := h.questionAbout(words); about != "" && h.spelled(c.From, c.To) > fewBeside && !slices.ContainsFunc(out, func(r chat.Remark) bool { return r.About == about }) {
				intent, ok := questionIntents[about]
				if !ok {
					intent = chat.AskMeta
				}
				out = append(out, h.noteAsked(chat.Remark{Intent: intent, Act: listening.Question.String(), Text: words, About: about}, c.From, c.To))
			}
		}
		if len(out) > 1 || len(out) > 0 && seg.Act != listening.Question {
			return out
		}
	}
	return []chat.Remark{h.remark(seg, m)}
}

// remark returns a segment that tells nothing as one remark.
func (h *heard) remark(seg *listening.Segment, m mark) chat.Remark {
	r := chat.Remark{Intent: m.intent, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To], About: h.about(seg)}
	if h.blamesIn(seg) {
		r.Key = h.blamedFor(seg)
	}
	return h.noteAsked(r, seg.From, seg.To)
}

// about returns what a segment that asks wants to know.
func (h *heard) about(seg *listening.Segment) string {
	if seg.Act != listening.Question {
		return ""
	}
	if h.asksOnlyNoted(seg) {
		return AboutNotes
	}
	if h.asksBackIn(seg) {
		return "meaning"
	}
	about := h.questionAbout(h.said.Text[seg.From:seg.To])
	if questionIntents[about] == "" && h.asksMeaning(seg) {
		return "meaning"
	}
	return about
}

// asksMeaning reports whether a question is about the words of what was asked, or of its choices: "what
// is value-based?".
func (h *heard) asksMeaning(seg *listening.Segment) bool {
	if h.asked == nil || !h.asking() || h.speaksOf(h.within(seg.From, seg.To), "or") { // "do you mean A or B" asks which
		return false
	}
	own := field.Stems(askedWords(h.asked.Template) + " " + h.asked.Name())
	for _, c := range h.asked.Choices {
		for st := range field.Stems(strings.Join(c.Synonyms, " ")) {
			own[st] = true
		}
	}
	of, all := 0, true
	for _, w := range h.wordsBetween(seg.From, seg.To) {
		if f := language.Fold(w.Text); language.IsWord("meaning", f) {
			return true
		}
		for st := range field.Stems(w.Text) {
			if language.IsWord("asks", language.Fold(w.Text)) {
				continue
			}
			of++
			all = all && own[st]
		}
	}
	return of > 0 && all
}

// strength orders intents: the strongest of several is what a message wants.
var strength = map[chat.Intent]int{
	chat.Leave: 17, chat.AskResearch: 16, chat.SkipThis: 15, chat.Later: 14, chat.AskWhy: 13, chat.AskHelp: 12, chat.AskRepeat: 11, chat.AskProgress: 10,
	chat.AskMemory: 9, chat.Finish: 8, chat.DontKnow: 7, chat.Disagree: 5, chat.Agree: 4, chat.OffTopic: 2, chat.SmallTalk: 1,
}

// beside notes what comes beside that tells nothing.
func (h *heard) beside() {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if m, ok := h.intentOf(seg); ok {
			h.out.Beside = append(h.out.Beside, h.remark(seg, m))
		}
	}
}

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
	case chat.Disagree:
		h.withdrawn()
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
func (h *heard) withdrawn() {
	if list := h.answeredLast(); len(list) > 0 {
		h.out.About = list[0].Key
		h.deny(list[0])
	}
}
