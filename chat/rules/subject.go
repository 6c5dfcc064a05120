package rules

import "quaestor/obligations"

// payers are whom a question is about when they open an answer to it.
var payers = set("they we i you people customers clients guests most some many all everyone everybody of them mostly usually normally can do")

// viaWords lead from what is done to how.
var viaWords = set("by with in via using through on at us me you")

// maxRetold is how many words say again whom and what was asked: "most of them pay us by".
const maxRetold = 6

// pastPrompt returns the first word of item c after what says the question again: "they
// pay by card" to "in which ways do customers pay you" leaves "card".
func (u *utterance) pastPrompt(t *obligations.Template, c clause) int {
	asked := map[string]bool{}
	for _, w := range cut(t.Prompt) {
		asked[stem(w)] = len(w) > 2 && !payers[w] && !viaWords[w]
	}
	at := c.from
	for at < c.to && at < c.from+maxRetold && payers[u.at(at)] {
		at++
	}
	if at == c.from || at >= c.to || !asked[u.words[at].stem] {
		return c.from
	}
	at++
	for at < c.to && viaWords[u.at(at)] && u.at(at+1) != "the" { // "by the job" is one
		at++
	}
	if at >= c.to {
		return c.from
	}
	return at
}
