package pick

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords is how many words of an area rank steps, and minLetters how long they are.
const (
	maxWords   = 32
	minLetters = 4
)

// wordsOf returns the words of s that say something, each once, in lower case.
func wordsOf(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(out) < maxWords && utf8.RuneCountInString(w) >= minLetters && w != "keywords" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// lexical scores a text by how many of the words it has: 0 for none, the least
// score for nearly none, and less than what naming a keyword lifts to for all.
func lexical(text string, words []string, o Options) float64 {
	n := 0
	for _, w := range words {
		if strings.Contains(text, w) {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return o.MinScore + max(o.ExactMatchFloor-o.MinScore, 0)*float64(n)/float64(len(words)+1)
}
