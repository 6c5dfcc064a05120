package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/chat/reading"
	"quaestor/internal/language"
	"quaestor/sessions"
)

// besideKeys are the messages for a remark that tells nothing, by what it does. A question
// has one of its own.
var besideKeys = map[string]string{
	"feeling": "remark.feeling", "complaint": "remark.complaint", "topic": "remark.topic", "shorter": "remark.shorter", "correction": "remark.correction",
	"elsewhere": "remark.elsewhere",
}

// meets reports whether the remarks of the message are answered beside its intent, and not by it.
func (w *writer) meets() bool {
	u := &w.plan.Understanding
	told := slices.Contains([]chat.Intent{chat.Answer, chat.Correction, chat.Agree, chat.Disagree}, u.Intent)
	return w.plan.Ends == "" && (told || u.Intent == chat.AskMeta || slices.Contains(questionsOfTalk, u.Intent))
}

// meet meets the first feeling, complaint or wish of the message, before anything is made of
// what it tells.
func (w *writer) meet() {
	if !w.meets() || slices.Contains(questionsOfTalk, w.plan.Understanding.Intent) {
		return
	}
	key := w.besideText()
	if language.Says("says-again", field.Clip(w.scene.Message, maxManner)) && (key == "" || key == "remark.mood") {
		key = "told-already"
	}
	if key != "" {
		w.say(key, nil)
	}
}

// answerBeside answers the questions of the message that its intent leaves unanswered.
func (w *writer) answerBeside() {
	u := &w.plan.Understanding
	asks := slices.Contains(questionsOfTalk, u.Intent)
	for _, r := range u.Beside {
		switch {
		case !w.meets(), r.Act != "question" && r.Act != "examples" && r.Act != "repeat", r.Intent == u.Intent && u.Intent != chat.AskMeta:
		case asks && (r.About == "" || r.About == "rules"), r.About == humanKind: // "what do you need that for" asks for the reason alone
		default:
			w.answerRemark(r)
		}
	}
}

// besideKey returns the message for a remark; "" for none. What weighs on somebody is met with
// more than what annoys them.
func besideKey(r chat.Remark) string {
	grave := slices.ContainsFunc(language.Words(r.Text), func(w language.Word) bool {
		return language.IsWord("grave", w.Text) || language.IsWord("death", w.Text)
	})
	if r.Act == "feeling" && (!grave || language.Says("says-joy", r.Text)) {
		return "remark.mood"
	}
	return besideKeys[r.Act]
}

// questionsOfTalk are the intents that ask something: beside one, others may be asked.
var questionsOfTalk = []chat.Intent{chat.AskWhy, chat.AskHelp, chat.AskProgress, chat.AskMemory}

// questionKeys are the messages for questions about the interview, by what they want to know.
var questionKeys = map[string]string{"which": "aside.which", "who": "aside.who", "reader": "aside.who-sees", "result": "aside.next", "rules": "aside.how",
	reading.AboutDeletion: "aside.deletion", reading.AboutRetention: "aside.retention", reading.AboutTraining: "aside.training", reading.AboutDownload: "aside.download"}

// answerRemark answers a question of the person.
func (w *writer) answerRemark(r chat.Remark) {
	switch r.Intent {
	case chat.AskWhy:
		w.why()
	case chat.AskHelp:
		w.help(w.about())
	case chat.AskProgress:
		w.progress()
	case chat.AskMemory:
		w.recallAsked(r)
	case chat.AskMeta:
		if key := asideQuestions.in(r.Text, ""); key != "" {
			if key != "remark.complaint" || w.besideText() != key { // met with an apology already
				w.say(key, nil)
			}
			return
		}
		if w.aside() != nil {
			return // answered already
		}
		switch key := questionKeys[r.About]; {
		case key != "":
			w.say(key, nil)
		case r.About == "choose":
			w.cannotChoose()
		case r.About == "agenda", r.About == reading.AboutOverview:
			w.overview()
		case !w.atLoss:
			w.atLoss = true
			w.say("remark.question", nil)
		}
	}
}

// standing says what stands there of what the message complains of.
func (w *writer) standing() {
	q := w.plan.Question
	for _, r := range w.plan.Understanding.Beside {
		o := w.find(r.Key)
		if r.Act != "complaint" || o == nil || o.Value == nil || q != nil && q.Key == o.Key && q.Purpose == sessions.ToConfirm { // which says it itself
			continue
		}
		w.say("recall.one", with{"stated": words(w.noteOf(o, plainLine(w.shown(o))))})
		return
	}
}

// besideText returns the message for the first remark of the message that is no question;
// "" when there is none.
func (w *writer) besideText() string {
	for _, r := range w.plan.Understanding.Beside {
		if key := besideKey(r); key != "" {
			return key
		}
	}
	return ""
}

// manners are the messages for what people say beside the point, by the kind of the words that
// tell it, the surest first.
type manners []struct{ kind, key string }

var (
	offTopic       = manners{{"says-slowly", "aside.slowly"}, {"says-go-on", "aside.go-on"}, {"says-twice", "beside.twice"}, {"says-again", "beside.twice"}, {"says-tired", "beside.tired"}, {"says-away", "aside.wait"}}
	asideQuestions = manners{{"says-taunt", "remark.complaint"}, {"says-enough", "aside.enough"}}
	smallTalk      = manners{{"says-slowly", "aside.slowly"}, {"says-go-on", "aside.go-on"}, {"says-language", "small-talk.language"}, {"says-back", "small-talk.back"},
		{"says-thanks", "small-talk.thanks"}, {"says-hello", "small-talk.hello"}, {"says-well", "small-talk.well"}, {"says-weather", "small-talk.weather"}}
)

// in returns the message for the first kind that a text has words of, else the given one.
func (m manners) in(text, otherwise string) string {
	text = field.Clip(text, maxManner)
	for _, c := range m {
		if language.Says(c.kind, text) {
			return c.key
		}
	}
	return otherwise
}

// maxManner bounds, in runes, how much of a message is looked at for its manner.
const maxManner = 200

// greets reports whether the message is a greeting.
func (w *writer) greets() bool {
	return language.Says("says-hello", w.scene.Message) || language.Says("says-back", w.scene.Message)
}
