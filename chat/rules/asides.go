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
	lines  []string
	say    func(w *writer)
}

// keeps reports whether m is about what to talk of, so that its sentence says nothing
// else.
func (m mark) keeps() bool { return m.aside != nil && m.aside.talk }

// saying returns what says one of texts, by turn.
func saying(texts ...string) func(*writer) { return func(w *writer) { w.sayOne(texts) } }

// asides are tried in order, before all other phrasings.
var asides = sync.OnceValue(func() []aside {
	return []aside{
		goBack,
		{intent: chat.OffTopic, talk: true, lines: goOnLines, say: (*writer).goOn},
		{intent: chat.OffTopic, lines: chooseLines, say: (*writer).cannotChoose},
		{intent: chat.OffTopic, lines: waitLines, say: saying("Take your time, I am here.", "Of course, take your time.", "No hurry, take your time.")},
		{intent: chat.OffTopic, asks: true, lines: whichLines, say: saying("Take it in the way that fits you best, and say which you mean.", "Whichever fits you best; just say which you mean.")},
		{intent: chat.SmallTalk, asks: true, lines: whoAreYouLines, say: saying("I am Quaestor, a program that asks questions by fixed rules and notes the answers.", "I am Quaestor: a program with fixed rules, no person.")},
		{intent: chat.OffTopic, asks: true, lines: downloadLines, say: saying("The page of this interview leads to its brief, to read and to download as PDF, Word, Markdown, CSV or JSON.")},
		{intent: chat.OffTopic, asks: true, lines: whoSeesLines, say: saying("Your answers are kept with this interview. Those who take part in it can read them, and so can the reviewers, administrators and owners of the organisation it belongs to, and whoever is given a link to its brief.")},
		{intent: chat.OffTopic, asks: true, lines: howLines, say: saying("I ask one question after the other and note what you answer. You can skip any of them, put one off, correct what you said, or stop and go on another day; nothing is lost.")},
		{intent: chat.OffTopic, asks: true, lines: nextLines, say: saying("Your answers make up a brief, which you find on the page of this interview, and reviewers may go through what is open or does not agree.")},
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
	if len(w.scene.Message) > maxAsideBytes || !beside && intent != chat.OffTopic && intent != chat.SmallTalk && intent != chat.AskHelp {
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
		w.sayOne([]string{"Good, then we go on.", "Fine, then let us go on."})
	}
}

// howToChange says what was noted last, and how to change it.
func (w *writer) howToChange() {
	o := w.spokenOf()
	if o == nil {
		o = w.answeredLast()
	}
	if o == nil {
		w.say("I have no answer noted yet that could be changed.")
		return
	}
	if o.Value == nil {
		w.say("I have nothing noted for %s yet; name it and say what is right.", named(o.Template))
		return
	}
	if nameless(bareName(o.Template)) {
		w.say("What I noted is this: %s. To change it, say what is right, as in “I meant …”.", statement(o))
		return
	}
	w.say("What I noted is this: %s. To change it, or anything else, name it and say what is right, as in “change %s to …”.", statement(o), named(o.Template))
}

// spokenOf is what the message names by its label; nil for nothing.
func (w *writer) spokenOf() *obligations.Obligation {
	r := newReader(w.scene)
	if h, ok := r.mentioned(0, len(r.u.words), func(*obligations.Obligation) bool { return true }); ok && h.names(r.u) {
		return w.find(h.o.Key)
	}
	return nil
}

// backTo open what goes back to something that is named.
var backTo = phrases("go back to", "back to", "return to", "can we go back to", "could we go back to", "let us go back to", "let us return to", "i want to go back to", "please go back to", "can i go back to", "jump back to")

// returns marks what goes back to something by its name: "back to the team size".
func (r *reader) returns(parts []part) {
	for i := range parts {
		p := &parts[i]
		c := r.u.body(p.clause)
		for c.len() > 1 && trailFillers[r.u.at(c.to-1)] {
			c.to--
		}
		n := r.u.starts(c.from, c.to, backTo)
		if n == 0 || p.marked && p.mark.intent != chat.OffTopic {
			continue
		}
		all := func(*obligations.Obligation) bool { return true }
		if h, ok := r.mentioned(c.from+n, c.to, all); ok && h.names(r.u) && h.to == c.to && h.from <= c.from+n+1 { // "to the project", be the name "The project" or "Project"
			p.marked, p.mark = true, mark{intent: chat.OffTopic, aside: &goBack}
		}
	}
}

// maxUnmarked bounds questions without a question mark, in words: "what happens once we
// are done with a delivery is that …" is told.
const maxUnmarked = 8

// tellers begin sentences that tell as well as questions.
var tellers = set("what who how where when")

// offers takes back asides that are words of an answer: "You choose, we deliver", or
// that answer what was asked: "five minutes please". It marks what only names who calls
// one away.
func (r *reader) offers(parts []part) {
	for i := range parts {
		p := &parts[i]
		if !p.marked || p.mark.aside == nil {
			continue
		}
		goesOn := !p.ends && i+1 < len(parts) && !parts[i+1].marked && speakers[r.u.at(parts[i+1].from)]
		if i+1 < len(parts) && !parts[i+1].marked && r.u.callsAway(parts[i+1].clause) {
			parts[i+1].marked, parts[i+1].mark = true, p.mark
		}
		told := p.mark.aside.asks && p.len() > maxUnmarked && tellers[r.u.at(p.from)] && !r.u.asks(p.to-1)
		step := i > 0 && !parts[i-1].marked && !parts[i-1].ends && r.asked != nil && r.asksOfDays() // "write the offer, wait"
		if told || step || r.u.at(p.from) == "you" && goesOn || r.reads(p.clause) {
			p.marked, p.mark = false, mark{}
		}
	}
}

// reads reports whether c is a time that what was asked takes.
func (r *reader) reads(c clause) bool {
	if r.asked == nil || r.asked.Widget != obligations.Number || spans[unitOf(r.asked.Unit)] == 0 {
		return false
	}
	return r.u.read(r.asked.Template, c.from, c.to, r.scene.Now).value != nil
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
	w.sayOne([]string{"I cannot choose that for you; a rough answer will do, or say “skip”.", "That is yours to say, I cannot choose it for you. A guess is fine, and so is “skip”."})
	o := w.about()
	switch {
	case o == nil:
	case o.Widget == obligations.Text && len(o.Examples) > 0:
		w.say("Others might say %s.", list(quotedAll(o.Examples), "or"))
	case len(o.Choices) > 0:
		w.say("These are the choices: %s.", list(labels(o.Template), "or"))
	}
}

// ofManner is a wish how to be talked to.
var ofManner = aside{intent: chat.OffTopic, say: saying("Of course, I will keep to that.", "Gladly, I will keep that in mind.")}

// maxMannered bounds the parts of a message that may be wishes how to be talked to.
const maxMannered = 4

// manners marks what only says how the person wants to be talked to: "I like examples".
// "I don't have much time" is an answer to what holds somebody back.
func (r *reader) manners(parts []part) {
	if len(parts) > maxMannered || r.asked != nil && r.asksOfDays() {
		return
	}
	for i := range parts {
		p := &parts[i]
		if p.marked || p.len() > maxIntentWords {
			continue
		}
		start, end := r.u.extent(p.from, p.to)
		if _, wishes := chat.ReadManner(r.u.raw[start:end]); len(wishes) > 0 {
			p.marked, p.mark = true, mark{intent: chat.OffTopic, aside: &ofManner}
		}
	}
}

// maxPreface bounds a preface, in words.
const maxPreface = 5

// prefacing are the words that only lead up to a question.
var prefacing = set("first firstly actually before that this we i you start go on answer anything begin one thing just of all but and sorry quick question also no wait oh hmm hold on a second")

// prefaces marks what leads up to a question put to us in the same sentence: "Actually
// first, who are you?".
func (r *reader) prefaces(parts []part) {
	for i := range parts[:max(len(parts)-1, 0)] {
		p, next := &parts[i], &parts[i+1]
		if p.marked || p.ends || p.len() > maxPreface || !next.marked || !r.u.asks(next.to-1) {
			continue
		}
		leads := true
		for j := p.from; j < p.to; j++ {
			leads = leads && prefacing[r.u.at(j)]
		}
		if leads {
			p.marked, p.mark = true, mark{intent: chat.SmallTalk}
		}
	}
}
