package rules

import (
	"quaestor/chat"
)

// maxParts bounds the clauses searched for intents; what follows is content.
const maxParts = 60

// cutUp cuts the message into parts, sentence by sentence.
func (r *reader) cutUp() []part {
	var out []part
	var sentence []clause
	for _, c := range r.u.clauses() {
		sentence = append(sentence, c)
		if c.ends {
			out = append(out, r.sentence(sentence, len(out))...)
			sentence = nil
		}
	}
	out = append(out, r.sentence(sentence, len(out))...)
	r.prefaces(out)
	r.manners(out)
	r.returns(out)
	r.offers(out)
	r.direct(out)
	return r.goodbyes(r.sober(out))
}

// sentence marks a sentence as a whole where it wants one thing, else clause by
// clause.
func (r *reader) sentence(list []clause, before int) []part {
	if len(list) == 0 {
		return nil
	}
	whole := clause{list[0].from, list[len(list)-1].to, true}
	if before > maxParts {
		return unsearched(list, whole)
	}
	var out []part
	content := 0
	for i, c := range list {
		p := part{clause: c}
		if before+i <= maxParts {
			body := r.u.body(c)
			p.mark, p.marked = r.u.intent(body.from, body.to)
			if !p.marked && r.u.leavesFor(body) {
				p.mark, p.marked = mark{intent: chat.Leave}, true
			}
		}
		if !p.marked {
			content += c.len()
		}
		out = append(out, p)
	}
	if content == 0 {
		return out
	}
	m, ok := r.u.intent(whole.from, whole.to)
	if ok && (!out[0].marked || content < 3 || m.keeps()) {
		return []part{{whole, m, true}}
	}
	if m, ok := r.question(whole); ok && !out[0].marked {
		return []part{{whole, m, true}}
	}
	return out
}

// unsearched returns a sentence as one part, or its clauses when it is so long
// that looking around each value in all of it would take time that grows with
// the square of its length.
func unsearched(list []clause, whole clause) []part {
	if whole.len() <= maxClause {
		return []part{{clause: whole}}
	}
	out := make([]part, len(list))
	for i, c := range list {
		out[i] = part{clause: c}
	}
	return out
}

var interrogatives = set("what who whom whose where when how why which can could do does did are is will would should have has may shall")

// question marks a question put to us that no phrasing knows. What reads as an
// answer to a closed question stays an answer.
func (r *reader) question(c clause) (mark, bool) {
	c = r.u.body(c)
	for c.from < c.to && leadFillers[r.u.at(c.from)] {
		c.from++
	}
	if c.len() < 2 || !r.u.asks(c.to-1) || !interrogatives[r.u.at(c.from)] || r.u.at(c.from+1) == "about" {
		return mark{}, false
	}
	if r.asked != nil {
		if got := r.u.read(r.asked.Template, c.from, c.to, r.scene.Now); r.asked.Closed() && got.value != nil && ofChoices(r.asked.Template, got.value) {
			return mark{}, false
		}
		for _, w := range cut(r.asked.Prompt) {
			if w == "question" || w == "questions" {
				return mark{}, false
			}
		}
	}
	return mark{intent: chat.OffTopic}, true
}

// sober takes back marks that are more likely words of an answer: "Next, we sell
// …", "…, for example, bread", "We sell bread, that is all".
func (r *reader) sober(parts []part) []part {
	content := false
	for _, p := range parts {
		content = content || !p.marked
	}
	if !content {
		return parts
	}
	for i := range parts {
		p := &parts[i]
		asking := p.mark.intent == chat.AskHelp || p.mark.intent == chat.AskWhy || p.mark.intent == chat.AskRepeat || p.mark.intent == chat.AskMemory || p.mark.intent == chat.AskProgress
		acting := p.mark.intent == chat.SkipThis || p.mark.intent == chat.Later || p.mark.intent == chat.Leave
		told := i > 0 && !parts[i-1].marked && !parts[i-1].ends // "They scan it, check our files for errors"
		switch word := r.u.at(p.from); {
		case told && p.mark.intent == chat.AskResearch && (chores[word] || word == "look" && r.asked != nil && r.asksOfDays()) && !r.u.asks(p.to-1), asking && p.len() < 3 && !r.u.asks(p.to-1), acting && p.len() == 1 && word != "skip" && word != "bye" && word != "goodbye":
			p.marked = false
		case p.mark.intent == chat.Finish:
			p.mark = mark{intent: chat.SmallTalk}
		}
	}
	return parts
}

// chores are bare verbs that go on with what the person tells as well as they ask
// for research.
var chores = set("check search consult find read use see")

// strength orders intents: the strongest of several is what a message wants.
var strength = map[chat.Intent]int{
	chat.Leave: 17, chat.AskResearch: 16, chat.SkipThis: 15, chat.Later: 14, chat.AskWhy: 13, chat.AskHelp: 12, chat.AskRepeat: 11, chat.AskProgress: 10,
	chat.AskMemory: 9, chat.Finish: 8, chat.DontKnow: 7, chat.Disagree: 5, chat.Agree: 4, chat.OffTopic: 2, chat.SmallTalk: 1,
}

// ofAsides is how strong what is said about the talk is: "no, I didn't want to stop" is
// no mere no. A fair question beside a yes leaves it a yes.
const ofAsides = 6

// strength is how strong m is among others.
func (m mark) strength() int {
	if m.aside != nil && !m.aside.asks {
		return max(strength[m.intent], ofAsides)
	}
	return strength[m.intent]
}

// lead returns the strongest mark of the message; its intent is empty when there
// is none.
func (r *reader) lead() mark {
	var best mark
	for _, p := range r.parts {
		if p.marked && (p.mark.strength() > best.strength() || p.mark.scratch && best.intent == chat.Disagree) {
			best = p.mark
		}
	}
	return best
}

// marked returns the first part with that intent, or nil.
func (r *reader) marked(intent chat.Intent) *part {
	for i := range r.parts {
		if r.parts[i].marked && r.parts[i].mark.intent == intent {
			return &r.parts[i]
		}
	}
	return nil
}

// content returns the parts that want nothing of the conversation.
func (r *reader) content() []clause {
	var out []clause
	for _, p := range r.parts {
		if !p.marked {
			out = append(out, p.clause)
		}
	}
	return out
}
