package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
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
		w.say("%s", questionsLeft(w.plan.Left))
	}
	switch q.Purpose {
	case sessions.ToAsk:
		w.prepare(q)
		w.question(q.Prompt)
		w.illustrate(q)
	case sessions.ToForm:
		w.form(q)
	case sessions.ToConfirm:
		w.question(w.confirmation(q))
	case sessions.ToResolve:
		w.question(w.alternatives(q))
	case sessions.ToFinish:
		if !w.plan.Digression || w.plan.Returning || w.plan.Understanding.Intent == chat.AskRepeat {
			w.summary()
		}
		w.question(q.Prompt)
	}
}

// questionsLeft warns that a budget is nearly used up.
func questionsLeft(n int) string {
	if n == 1 {
		return "This is the last question we have time for."
	}
	return capital(count(n)) + " questions left, this one included."
}

// capital starts words with a capital letter.
func capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

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
		w.say("You can say: %s.", list(labelsAsked(q), "or"))
	case len(q.Choices) > 0 && q.Attempt >= sessions.ExamplesFrom && !w.plan.Digression:
		w.say("These are the choices: %s.", list(labelsAsked(q), "or"))
	}
	if q.MayDefer && !w.plan.Digression {
		w.say("If it is hard to say now, just tell me “later” or “skip”.")
	}
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
		w.say("For example: %s.", list(quotedAll(examples), "or"))
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
		w.say("I could not make that out.")
		return
	case w.leaves(q):
		w.leftOpen(w.scene.Asked.Keys())
		return
	case w.scene.Asked != nil && w.scene.Asked.Purpose == sessions.ToForm && q.Purpose == sessions.ToAsk:
		w.say("I could not make that out, so let us take them one by one.")
	case q.Attempt <= 2:
		w.sayOne([]string{"I did not quite get that; let me put it another way.", "I am not sure I understood you rightly, so let me ask it again.", "That did not tell me enough, so let me try again."})
	default:
		w.say("I still did not get it, so here is some help.")
	}
	if o := w.find(q.Key); o != nil && q.Purpose == sessions.ToAsk && (q.Attempt > 2 || o.Closed()) {
		w.guide(o.Template)
	}
}

// leaves reports whether q asks nothing of what was asked before it.
func (w *writer) leaves(q *sessions.Question) bool {
	return w.scene.Asked != nil && w.scene.Asked.Purpose != sessions.ToFinish && !slices.ContainsFunc(w.scene.Asked.Keys(), func(key string) bool { return slices.Contains(q.Keys(), key) })
}

// leftOpen says that keys were asked in vain and stay open.
func (w *writer) leftOpen(keys []string) {
	if names := w.namesOf(keys); len(names) > 0 {
		w.sayOne([]string{"I could not make that out, so I leave %s open for now.", "I do not get any further with %s, so it stays open for now.", "Let us leave %s open for now; you can come back to it whenever you like."}, some(names, 3))
	}
}

// namesOf are the names of what is open of keys.
func (w *writer) namesOf(keys []string) []string {
	var names []string
	for _, key := range keys {
		if o := w.find(key); o != nil && !o.Resolved() {
			names = append(names, named(o.Template))
		}
	}
	return names
}

// undecided says that an answer picked none of two values, and that the matter
// stays open when it is not asked about again.
func (w *writer) undecided(q *sessions.Question) {
	if q != nil && q.Purpose == sessions.ToResolve {
		w.say("That does not tell me which of the two it is.")
		return
	}
	w.say("That does not tell me which of the two it is, so I leave it open for now.")
}

// form introduces several questions the page shows together, and lists them for
// those who hear or read only text.
func (w *writer) form(q *sessions.Question) {
	if intent := w.plan.Understanding.Intent; w.plan.Digression && !w.plan.Returning && intent != chat.AskRepeat && intent != chat.AskHelp && slices.Equal(w.scene.Asked.Keys(), q.Keys()) {
		w.say("Back to the short ones: %s.", list(w.namesOf(q.Keys()), "and"))
		return
	}
	lead := strings.TrimSpace(q.Prompt)
	if lead == "" {
		lead = "A few short ones together."
	}
	w.say("%s", lead)
	lines := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		lines[i] = strings.TrimRight(f.Label, " ?")
		if hint := fieldHint(&f); hint != "" {
			lines[i] += ": " + hint
		}
	}
	w.paragraph(bullets(lines))
	w.say("You can fill in the fields, or answer them here in one message.")
}

// fieldHint says in a few words what a field of a form takes.
func fieldHint(f *sessions.Question) string {
	switch f.Widget {
	case obligations.ChoiceOne:
		return strings.Join(labelsAsked(f), " / ")
	case obligations.MultiSelect:
		return "one or more of " + strings.Join(labelsAsked(f), " / ")
	case obligations.Date:
		return "a date"
	case obligations.Number:
		switch unit := unitOf(f.Unit); {
		case unit == "money":
			return "an amount"
		case unit == "percent":
			return "a percentage"
		case f.Unit != "":
			return "a number of " + f.Unit
		}
		return "a number"
	case obligations.Text:
	}
	return ""
}

// confirmation asks for a yes. A prompt made for it is used as it is; the
// question's own prompt is not a yes-or-no question, so one is worded here.
func (w *writer) confirmation(q *sessions.Question) string {
	o := w.find(q.Key)
	if o == nil || q.Proposal == nil || !w.isWording(o, q.Prompt) {
		return q.Prompt
	}
	value := sessions.InCurrency(o, show(o.Template, q.Proposal))
	template := []string{"For %s I have %s. Is that right?", "Just to be sure about %s: I have %s. Is that right?", "About %s: I noted %s. Does that hold?"}[w.scene.Turn%3]
	return strings.Replace(strings.Replace(template, "%s", named(o.Template), 1), "%s", quoted(value), 1)
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
	var values []string
	for _, v := range distinctValues(q.Values) {
		values = append(values, quoted(show(o.Template, v)))
	}
	return "I have two things for " + named(o.Template) + ": " + list(values, "and") + ". Which of them holds?"
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
