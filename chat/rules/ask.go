package rules

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// ask puts the turn's question on its own line, last but for examples of an answer.
func (w *writer) ask() {
	q := w.plan.Question
	if q == nil {
		return
	}
	if w.plan.Left > 0 {
		w.say("questions-left", with{"n": messages.Count(w.plan.Left)})
	}
	w.part()
	switch q.Purpose {
	case sessions.ToApprove:
		w.readBack(q)
		w.question(q.Prompt)
	case sessions.ToWiden:
		w.question(q.Prompt)
	case sessions.ToAsk:
		w.prepare(q)
		w.question(q.Prompt)
		w.illustrate(q)
	case sessions.ToProbe:
		w.question(q.Prompt)
	case sessions.ToForm:
		w.form(q)
	case sessions.ToConfirm:
		w.question(w.confirmation(q))
	case sessions.ToResolve:
		w.question(w.alternatives(q))
	case sessions.ToFinish:
		if !q.Pause && !w.plan.Digression && !w.summedUp() || w.plan.Returning || w.plan.Understanding.Intent == chat.AskRepeat {
			w.summary()
		}
		w.question(q.Prompt)
	}
}

// summedUp reports whether the reply before summed up what is known, and nothing of it changed.
func (w *writer) summedUp() bool {
	return w.scene.Asked != nil && w.scene.Asked.Purpose == sessions.ToFinish && !w.scene.Asked.Pause && len(w.plan.Changes) == 0
}

func (w *writer) question(text string) {
	gap := " "
	if len(w.pieces) > 1 {
		gap = "\n\n"
	}
	w.put(strings.TrimSpace(text), gap)
}

// prepare leads up to a question: what the choices are when they cannot be seen, and a
// way out in the end.
func (w *writer) prepare(q *sessions.Question) {
	intent := w.plan.Understanding.Intent
	if intent == chat.AskHelp {
		return
	}
	switch {
	case w.helped(q): // said why and how already
	case w.scene.Voice && len(q.Choices) > 0 && len(q.Choices) <= 6:
		w.say("choices.say", with{"choices": messages.Or(labelsAsked(q))})
	case len(q.Choices) > 0 && q.Attempt >= sessions.ExamplesFrom && !w.plan.Digression:
		w.choices(labelsAsked(q))
	}
	if q.MayDefer && !w.plan.Digression && w.hesitated(q.Key) {
		w.sayOnce("may-defer")
	}
}

// hesitated reports whether the person found it hard to answer: they say so now, or put off what is asked.
func (w *writer) hesitated(key string) bool {
	u := &w.plan.Understanding
	if slices.Contains(hesitations, u.Intent) || slices.ContainsFunc(u.Beside, func(r chat.Remark) bool { return slices.Contains(hesitations, r.Intent) }) {
		return true
	}
	before := obligations.Find(w.scene.Obligations, key)
	return before != nil && (before.Status == obligations.Deferred || before.Vague())
}

// hesitations are the intents of who cannot or would rather not answer now.
var hesitations = []chat.Intent{chat.DontKnow, chat.Later, chat.SkipThis}

// choices lists what there is to choose from: in a sentence where the items are no lists
// themselves.
func (w *writer) choices(labels []string) {
	if slices.ContainsFunc(labels, func(l string) bool { return strings.Contains(l, ",") }) {
		w.say("help.choose-one", nil)
		w.paragraph(bullets(labels))
		return
	}
	w.say("choices", with{"choices": messages.Or(labels)})
}

// helped reports whether the reply has said already what kind of answer q takes.
func (w *writer) helped(q *sessions.Question) bool {
	intent := w.plan.Understanding.Intent
	again := !w.plan.Digression && q.Attempt > 1 && w.scene.Asked != nil && w.scene.Asked.Key == q.Key
	return intent == chat.AskHelp || again && intent == chat.Unclear
}

// illustrate gives examples after a question, for those who like them or are asked
// again.
func (w *writer) illustrate(q *sessions.Question) {
	examples := q.Examples
	if o := w.find(q.Key); o != nil && w.likesExamples() {
		examples = o.Examples
	}
	if !w.helped(q) && len(q.Choices) == 0 && len(examples) > 0 && (w.likesExamples() || !w.plan.Digression) {
		w.say("for-example", with{"examples": w.quotedAll(examples)})
	}
}

func labelsAsked(q *sessions.Question) []string {
	out := make([]string, len(q.Choices))
	for i, c := range q.Choices {
		out[i] = c.Label
	}
	return out
}

