package rules

import (
	"quaestor/chat"
	"quaestor/obligations"
)

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
		a, followed := p.mark.aside, !p.ends && i+1 < len(parts) && !parts[i+1].marked
		if a.waits && followed && r.u.callsAway(parts[i+1].clause) {
			parts[i+1].marked, parts[i+1].mark = true, p.mark
		}
		told := a.asks && p.len() > maxUnmarked && tellers[r.u.at(p.from)] && !r.u.asks(p.to-1)
		step := a.waits && i > 0 && !parts[i-1].marked && !parts[i-1].ends && r.asked != nil && r.asksOfDays() // "write the offer, wait"
		offer := r.u.at(p.from) == "you" && followed && speakers[r.u.at(parts[i+1].from)]
		if told || step || offer || a.waits && r.reads(p.clause) {
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

// ofManner is a wish how to be talked to.
var ofManner = aside{intent: chat.OffTopic, say: saying("aside.manner")}

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
		if _, wishes := readStyle(r.u.raw[start:end]); len(wishes) > 0 {
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
