package rules

import "strings"

// hedgePhrases say that the person is not sure, wherever they stand.
var hedgePhrases = phrases("maybe", "perhaps", "roughly", "approximately", "approx", "i guess", "i think", "i believe", "i suppose", "probably", "possibly",
	"presumably", "not sure", "not certain", "not really sure", "unsure", "more or less", "give or take", "ballpark", "or so", "something like", "or something",
	"could be", "might be", "may be", "if i had to guess", "my guess", "best guess", "a guess", "off the top of my head", "tentatively", "do not know exactly",
	"not exactly sure", "hard to say", "estimate", "estimated", "estimating", "circa", "likely", "as far as i know", "i would guess", "i would estimate",
	"hopefully", "or thereabouts",
	"i do not know", "do not know", "i assume", "i imagine", "plus or minus", "depending", "it depends", "no idea", "to be confirmed", "provisionally", "i reckon")

// numberHedges weaken the number, date or amount right after them.
var numberHedges = set("about around some nearly almost approximately approx roughly circa ca maybe perhaps probably say like ish")

// phrases cuts each text into words.
func phrases(texts ...string) [][]string {
	out := make([][]string, 0, len(texts))
	for _, t := range texts {
		if words := cut(t); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// cut returns the words of text as [listen] has them.
func cut(text string) []string {
	u := listen(text)
	out := make([]string, len(u.words))
	for i, w := range u.words {
		out[i] = w.text
	}
	return out
}

// has reports whether phrase stands at word i, before word to, letter by letter.
func (u *utterance) has(i, to int, phrase []string) bool {
	if i+len(phrase) > to {
		return false
	}
	for j, w := range phrase {
		if u.words[i+j].text != w {
			return false
		}
	}
	return true
}

// starts returns the longest of list that stands at word i, as a count of words.
func (u *utterance) starts(i, to int, list [][]string) int {
	best := 0
	for _, p := range list {
		if len(p) > best && u.has(i, to, p) {
			best = len(p)
		}
	}
	return best
}

// hedged reports whether words from to (excluded) are said with doubt. In a long
// statement only doubt at its ends counts: in the middle it belongs to what is
// told.
func (u *utterance) hedged(from, to int) bool {
	for i := from; i < to; i++ {
		if i >= from+hedgeEdge && i < to-hedgeEdge {
			continue
		}
		if n := u.starts(i, to, hedgePhrases); n > 0 && !u.ofOthers(from, i, i+n) {
			return true
		}
	}
	return strings.Contains(u.gap(from), "~") || (to > from && u.asks(to-1))
}

// ignorance are words of doubt that are doubt only of who does not know.
var ignorance = set("know idea sure certain unsure exactly")

// besideNot stand between a subject and what it does not know.
var besideNot = set("really still just honestly simply also often even mostly usually truly do does did am are is was were be have has had actually always never")

// ofOthers reports whether words from i to (excluded) to, in a clause that begins at
// word from, say what others do not know: "people in town don't know we exist".
func (u *utterance) ofOthers(from, i, to int) bool {
	first := u.at(i)
	if !u.ignores(i, to) || first == "i" || first == "we" {
		return false
	}
	at := i
	for at > from && !u.begins(at) && besideNot[u.at(at-1)] {
		at--
	}
	if at == from || u.begins(at) {
		return false
	}
	subject := u.at(at - 1)
	return subject != "i" && subject != "we" && !conjunctions[subject] && !hedgeWords[subject]
}

// ignores reports whether words from i to (excluded) say that something is not known.
func (u *utterance) ignores(i, to int) bool {
	for j := i; j < to; j++ {
		if ignorance[u.at(j)] {
			return true
		}
	}
	return false
}

// hedgeWords lead up to what somebody is not sure of.
var hedgeWords = set("maybe perhaps honestly well yes no yet")

// begins reports whether something new is said from word i on.
func (u *utterance) begins(i int) bool {
	return i == 0 || breaks(u.gap(i), sentenceSigns) || breaks(u.gap(i), commaSigns)
}

// hedgeEdge is how many words from either end doubt counts.
const hedgeEdge = 5

// vagueWords say nothing one could act on. An answer made of them alone is
// vague.
var vagueWords = set(`good great stuff thing things everyone everybody anyone anybody someone somebody various different many some lots lot whatever
	something anything everything all kinds kind sorts sort of people money more better normal usual standard fine nice ok okay big small large the a an
	and or it depends is are we just really very several few other others etc so on general generally regular typical average decent best quality well
	nothing special particular much enough soon quickly fast cheap bit little stuffs folks persons somewhere anywhere anytime sometimes often usually
	reasonable suitable appropriate to for in mostly basically that this not yet do does any any kinds type types sure maybe probably i think guess our my us`)

// vague reports whether words from to (excluded) are too general to act on.
func (u *utterance) vague(from, to int) bool {
	if to-from > maxVagueWords {
		return false
	}
	for i := from; i < to; i++ {
		if !vagueWords[u.at(i)] {
			return false
		}
	}
	return true
}

// maxVagueWords: longer answers say something.
const maxVagueWords = 9
