package rules

import "strings"

// clause is a stretch of words, to excluded, that says one thing.
type clause struct {
	from, to int
	ends     bool // a full stop, question mark, semicolon or new line follows
}

func (c clause) len() int { return c.to - c.from }

// maxClause bounds a clause, in words, so that a paste without punctuation takes
// linear time too.
const maxClause = 80

// clauses cuts u at punctuation, at "but", and at "and" where a new subject
// follows ("and our budget …").
func (u *utterance) clauses() []clause {
	var out []clause
	from := 0
	for i := 1; i <= len(u.words); i++ {
		stops := i == len(u.words) || breaks(u.gap(i), sentenceSigns)
		if stops || breaks(u.gap(i), commaSigns) || u.turns(i) || i-from >= maxClause {
			out = append(out, clause{from, i, stops})
			from = i
		}
	}
	return out
}

const (
	sentenceSigns = ".!?;\n…。！？；"
	commaSigns    = ",()—，、"
)

// breaks reports whether gap holds one of signs; a dash between spaces counts as
// a comma.
func breaks(gap, signs string) bool {
	return strings.ContainsAny(gap, signs) || (signs == commaSigns && (strings.Contains(gap, " - ") || strings.Contains(gap, " – ")))
}

// subjects start a clause of their own after "and".
var subjects = set("we i our my the it they there a an with launching targeting aiming budget")

// turns reports whether a conjunction before word i starts a new clause.
func (u *utterance) turns(i int) bool {
	switch u.at(i) {
	case "but", "although", "though", "whereas", "because":
		return true
	case "and", "plus", "also":
		return subjects[u.at(i+1)] || isDigit(u.at(i+1)) && !u.before(i, "between")
	}
	return false
}

func isDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// conjunctions open a clause without saying anything.
var conjunctions = set("but and plus also although though whereas so then or")

// body returns c without the conjunctions and asides it opens with.
func (u *utterance) body(c clause) clause {
	for at := -1; at != c.from; {
		at = c.from
		for c.from < c.to && conjunctions[u.at(c.from)] {
			c.from++
		}
		c.from = u.afterAsides(c.from, c.to)
	}
	return c
}
