package question

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
)

// leastGlued is how many letters a word of a name has at least that is taken for two words of a
// question: orderdate.
const leastGlued = 8

// glue makes one token of two that a column's name writes as one word: "total price" of
// o_totalprice. A name that begins with the word of a measure, such as total_price, is a name
// where another measure is asked for: "the average total price".
func glue(tokens []token, x *catalog.Index) []token {
	for i := 0; i+1 < len(tokens); i++ {
		a, b := &tokens[i], &tokens[i+1]
		total := a.is(sign(Sum)) && !strings.Contains(a.word, " ")
		if !b.names() || b.quoted || a.quoted || !a.names() && !total {
			continue
		}
		switch word := a.word + b.word; {
		case len(word) >= leastGlued && anyColumn(x, func(words []string) bool { return slices.Contains(words, word) }):
			tokens[i] = token{text: a.text + " " + b.text, word: word, asked: []string{word}}
			tokens = slices.Delete(tokens, i+1, i+2)
		case total && alsoMeasured(tokens, i) && anyColumn(x, func(words []string) bool {
			k := slices.Index(words, a.word)
			return k >= 0 && k+1 < len(words) && words[k+1] == b.word
		}):
			a.sign, a.asked = "", askedFor(a.word)
		}
	}
	return tokens
}

// alsoMeasured reports whether a measure is asked for by another token than i.
func alsoMeasured(tokens []token, i int) bool {
	for k := range tokens {
		if k != i && tokens[k].is(sign(Sum), sign(Average), sign(Highest), sign(Lowest)) {
			return true
		}
	}
	return false
}

// anyColumn reports whether the words of a column's name fit.
func anyColumn(x *catalog.Index, fit func(words []string) bool) bool {
	for at := range x.Len() {
		t := x.Table(at)
		for k := range t.Columns {
			if fit(builtin.Words(t.Columns[k].Name)) {
				return true
			}
		}
	}
	return false
}

// markOf returns the word with which the names of all columns of a table begin, when it is a mark of
// the table and says nothing: o of o_orderkey and o_orderdate. It is empty for most tables.
func markOf(t *catalog.Table) string {
	const longest, least = 3, 3
	if len(t.Columns) < least {
		return ""
	}
	common := ""
	for i := range t.Columns {
		words := builtin.Words(t.Columns[i].Name)
		if len(words) < 2 || len(words[0]) > longest || common != "" && words[0] != common {
			return ""
		}
		common = words[0]
	}
	return common
}

// endsWith reports whether a word of a name is glued of a short one and an asked one: mktsegment.
func endsWith(name, asked string) bool {
	const least, most = 6, 6 // letters of the asked word, and of the other
	rest, ok := strings.CutSuffix(name, asked)
	return ok && len(asked) >= least && rest != "" && len(rest) <= most
}

// gluedness is how well such words meet.
const gluedness = 0.8

// codeAt returns the value that begins at word i when it is a code with a figure and letters, such
// as 1-URGENT.
func codeAt(clause string, words []language.Word, i int) (token, int) {
	if i+1 >= len(words) || strings.Trim(words[i].Text, "0123456789") != "" {
		return token{}, 0
	}
	end := i + 1
	for end < len(words) && !words[end].Spaced {
		end++
	}
	text := clause[words[i].From:words[end-1].To]
	digits, letters, ok := strings.Cut(text, "-")
	if !ok || digits == "" || letters == "" || strings.ContainsFunc(letters, func(r rune) bool { return !isLetter(r) }) {
		return token{}, 0
	}
	return token{text: text, word: language.Fold(text), quoted: true, asked: []string{language.Fold(text)}}, end - i
}

// verbs say that something came about, and which of several times is not meant by them.
var verbs = setOf("placed made taken work works working arbeiten arbeitet erteilt aufgegeben getaetigt")
