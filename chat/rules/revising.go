package rules

import (
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// revisers stand before or among the words of a value that takes the place of another.
var revisers = phrases("now", "actually", "instead", "changed", "rather", "make that", "make it", "that makes", "correction")

// oughts say what a value should have been, after its name: "the team size should be 14".
// "We should be 20 staff" is what somebody hopes for.
var oughts = phrases("should be", "should have been", "should read", "should say")

// repeating open a sentence that says again what the person takes for said.
var repeating = phrases("as i said", "as i told you", "like i said", "as mentioned", "as i mentioned", "i told you", "i told you already", "i already told you", "i already said", "i said already",
	"again", "once more", "once again", "i repeat", "to repeat", "like i told you")

// segues lead to something else than what was spoken of.
var segues = phrases("btw", "by the way", "incidentally", "oh", "oh and", "ps", "p s", "apropos", "speaking of which", "on another note", "while i think of it", "before i forget")

// corrects reports whether a claim about what is held otherwise says that it is
// different, or that it was never so, rather than just tells another value: "our budget
// is now 30k". Who has the summary before them and names a line of it changes it.
func (r *reader) corrects(c claim) bool {
	if c.o.Value == nil || obligations.SameValue(c.o.Value, c.got.value) {
		return false
	}
	summed := r.purpose() == sessions.ToFinish && (c.label || c.o.Closed())
	if r.revising || r.takesBack(c.o) || c.named && (summed || r.mending || r.saysAgain(c)) {
		return true
	}
	for i := max(c.from-2, 0); i < c.to+2; i++ {
		if r.u.starts(i, len(r.u.words), revisers) > 0 || c.named && r.u.starts(i, len(r.u.words), oughts) > 0 {
			return true
		}
	}
	return false
}

// bygone reports whether clause c tells how many people there were, not how many there
// are: "last year we had 12 staff".
func (s *scan) bygone(o *obligations.Obligation, c *clause) bool {
	if !strings.EqualFold(o.Unit, "people") {
		return false
	}
	for i := c.from; i < c.to; i++ {
		if s.r.u.starts(i, c.to, longAgo) > 0 && !sinceThen[s.r.u.at(i-1)] {
			return true
		}
	}
	return false
}

// retracts reports whether the sentence that says a value, or what is held again, calls it
// wrong: then it speaks for nothing.
func (r *reader) retracts(c claim) bool {
	if c.o.Value != nil && !obligations.SameValue(c.o.Value, c.got.value) {
		return false
	}
	for i := c.to; i < len(r.u.words) && (i == c.to || !breaks(r.u.gap(i), sentenceSigns)); i++ {
		if c.o.Value != nil && wrongOnes[r.u.at(i)] && !r.u.negatedAt(i, c.to) || r.u.starts(i, len(r.u.words), wrongTurns) > 0 {
			return true
		}
	}
	return false
}

// saysAgain reports whether the sentence of c opens by saying that it was said before,
// or the message with a cry of impatience.
func (r *reader) saysAgain(c claim) bool {
	if r.u.starts(0, len(r.u.words), cries) > 0 {
		return true
	}
	at := c.from
	for at > 0 && !breaks(r.u.gap(at), sentenceSigns) {
		at--
	}
	return r.u.starts(at, c.from, repeating) > 0
}

// cries open a message that loses patience.
var cries = phrases("for heaven sake", "for god sake", "for goodness sake", "for pete sake", "for crying out loud", "for the last time", "oh come on", "come on", "good grief", "good lord", "good heavens")

// afterAsides returns the first word of words from to (excluded) that is no aside.
func (u *utterance) afterAsides(from, to int) int {
	for n := u.starts(from, to, segues); n > 0 && from+n < to; n = u.starts(from, to, segues) {
		from += n
	}
	return from
}

// leadsIn reports whether words from to (excluded) only lead to what follows.
func (u *utterance) leadsIn(from, to int) bool {
	for from < to {
		n := max(u.starts(from, to, segues), u.starts(from, to, repeating), u.starts(from, to, cries))
		if n == 0 && !conjunctions[u.at(from)] {
			return false
		}
		from += max(n, 1)
	}
	return true
}
