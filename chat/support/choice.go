package support

import (
	"cmp"
	"strings"

	"quaestor/obligations"
)

// choice holds one choice, or a text where other answers are allowed, against the quote.
func (w *wording) choice(v string) Level {
	c := w.Template.Pick(v)
	if c == nil {
		return w.text(v)
	}
	if p := polarityOf(c); p != 0 {
		return w.yesNo(p)
	}
	own, denied := w.names(c)
	covered, another := w.others(c, own)
	switch {
	case own == 0 && (denied || another):
		return None
	case own == 0:
		return w.meant(c)
	case covered:
		return None
	case another && w.Template.Widget == obligations.ChoiceOne:
		return Weak
	}
	return Full
}

// others reports whether the quote names other choices than c, of which it has so many
// words: one whose longer name covers that of c, as "very satisfied" does "satisfied", and
// one whose name has nothing to do with it.
func (w *wording) others(c *obligations.Choice, own int) (covered, another bool) {
	for i := range w.Template.Choices {
		other := &w.Template.Choices[i]
		n, _ := w.names(other)
		if other.Value == c.Value || n == 0 {
			continue
		}
		if overlap(c, other) {
			covered = covered || n > own
		} else {
			another = true
		}
	}
	return covered, another
}

// overlap reports whether names of two choices share a word.
func overlap(a, b *obligations.Choice) bool {
	for _, x := range namesOf(a) {
		for _, y := range namesOf(b) {
			for i := range x {
				if x[i].content && holds(y, &x[i]) {
					return true
				}
			}
		}
	}
	return false
}

func holds(t text, w *word) bool {
	for i := range t {
		if t[i].content && alike(&t[i], w) {
			return true
		}
	}
	return false
}

// namesOf returns the ways to name a choice: label, synonyms, value, and what is parted by
// a stroke, "or" or brackets.
func namesOf(c *obligations.Choice) []text {
	list := append([]string{c.Label}, c.Synonyms...)
	list = append(list, strings.ReplaceAll(c.Value, "_", " "))
	for _, s := range append([]string{c.Label}, c.Synonyms...) {
		for _, sep := range []string{"/", " or ", " oder ", "(", ","} {
			if parts := strings.Split(s, sep); len(parts) > 1 {
				list = append(list, parts...)
			}
		}
	}
	var out []text
	for _, s := range list {
		if t := cut(strings.Trim(s, " ()")); len(t) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// names returns how many words of the longest name of c the quote has, 0 for none, and
// whether a name stands in it that is denied.
func (w *wording) names(c *obligations.Choice) (longest int, denied bool) {
	for _, name := range namesOf(c) {
		n, against := w.spells(name)
		if against {
			denied = true
			continue
		}
		longest = max(longest, n)
	}
	return longest, denied
}

// spells returns how many words of a name the quote has, when it has all that matter;
// against is true when it has them, and denies what the name does not or the other way
// round.
func (w *wording) spells(name text) (n int, against bool) {
	matters := false
	for i := range name {
		at := &name[i]
		degree := name.is("degree", i)
		if !at.content && !degree {
			continue
		}
		matters = matters || at.content
		found, same := false, false
		for k := range w.said {
			if q := &w.said[k]; q.inside && (q.folded == at.folded || at.content && alike(q, at)) {
				found, same = true, same || q.denied == at.denied || degree && !at.content
			}
		}
		if !found {
			return 0, false
		}
		against = against || !same
		n++
	}
	if !matters {
		return w.literal(name), false
	}
	return n, against
}

// literal returns how many words name has when the quote has them in a row, else 0: names
// of function words alone, such as "Both" or "On".
func (w *wording) literal(name text) int {
	for i := 0; i+len(name) <= len(w.said); i++ {
		k := 0
		for k < len(name) && w.said[i+k].inside && !w.said[i+k].denied && w.said[i+k].folded == name[k].folded {
			k++
		}
		if k == len(name) {
			return k
		}
	}
	return 0
}

// polarityOf returns +1 for a choice that is a yes, -1 for one that is a no.
func polarityOf(c *obligations.Choice) int {
	t := cut(cmp.Or(c.Label, c.Value))
	switch {
	case len(t) == 0, len(t) > 1 && t[1].Text != ",":
		return 0
	case t.is("yes", 0):
		return 1
	case t.is("no", 0):
		return -1
	}
	return 0
}

// yesNo supports a yes or a no: by the word itself, or by a sentence that says with words
// of the question that it is so, or that it is not.
func (w *wording) yesNo(want int) Level {
	said := w.said.polarity()
	switch {
	case said == want && (w.Asked || w.sharesQuestion()):
		return Full
	case said == want:
		return Weak
	case said != 0 || want < 0:
		return None
	case w.sharesQuestion() && !w.asksBack():
		return Full
	case w.Asked && w.near(w.Template.Prompt, minLink):
		return Weak
	}
	return None
}

// asksBack reports whether the words stand in a question: "Deliver? We would never."
func (w *wording) asksBack() bool { return len(w.said) > 0 && w.said[len(w.said)-1].Text == "?" }

// A choice that is not named must be that near to the quote in meaning, and that much
// nearer than every other choice. Both are judgements; the outcome is only read back.
const (
	minChoice    = 0.45
	choiceMargin = 0.1
)

// meant supports a choice that the quote describes in other words, in English and with a
// text encoder. It is never more than weak: choices are close to each other in meaning.
func (w *wording) meant(c *obligations.Choice) Level {
	if w.Similar == nil || w.german || !w.Asked {
		return None
	}
	said := w.Quote
	own, others := 0.0, 0.0
	for i := range w.Template.Choices {
		other := &w.Template.Choices[i]
		for _, name := range append([]string{other.Label}, other.Synonyms...) {
			likeness := w.Similar(name, said)
			if other.Value == c.Value {
				own = max(own, likeness)
			} else {
				others = max(others, likeness)
			}
		}
	}
	if own >= minChoice && own >= others+choiceMargin {
		return Weak
	}
	return None
}
