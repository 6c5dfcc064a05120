package rules

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// compose words the whole reply: greeting, what the message wanted, what was
// understood, what could not be taken, then the question or the farewell.
func (w *writer) compose() {
	p := w.plan
	if p.Begun {
		w.rest()
		return
	}
	if p.Returning && p.Ends == "" {
		w.say("welcome-back", nil)
	}
	if p.Understanding.Intent == chat.Opened && !p.Returning {
		w.greet()
	}
	w.notUnderstood()
	w.news()
	w.outcomes()
	w.figure()
	if !w.human() && !w.course() {
		w.meta()
	}
	w.meet()
	said := w.acknowledge()
	w.refusals()
	w.answerBeside()
	w.directed()
	w.wishes()
	w.lookups()
	if slices.ContainsFunc(p.Understanding.Findings, func(f obligations.Finding) bool { return f.Act == obligations.Reopen }) {
		w.say("reopened", nil)
		said = true
	}
	if !said && len(w.pieces) == 0 && p.Conflict == nil && slices.Contains([]chat.Intent{"", chat.Answer, chat.Unclear}, p.Understanding.Intent) && !w.confirms() {
		w.say("noted.bare", nil)
	}
	w.dropBare()
	if p.Ends != "" {
		w.farewell()
		return
	}
	w.enter()
	w.ask()
	if len(w.pieces) == 0 {
		w.say("noted.bare", nil)
	}
}

// confirms reports whether the reply asks whether something was understood rightly, which shows
// that it was heard.
func (w *writer) confirms() bool {
	return w.plan.Question != nil && w.plan.Question.Purpose == sessions.ToConfirm
}

// greet opens a session.
func (w *writer) greet() {
	greeting := ""
	if w.scene.Objective != nil {
		greeting = strings.TrimSpace(w.scene.Objective.Greeting)
	}
	if greeting == "" {
		greeting = w.l.Text("greeting", nil)
	}
	for _, s := range sentences(greeting) {
		w.tell(s)
	}
	w.parts()
}

// notUnderstood says once a session that the language of the message is not understood, in
// English and in that language.
func (w *writer) notUnderstood() {
	tag := messages.Foreign(w.scene.Message)
	if tag == "" || w.scene.Memory.Preferences[chat.WritesIn] != "" {
		return
	}
	notices := messages.NotUnderstood(tag)
	if slices.ContainsFunc(w.scene.Transcript, func(m sessions.Message) bool { return strings.Contains(m.Content, notices[0]) }) {
		return
	}
	for _, n := range notices {
		w.paragraph(n)
	}
}

// sentences cuts text after full stops, for streaming.
func sentences(text string) []string {
	parts := strings.SplitAfter(text, ". ")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// enter says the sentence of a phase that just began. Going back is not
// announced.
func (w *writer) enter() {
	p := w.plan
	order := []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}
	if w.scene.Objective == nil || slices.Index(order, p.Phase) <= slices.Index(order, p.PhaseBefore) || p.PhaseBefore == "" {
		return
	}
	if p.Question != nil && (p.Question.Purpose == sessions.ToFinish || p.Question.Purpose == sessions.ToWiden) { // the summary comes with the offer to finish
		return
	}
	if entry := strings.TrimSpace(p.Phase.In(w.scene.Objective.Phases).Entry); entry != "" && !w.brief() {
		w.paragraph(entry)
		w.entered = true
	}
}