// unclear says that a message could not be read, with more help each time, and
// that what was asked stays open when it is not asked again.
func (w *writer) unclear() {
	q := w.plan.Question
	switch {
	case w.scene.Asked != nil && w.scene.Asked.Purpose == sessions.ToResolve:
		w.undecided(q)
		return
	case q == nil || q.Purpose == sessions.ToFinish:
		w.say("unclear", nil)
		return
	case w.scene.Asked == nil && w.brokenInto():
		w.say("unclear.unasked", nil)
		return
	case w.leaves(q) && w.scene.Asked.Purpose == sessions.ToConfirm: // it was a yes or a no that is missing, and no answer
		return
	case w.leaves(q):
		w.say("left-open", nil)
		return
	case q.Purpose == sessions.ToConfirm: // the question says what was understood
		return
	case w.scene.Asked != nil && w.scene.Asked.Purpose == sessions.ToForm && q.Purpose == sessions.ToAsk:
		w.say("unclear.form", nil)
	case q.Attempt <= 2:
		w.say("unclear.again", nil)
	default:
		w.say("unclear.still", nil)
	}
	if o := w.find(q.Key); o != nil && q.Purpose == sessions.ToAsk && (q.Attempt > 2 || len(o.Choices) > 0) {
		w.guide(o.Template)
	}
}

// brokenInto reports whether the person broke into the spoken reply before this message.
func (w *writer) brokenInto() bool {
	list := w.scene.Transcript
	return len(list) > 0 && list[len(list)-1].Role == sessions.FromAssistant && list[len(list)-1].Interrupted
}

// leaves reports whether q asks nothing of what was asked before it.
func (w *writer) leaves(q *sessions.Question) bool {
	return w.scene.Asked != nil && w.scene.Asked.Purpose != sessions.ToFinish && !slices.ContainsFunc(w.scene.Asked.Keys(), func(key string) bool { return slices.Contains(q.Keys(), key) })
}

// undecided says that an answer picked none of two values, and that the matter
// stays open when it is not asked about again.
func (w *writer) undecided(q *sessions.Question) {
	if q != nil && q.Purpose == sessions.ToResolve {
		w.say("undecided", nil)
		return
	}
	w.say("undecided.left-open", nil)
}

// form puts several questions that the page shows together, as somebody would ask them.
func (w *writer) form(q *sessions.Question) {
	if intent := w.plan.Understanding.Intent; w.plan.Digression && !w.plan.Returning && intent != chat.AskRepeat && intent != chat.AskHelp && slices.Equal(w.scene.Asked.Keys(), q.Keys()) {
		labels := make(messages.And, len(q.Fields))
		for i, f := range q.Fields {
			labels[i] = w.l.Name(f.Label)
		}
		w.say("form.back", with{"labels": labels})
		return
	}
	if lead := strings.TrimSpace(q.Prompt); lead != "" {
		w.tell(lead)
	} else {
		w.say("form", nil)
	}
	prompts := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		prompts[i] = cmp.Or(strings.TrimSpace(f.Prompt), f.Label)
	}
	w.paragraph(bullets(prompts))
	w.sayOnce("form.how")
}

// confirmation asks for a yes. A prompt made for it is used as it is; the
// question's own prompt is not a yes-or-no question, so one is worded here.
func (w *writer) confirmation(q *sessions.Question) string {
	o := w.find(q.Key)
	if o == nil || q.Proposal == nil || !w.isWording(o, q.Prompt) {
		return q.Prompt
	}
	if held := *o; w.saidNow(o) {
		held.Value = q.Proposal
		if w.cutShort(&held) {
			if asked := language.Indirect(w.l.Tag(), o.Prompt); asked != "" {
				return w.worded("confirm.answers", with{"asked": words(asked)})
			}
			return w.worded("confirm.place", with{"question": words(w.l.Quoted(plainLine(o.Prompt)))})
		}
	}
	value := words(w.brieflySaid(o, q.Proposal))
	if w.wasAsked(o.Key) && len(w.scene.Asked.Keys()) <= 1 {
		return w.worded("confirm", with{"value": value})
	}
	return w.worded("confirm.named", with{"label": w.nameOf(o.Template), "value": value})
}

// saidNow reports whether what o holds was said in the message that is answered.
func (w *writer) saidNow(o *obligations.Obligation) bool {
	return len(o.Evidence) > 0 && o.Evidence[len(o.Evidence)-1].Turn == w.scene.Turn
}

// alternatives asks which of two values holds.
func (w *writer) alternatives(q *sessions.Question) string {
	o := w.find(q.Key)
	if o == nil || len(q.Values) < 2 || !w.isWording(o, q.Prompt) {
		return q.Prompt
	}
	if words := w.sided(o); words != "" {
		return words
	}
	var values messages.And
	for _, v := range distinctValues(q.Values) {
		values = append(values, w.quotedAs(o, field.InWords(w.l, sessions.Currency{}, o.Template, v)))
	}
	return w.l.Text("resolve", with{"label": w.nameOf(o.Template), "values": values})
}

func distinctValues(values []json.RawMessage) []json.RawMessage {
	var out []json.RawMessage
	for _, v := range values {
		if !slices.ContainsFunc(out, func(o json.RawMessage) bool { return obligations.SameValue(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// isWording reports whether prompt is how o is asked openly.
func (w *writer) isWording(o *obligations.Obligation, prompt string) bool {
	if strings.TrimSpace(prompt) == "" || prompt == o.Prompt {
		return true
	}
	return w.scene.Objective != nil && slices.Contains(w.scene.Objective.Pools[o.PoolID], prompt)
}
