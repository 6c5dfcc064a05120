package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// compose words the whole reply: greeting, what the message wanted, what was
// understood, what could not be taken, then the question or the farewell.
func (w *writer) compose() {
	p := w.plan
	if p.Returning {
		w.sayOne(welcomes)
	}
	if p.Understanding.Intent == chat.Opened && !p.Returning {
		w.greet()
	}
	w.news()
	w.outcomes()
	w.meta()
	said := w.acknowledge()
	w.refusals()
	w.sayBeside()
	w.directed()
	w.wishes()
	w.lookups()
	if slices.ContainsFunc(p.Understanding.Findings, func(f obligations.Finding) bool { return f.Act == obligations.Reopen }) {
		w.sayOne([]string{"Gladly.", "Of course.", "With pleasure."})
		said = true
	}
	if p.Understanding.Intent == "" || (!said && len(w.pieces) == 0 && p.Conflict == nil && p.Understanding.Intent == chat.Answer) {
		w.sayOne(neutral)
	}
	if p.Ends != "" {
		w.farewell()
		return
	}
	w.enter()
	w.ask()
	if len(w.pieces) == 0 {
		w.sayOne(neutral)
	}
}

var (
	welcomes = []string{"Welcome back. Everything you told me is still here.", "Good to have you back. We go on where we stopped.", "Welcome back. Nothing was lost in the meantime."}
	neutral  = []string{"Thank you, I am taking that in.", "Thank you.", "All right, let us go on."}
)

// greet opens a session.
func (w *writer) greet() {
	greeting := ""
	if w.scene.Objective != nil {
		greeting = strings.TrimSpace(w.scene.Objective.Greeting)
	}
	if greeting == "" {
		greeting = "Hello. I would like to ask you a few questions. You can skip any of them, come back to one later, or correct what you said."
	}
	for _, s := range sentences(greeting) {
		w.say("%s", s)
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
	if p.Question != nil && p.Question.Purpose == sessions.ToFinish {
		return
	}
	if entry := strings.TrimSpace(p.Phase.In(w.scene.Objective.Phases).Entry); entry != "" && !w.brief() {
		w.paragraph(entry)
	}
}

// meta answers what the message wanted of the conversation.
func (w *writer) meta() {
	if a := w.aside(); a != nil {
		a.say(w)
		return
	}
	switch u := w.plan.Understanding; u.Intent {
	case chat.AskWhy:
		w.why()
	case chat.AskHelp:
		w.help(w.about())
	case chat.AskRepeat:
		w.sayOne([]string{"Of course, here it is again.", "Gladly, once more.", "Certainly, I will say it again."})
	case chat.AskProgress:
		w.progress()
	case chat.AskMemory:
		if !w.recallOne() {
			w.recall()
		}
	case chat.SmallTalk:
		if !w.plan.Returning || !w.greets() { // they were welcomed back already
			w.sayOne(w.smallTalk())
		}
	case chat.OffTopic:
		if texts := w.besideText(); texts != nil {
			w.sayOne(texts)
			return
		}
		w.sayOne(w.beside())
	case chat.Unclear:
		w.unclear()
	case chat.Agree:
		if q := w.plan.Question; len(w.plan.Changes) == 0 && q != nil && q.Purpose == sessions.ToAsk && w.wasAsked(q.Key) {
			w.sayOne([]string{"Good, then tell me a little more.", "Fine, go on.", "All right, then a few more words on it would help."})
		} else if len(w.plan.Changes) == 0 && w.plan.Ends == "" {
			w.sayOne([]string{"Good.", "All right.", "Fine."})
		}
	case chat.Disagree:
		if len(w.plan.Changes) == 0 {
			w.sayOne([]string{"All right.", "I see.", "Understood."})
		}
	case chat.Answer, chat.Correction, chat.SkipThis, chat.Later, chat.DontKnow, chat.AskResearch, chat.Leave, chat.Finish, chat.Opened, chat.AskMeta:
	}
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

// hearing returns a function that reports whether the message has one of some phrases.
func (w *writer) hearing() func(list ...string) bool {
	words := " " + strings.Join(cut(clip(w.scene.Message, 200)), " ") + " "
	return func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(words, " "+s+" ") })
	}
}

