package metrics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"quaestor/internal/language"
)

// Match is a definition that a text names.
type Match struct {
	Definition
	Words    string // as the text has them
	From, To int    // their bytes in the text, To excluded
}

// Says tells what the words were taken for, so that whoever reads an answer can object.
func (m Match) Says() string {
	return fmt.Sprintf("%q is the %s", m.Words, m.Line())
}

// Find returns the definitions that a question names, by name, label or synonym, in the order
// in which it names them, each once. Case, accents, and the plural of a word's end do not
// matter. Of several that fit, the longest name counts, and of two as long the metric; no
// word is part of two names.
func Find(list []Definition, question string) []Match {
	said := wordsOf(question)
	var found []Match
	for i := range list {
		for _, name := range list[i].names() {
			found = append(found, places(list[i], wordsOf(name), said, question)...)
		}
	}
	slices.SortStableFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.From, b.From), cmp.Compare(a.Name, b.Name))
	})
	var out []Match
	for _, m := range found {
		if !slices.ContainsFunc(out, func(o Match) bool { return o.Name == m.Name || o.From < m.To && m.From < o.To }) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Match) int { return cmp.Compare(a.From, b.From) })
	return out
}

// names returns everything that a definition is called.
func (s *Spec) names() []string {
	return append([]string{strings.ReplaceAll(s.Name, "_", " "), s.Name, s.Label}, s.Synonyms...)
}

// places returns where a text says the words of a name.
func places(d Definition, name, said []foldedWord, text string) []Match {
	var out []Match
	for i := 0; len(name) > 0 && i+len(name) <= len(said); i++ {
		if here := said[i : i+len(name)]; slices.EqualFunc(name, here, sameWord) {
			from, to := here[0].from, here[len(here)-1].to
			out = append(out, Match{Definition: d, Words: text[from:to], From: from, To: to})
		}
	}
	return out
}

// foldedWord is a word without case and accents.
type foldedWord struct {
	text     string
	from, to int
}

// wordsOf returns the words and figures of a text.
func wordsOf(text string) []foldedWord {
	var out []foldedWord
	for _, w := range language.Words(text) {
		if folded := fold(w.Text); strings.ContainsFunc(folded, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			out = append(out, foldedWord{folded, w.From, w.To})
		}
	}
	return out
}

// fold returns a word in lower case and without accents.
func fold(word string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), word)
	if err != nil {
		plain = word
	}
	return strings.ToLower(plain)
}

// plurals are the ends that a word has in the plural and not in the singular, or the other
// way round, in English and German.
var plurals = []string{"s", "es", "n", "en", "e"}

// sameWord reports whether two words are the same, or one is the plural of the other. Words
// of three letters or fewer have to be the same: "us" is no plural.
func sameWord(a, b foldedWord) bool {
	x, y := a.text, b.text
	if x == y {
		return true
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) <= 3 {
		return false
	}
	rest, longer := strings.CutPrefix(y, x)
	if longer && slices.Contains(plurals, rest) {
		return true
	}
	return strings.TrimSuffix(x, "y") != x && y == strings.TrimSuffix(x, "y")+"ies"
}
