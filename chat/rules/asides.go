package rules

import (
	"slices"
	"sync"

	"quaestor/chat"
	"quaestor/obligations"
)

// aside is something people say to us about the talk itself, which answers nothing:
// ways to say it, in the language of [pattern], and what to say to it.
type aside struct {
	intent chat.Intent
	asks   bool // a fair question: it has an answer even beside what was told
	talk   bool // about what to talk of: "I meant the question before" corrects no value
	waits  bool // wants a moment
	lines  []string
	say    func(w *writer)
}

// keeps reports whether m is about what to talk of, so that its sentence says nothing
// else.
func (m mark) keeps() bool { return m.aside != nil && m.aside.talk }

// saying returns what says the message key.
func saying(key string) func(*writer) { return func(w *writer) { w.say(key, nil) } }

// asides are tried in order, before all other phrasings.
var asides = sync.OnceValue(func() []aside {
	return []aside{
		goBack,
		{intent: chat.OffTopic, talk: true, lines: goOnLines, say: (*writer).goOn},
		{intent: chat.OffTopic, lines: chooseLines, say: (*writer).cannotChoose},
		{intent: chat.OffTopic, waits: true, lines: waitLines, say: saying("aside.wait")},
		{intent: chat.OffTopic, asks: true, lines: whichLines, say: saying("aside.which")},
		{intent: chat.SmallTalk, asks: true, lines: whoAreYouLines, say: saying("aside.who")},
		{intent: chat.OffTopic, asks: true, lines: downloadLines, say: saying("aside.download")},
		{intent: chat.OffTopic, asks: true, lines: whoSeesLines, say: saying("aside.who-sees")},
		{intent: chat.OffTopic, asks: true, lines: howLines, say: saying("aside.how")},
		{intent: chat.OffTopic, asks: true, lines: nextLines, say: saying("aside.next")},
	}
})

// goBack is that of who wants to talk of an earlier question again.
var goBack = aside{intent: chat.OffTopic, talk: true, lines: goBackLines, say: (*writer).howToChange}

// asidePhrasings are the asides as phrasings.
func asidePhrasings() []phrasing {
	list := asides()
	out := make([]phrasing, len(list), len(list)+len(phrasings))
	for i := range list {
		out[i] = phrasing{mark{intent: list[i].intent, aside: &list[i]}, list[i].lines}
	}
	return out
}

// besideAsides are the intents that an aside comes on top of: only a fair question is
// answered then. What else is wanted has an answer of its own.
var besideAsides = []chat.Intent{chat.Answer, chat.Correction, chat.Agree, chat.Disagree, chat.Leave, chat.Finish, chat.SkipThis, chat.DontKnow}

// maxAsideBytes bounds the messages searched for asides once more when the reply is
// worded: who writes more tells something.
const maxAsideBytes = 2000

// aside is the first one of the message that has to be answered in this turn; nil for
// none.
func (w *writer) aside() *aside {
	intent := w.plan.Understanding.Intent
	beside := slices.Contains(besideAsides, intent)
	if len(w.scene.Message) > maxAsideBytes || !beside && intent != chat.OffTopic && intent != chat.SmallTalk && intent != chat.AskHelp && intent != chat.AskMeta {
		return nil
	}
	for _, p := range newReader(w.scene).cutUp() {
		if a := p.mark.aside; p.marked && a != nil && (a.asks || !beside) {
			return a
		}
	}
	return nil
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
	r := newReader(w.scene)
	if h, ok := r.mentioned(0, len(r.u.words), func(*obligations.Obligation) bool { return true }); ok && h.names(r.u) {
		return w.find(h.o.Key)
	}
	return nil
}

// answeredLast is what the latest of all turns told a value of; nil for nothing.
func (w *writer) answeredLast() *obligations.Obligation {
	r := reader{scene: w.scene}
	if list := r.answeredLast(); len(list) > 0 {
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
		w.choices(labels(o.Template))
	}
}