// meta answers what the message wanted of the conversation.
func (w *writer) meta() {
	if w.topic() {
		return
	}
	if a := w.aside(); a != nil {
		a(w)
		return
	}
	switch u := w.plan.Understanding; u.Intent {
	case chat.AskWhy:
		w.why()
	case chat.AskHelp:
		w.help(w.about())
	case chat.AskRepeat:
		w.say("repeated", nil)
	case chat.AskProgress:
		w.progress()
	case chat.AskMemory:
		w.recallAsked(w.memoryAsked())
	case chat.SmallTalk:
		if !w.plan.Returning || !w.greets() { // they were welcomed back already
			w.say(smallTalk.in(w.scene.Message, "small-talk.else"), nil)
		}
	case chat.OffTopic:
		w.say(cmp.Or(w.besideText(), offTopic.in(w.scene.Message, "beside.else")), nil)
		w.standing()
	case chat.Unclear:
		w.unclear()
	case chat.Agree:
		if q := w.plan.Question; len(w.plan.Changes) == 0 && q != nil && q.Purpose == sessions.ToAsk && w.wasAsked(q.Key) {
			w.say("agreed.tell-more", nil)
		} else if len(w.plan.Changes) == 0 && w.plan.Ends == "" {
			w.say("agreed", nil)
		}
	case chat.Disagree:
		if len(w.plan.Changes) == 0 {
			w.say("disagreed", nil)
		}
	case chat.Answer, chat.Correction, chat.SkipThis, chat.Later, chat.DontKnow, chat.AskResearch, chat.Leave, chat.Finish, chat.Opened, chat.AskMeta:
	}
}

// topic answers the wish to talk about something else now, and reports whether there is one.
func (w *writer) topic() bool {
	first := w.plan.Understanding.First
	if first == "" || w.plan.Question == nil || !slices.Contains(w.plan.Question.Keys(), first) {
		return false
	}
	w.say("remark.topic.taken", nil)
	return true
}

// about is the obligation the message is about, else the one asked; nil when
// there is neither.
func (w *writer) about() *obligations.Obligation {
	if o := w.find(w.plan.Understanding.About); o != nil {
		return o
	}
	if q := w.plan.Question; q != nil && q.Key != "" {
		return w.find(q.Key)
	}
	return nil
}

// why says what the question is for.
func (w *writer) why() {
	o, q := w.about(), w.plan.Question
	switch {
	case o != nil && o.Why != "":
		w.tell(o.Why)
	case q != nil && q.Why != "":
		w.tell(q.Why)
	default:
		w.say("why", nil)
	}
	if !w.brief() && o != nil && w.hesitated(o.Key) {
		w.sayOnce("why.may-skip")
	}
}

// help explains what an answer may look like.
func (w *writer) help(o *obligations.Obligation) {
	if o == nil {
		w.say("help", nil)
		return
	}
	if q := w.plan.Question; q != nil && q.Purpose == sessions.ToConfirm && q.Key == o.Key {
		w.say("help.confirm", nil)
		return
	}
	if o.Why != "" && !w.brief() && w.plan.Understanding.Intent == chat.AskHelp && !w.wantsExamples() {
		w.tell(o.Why)
	}
	w.guide(o.Template)
}

// wantsExamples reports whether the message asks for examples.
func (w *writer) wantsExamples() bool {
	return slices.ContainsFunc(w.plan.Understanding.Beside, func(r chat.Remark) bool { return r.Act == "examples" || r.About == "examples" })
}

// guide says what kind of answer t takes, with its choices or examples.
func (w *writer) guide(t *obligations.Template) {
	switch t.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		list := bullets(field.Labels(t))
		if last := w.scene.LastReply(); last != nil && strings.Contains(last.Content, list) && w.plan.Understanding.Intent != chat.AskHelp {
			return // they have just read it
		}
		lead := "help.choose-one"
		if t.Widget == obligations.MultiSelect {
			lead = "help.choose-several"
		}
		w.say(lead, nil)
		w.paragraph(list)
		if t.AllowOther {
			w.say("help.other", nil)
		}
		return
	case obligations.Number:
		w.say("help.number", nil)
	case obligations.Date:
		w.say("help.date", nil)
	case obligations.Text:
		w.say("help.text", nil)
	}
	if len(t.Examples) > 0 {
		w.say("for-example", with{"examples": w.quotedAll(t.Examples)})
	}
}

func (w *writer) quotedAll(examples []string) messages.Or {
	out := messages.Or{}
	for _, e := range examples[:min(len(examples), 3)] {
		out = append(out, w.l.Quoted(strings.TrimRight(plainLine(e), ".")))
	}
	return out
}

func bullets(items []string) string { return "- " + strings.Join(items, "\n- ") }
