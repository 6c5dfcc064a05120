package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
)

// besideWish reads the answer that stands beside a wish: "Families. Could you look up
// how many there are?". What is wanted, not known or said to us is none.
func (r *reader) besideWish(content []clause) {
	told := slices.DeleteFunc(slices.Clone(content), r.wishful)
	if doubt := r.marked(chat.DontKnow); doubt != nil && doubt.to <= content[0].from && !slices.ContainsFunc(content, r.guessing) { // "no clue, the town has 75 thousand people"
		told = nil
	}
	if len(told) == 0 || len(told) < len(content) {
		r.volunteer(content)
		return
	}
	r.answer(told)
	r.out.Refused = nil
	for i := range r.out.Findings {
		if r.asked != nil && r.out.Findings[i].Key == r.asked.Key && r.marked(chat.DontKnow) != nil { // "dairy, not sure"
			r.out.Findings[i].Grade.Hedged = true
		}
	}
}

// wishful reports whether c says what is wanted or not known, or speaks to us.
func (r *reader) wishful(c clause) bool {
	u, body := r.u, r.u.body(c)
	for i := body.from; i < body.to; i++ {
		n := u.starts(i, body.to, hedgePhrases)
		if u.at(i) == "you" || u.at(i) == "not" && u.lacksKnowing(i, body) || n > 0 && u.ignores(i, i+n) && !u.ofOthers(body.from, i, i+n) {
			return true
		}
	}
	last := u.at(body.to - 1)
	return u.starts(body.from, body.to, needs) > 0 || u.starts(body.from, body.to, remarks) > 0 || last == "know" || last == "knows"
}

// lacksKnowing reports whether "not" at word i is of what the person does not know.
func (u *utterance) lacksKnowing(i int, c clause) bool {
	ours := false
	for j := c.from; j < i; j++ {
		ours = ours || u.at(j) == "i" || u.at(j) == "we"
	}
	for j := i + 1; j < min(i+4, c.to); j++ {
		if u.at(j) == "know" || u.at(j) == "sure" || u.at(j) == "certain" {
			return ours
		}
	}
	return false
}

// remarks are said of a question and answer none.
var remarks = phrases("good question", "that is a good question", "great question", "that is a great question", "that is a tough one", "tough one", "i was hoping", "i hoped", "i forgot", "i forget",
	"i can not remember", "i do not remember", "that depends", "i would have to", "i have to check", "i would like to know")

// weakWords are the question of a wish that names no subject of its own, such as "how
// many there are"; empty for none.
func (r *reader) weakWords() string {
	p := r.wish()
	if p == nil {
		return ""
	}
	for i := p.from; i < p.to; i++ {
		if next := r.u.at(i + 1); r.u.at(i) == "how" && (next == "many" || next == "much") {
			start, end := r.u.extent(i, p.to)
			return tidy(r.u.raw[start:end])
		}
	}
	return ""
}

// countOf is the question of such a wish with what it follows, "Families in the village:
// how many there are"; empty where it follows nothing.
func (r *reader) countOf() string {
	counting, content := r.weakWords(), r.content()
	if counting == "" || len(content) == 0 {
		return ""
	}
	start, end := r.u.extent(content[0].from, content[len(content)-1].to)
	return clip(tidy(r.u.raw[start:end])+": "+counting, maxQuery)
}

// toldOf is what the message told of key, in words.
func (r *reader) toldOf(key string) string {
	i := slices.IndexFunc(r.out.Findings, func(f obligations.Finding) bool { return f.Key == key })
	return show(r.find(key).Template, r.out.Findings[i].Value)
}
