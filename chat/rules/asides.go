package rules

import (
	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/chat/reading"
	"quaestor/obligations"
)

// asides say something to set phrases about the talk itself, which answer nothing.
var asides = map[reading.Aside]func(w *writer){
	reading.AsideGoBack: (*writer).howToChange,
	reading.AsideGoOn:   (*writer).goOn,
	reading.AsideChoose: (*writer).cannotChoose,
	reading.AsideWait:   func(w *writer) { w.say("aside.wait", nil) },
	reading.AsideManner: func(w *writer) { w.say("aside.manner", nil) },
}

// maxAsideBytes bounds the messages searched for asides when the reply is worded: who writes more
// tells something.
const maxAsideBytes = 2000

// aside is what says something to the first aside of the message that has to be answered in this
// turn; nil for none.
func (w *writer) aside() func(*writer) {
	intent := w.plan.Understanding.Intent
	if len(w.scene.Message) > maxAsideBytes || intent != chat.OffTopic && intent != chat.SmallTalk && intent != chat.AskHelp && intent != chat.AskMeta {
		return nil
	}
	return asides[reading.AsideOf(w.scene.Message)]
}

// goOn says that the talk goes on, unless it was said in a welcome.
func (w *writer) goOn() {
	if !w.plan.Returning {
		w.say("aside.go-on", nil)
	}
}

// howToChange says what was noted last, and how to change it.
func (w *writer) howToChange() {
	o := w.spokenOf()
	if o == nil {
		o = w.answeredLast()
	}
	if o == nil {
		w.say("change.nothing", nil)
		return
	}
	if o.Value == nil {
		w.say("change.nothing-for", with{"label": w.named(o.Template)})
		return
	}
	w.say("change.how", with{"stated": words(w.noteOf(o, w.brieflySaid(o, o.Value)))})
}

// spokenOf is what the message names by its label; nil for nothing.
func (w *writer) spokenOf() *obligations.Obligation {
	if o := reading.Named(w.scene); o != nil {
		return w.find(o.Key)
	}
	return nil
}

// answeredLast is what the latest of all turns told a value of; nil for nothing.
func (w *writer) answeredLast() *obligations.Obligation {
	if list := reading.AnsweredLast(w.scene.Obligations); len(list) > 0 {
		return list[0]
	}
	return nil
}

// cannotChoose says that the answer has to be the person's own, with an example.
func (w *writer) cannotChoose() {
	w.say("aside.cannot-choose", nil)
	o := w.about()
	switch {
	case o == nil:
	case o.Widget == obligations.Text && len(o.Examples) > 0:
		w.say("aside.others-say", with{"examples": w.quotedAll(o.Examples)})
	case len(o.Choices) > 0:
		w.choices(field.Labels(o.Template))
	}
}
