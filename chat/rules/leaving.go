package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// goodbyes weighs what the parts of a message say of leaving. "No time" answers what
// holds a business back, and ends the talk where it answers nothing; "I have to pick up
// my kids" after a goodbye is the reason for it and no answer.
func (r *reader) goodbyes(parts []part) []part {
	leaves := false
	for i := range parts {
		p := &parts[i]
		if p.marked && p.mark.excuse && r.excuseAnswers(parts, i) {
			p.marked, p.mark = false, mark{}
		}
		leaves = leaves || p.marked && p.mark.intent == chat.Leave
	}
	if !leaves {
		return parts
	}
	said := false
	for i := range parts {
		p := &parts[i]
		said = said || p.marked && p.mark.intent == chat.Leave
		if !p.marked && r.u.reason(r.u.body(p.clause), said) {
			p.marked, p.mark = true, mark{intent: chat.Leave}
		}
	}
	return parts
}

// excuseAnswers reports whether the excuse that is part i is rather what was asked for:
// the question is about time, trouble or what people do, or who says it goes on telling,
// of "we" or "no time" in the same sentence.
func (r *reader) excuseAnswers(parts []part, i int) bool {
	apology := func(p part) bool { return p.marked && r.u.at(p.from) == "sorry" }
	told := func(p part) bool { return !p.marked && !r.u.reason(r.u.body(p.clause), true) }
	switch {
	case slices.ContainsFunc(parts, apology):
		return false
	case r.purpose() == sessions.ToForm: // "60k, no time, 4 people"
		return slices.ContainsFunc(parts, told)
	case r.asked == nil || !r.askable():
		return false
	case r.asksOfDays():
		return true
	}
	first := r.u.at(r.u.body(parts[i].clause).from)
	goesOn := !parts[i].ends && i+1 < len(parts) && told(parts[i+1])
	return r.asked.Widget == obligations.Text && goesOn && (first == "we" || first == "no")
}

// daily are the stems of questions that "no time" or "we have a meeting at nine" answer.
var daily = stemSet(`time hour hold back challenge obstacle problem trouble difficult difficulty help worry risk task walk happen prevent routine bottleneck missing lack stuck pain`)

// asksOfDays reports whether what was asked is about time, trouble or what people do.
func (r *reader) asksOfDays() bool {
	t := r.asked.Template
	texts := []string{t.Name(), t.Prompt}
	if r.scene.Asked != nil && r.purpose() == sessions.ToAsk {
		texts = append(texts, r.scene.Asked.Prompt)
	}
	for _, text := range texts {
		for _, s := range stems(cut(text)) {
			if daily[s] {
				return true
			}
		}
	}
	return false
}

// Why people leave: what they have to do, what comes in between, and how they are.
var (
	duties  = phrases("i have to", "i need to", "i must", "i got to", "i have got to", "i should", "i am going to", "i better", "i am supposed to", "i promised to", "have to", "need to", "got to")
	comings = phrases("there is a meeting", "there is a call", "there is a customer", "there is another meeting", "someone", "somebody", "there is someone", "there is somebody", "it is late", "it is getting late", "it is very late", "it is dinner time", "it is bed time", "it is bedtime", "dinner is", "lunch is", "dinner time", "lunch time", "bed time", "bedtime", "time to", "time for",
		"i am late", "i am already late", "i am running late", "i am driving", "i am tired", "i am too tired", "i am exhausted", "i am needed", "i am expected", "i am at work")
	callers = set(`kid kids child children baby dog bus train taxi cab phone battery laptop boss wife husband mum mom mother dad father son daughter
		doorbell bell door lift ride shift break meeting call appointment class lesson flight stop dinner lunch food guests visitors`)
)

// reason reports whether c tells why somebody leaves. What they have to do counts only
// once they have said goodbye: before it, it is rather what they tell.
func (u *utterance) reason(c clause, said bool) bool {
	for c.from < c.to && leadFillers[u.at(c.from)] {
		c.from++
	}
	if c.len() < 2 || c.len() > maxIntentWords {
		return false
	}
	if u.starts(c.from, c.to, comings) > 0 || said && u.starts(c.from, c.to, duties) > 0 {
		return true
	}
	owner, caller := u.at(c.from), u.at(c.from+1)
	return (owner == "my" || owner == "the") && callers[caller] && (pressing[u.at(c.from+2)] || said && needing[u.at(c.from+2)])
}

// leavesFor reports whether c is a goodbye and, without a sign between them, its reason:
// "gotta run my dog needs a wee".
func (u *utterance) leavesFor(c clause) bool {
	for i := c.from + 2; i < min(c.to-1, c.from+maxGoodbye); i++ {
		if w := u.at(i); w != "my" && w != "the" && w != "someone" || !u.reason(clause{from: i, to: c.to}, true) {
			continue
		}
		m, ok := u.intent(c.from, i)
		return ok && m.intent == chat.Leave && !m.excuse
	}
	return false
}

// maxGoodbye bounds a goodbye before its reason, in words.
const maxGoodbye = 7

// callsAway reports whether c only names what calls one away: "hang on, the door".
func (u *utterance) callsAway(c clause) bool {
	owner := u.at(c.from)
	return c.len() == 2 && (owner == "my" || owner == "the") && callers[u.at(c.from+1)]
}

// pressing follow those who call one away; needing do so once a goodbye was said.
var (
	pressing = set("is are just woke called calls came comes leaves ringing rings rang cries crying waiting")
	needing  = set("was wakes wake needs need wants want started starts has have")
)