// beside answers what is beside the point: a complaint, a moment's absence, or a wish
// for something else.
func (w *writer) beside() []string {
	has := w.hearing()
	switch {
	case has("already", "asked", "told you", "keep asking", "repeating", "same question", "twice", "not listening", "same answer", "my answer is", "see above", "i wrote", "i said", "we said", "same as"):
		return []string{"I am sorry if you had to say it twice; I have nothing noted for it yet. A few words will do, or “skip”.", "Sorry about that. I have no answer noted for it yet; a few words are enough, or say “skip”."}
	case has("boring", "bored", "tedious", "tiring", "annoying", "annoyed", "stupid", "silly", "dumb", "pointless", "useless", "ridiculous", "waste", "long", "like this", "like your", "like these", "like such", "hate", "fed up", "forever", "exhausting", "much", "hell", "damn", "sake", "shit", "crap", "rubbish", "nonsense", "bullshit", "fuck", "whatever", "screw", "suck", "sucks", "enough", "sick of", "is a joke", "what a joke", "insane", "idiot", "hopeless", "garbage", "jesus", "christ", "god", "grief", "come on", "shut up", "go away", "leave me", "leave us", "stop asking", "stop bothering", "stop pestering", "stop annoying", "stop bugging", "seriously", "kidding", "joking", "love of", "break", "give up", "getting old", "not working", "not work", "nowhere", "patience", "get lost", "not again", "this again", "another", "wasting", "piss", "bugger", "blimey", "crikey", "goddamn", "holy"):
		return []string{"I am sorry this is no fun. You can skip any question, or stop and come back later.", "I understand. Short answers are fine, and you can skip what you do not like.", "Fair enough. A word or two is enough, and “skip” works for every question."}
	case has("ringing", "phone", "door", "brb"):
		return []string{"Take your time, I am here.", "Of course, take your time.", "No hurry; whenever you are ready."}
	}
	return []string{"That is beyond what I can help with here, so let us go back to where we were.", "I cannot help with that one, but I can go on with our questions.", "That lies outside of this conversation, so back to it."}
}

// greets reports whether the message is a greeting.
func (w *writer) greets() bool {
	has := w.hearing()
	return has("hello", "hi", "hey", "hiya", "hallo", "morning", "afternoon", "evening", "greetings", "back", "again", "here")
}

// smallTalk answers in kind, briefly.
func (w *writer) smallTalk() []string {
	has := w.hearing()
	switch {
	case has("speak", "in english", "in german", "in french", "in spanish", "in portuguese", "in italian", "in dutch", "language", "deutsch", "sprechen", "sprichst", "hablas", "habla", "parlez", "fala", "parla", "responder", "contestar", "antworten", "répondre", "rispondere"):
		return []string{"I ask in English and understand it best. You may answer in any language; I keep your words as they are."}
	case has("back"):
		return []string{"Welcome back.", "Good to have you back."}
	case has("thanks", "thank", "cheers", "appreciate", "appreciated", "merci"):
		return []string{"You are welcome.", "Gladly.", "My pleasure."}
	case has("hello", "hi", "hey", "morning", "afternoon", "evening", "greetings"):
		return []string{"Hello.", "Hello, good to have you here.", "Hello there."}
	case has("weather", "raining", "sunny", "cold", "hot", "snowing", "day"):
		return []string{"I cannot see it from here, but I am glad you mention it.", "I will take your word for it.", "I only know it from what people tell me."}
	case has("how are you", "how is it going"):
		return []string{"All well here, thank you.", "Fine, thank you for asking."}
	}
	return []string{"All right.", "I see.", "Right."}
}

// why says what the question is for.
func (w *writer) why() {
	o, q := w.about(), w.plan.Question
	switch {
	case o != nil && o.Why != "":
		w.say("%s", o.Why)
	case q != nil && q.Why != "":
		w.say("%s", q.Why)
	case o != nil:
		w.say("I ask because %s belongs to a complete picture, and others will rely on it later.", named(o.Template))
	case q != nil && len(q.Fields) > 0:
		w.say("I ask because these points belong to a complete picture: %s.", list(fieldNames(q), "and"))
	default:
		w.say("I ask to get a complete picture of what matters here.")
	}
	if !w.brief() {
		w.say("You are free to skip it.")
	}
}

func fieldNames(q *sessions.Question) []string {
	out := make([]string, len(q.Fields))
	for i := range q.Fields {
		out[i] = lower(q.Fields[i].Label)
	}
	return out
}

// help explains what an answer may look like.
func (w *writer) help(o *obligations.Obligation) {
	if o == nil {
		w.say("You can answer in your own words, skip what does not fit, or say “later”.")
		return
	}
	if o.Why != "" && !w.brief() && w.plan.Understanding.Intent == chat.AskHelp && !w.wantsExamples() {
		w.say("%s", o.Why)
	}
	w.guide(o.Template)
}

// wantsExamples reports whether the message asks for examples.
func (w *writer) wantsExamples() bool {
	r := newReader(w.scene)
	r.parts = r.cutUp()
	return r.lead().examples
}

// guide says what kind of answer t takes, with its choices or examples.
func (w *writer) guide(t *obligations.Template) {
	switch t.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		lead := "You can pick one of these:"
		if t.Widget == obligations.MultiSelect {
			lead = "You can pick one or more of these:"
		}
		w.say("%s", lead)
		w.paragraph(bullets(labels(t)))
		if t.AllowOther {
			w.say("Something else is fine too, in your own words.")
		}
		return
	case obligations.Number:
		w.say("%s", numberRemedy(t))
	case obligations.Date:
		w.say("A day, a month or a year is enough, and “in three months” works too.")
	case obligations.Text:
		w.say("A sentence or two in your own words is enough.")
	}
	if len(t.Examples) > 0 {
		w.say("For example: %s.", list(quotedAll(t.Examples), "or"))
	}
}

func quotedAll(examples []string) []string {
	out := []string{}
	for _, e := range examples[:min(len(examples), 3)] {
		out = append(out, "“"+strings.TrimRight(plainLine(e), ".")+"”")
	}
	return out
}

func bullets(items []string) string { return "- " + strings.Join(items, "\n- ") }
