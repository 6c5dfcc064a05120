package pick

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords is how many words of an area are used, and minLetters how long a word must be: shorter
// ones are mostly function words.
const (
	maxWords   = 32
	minLetters = 4
)

// wordsOf returns the distinct words of s that carry meaning, folded.
func wordsOf(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(out) < maxWords && utf8.RuneCountInString(w) >= minLetters && w != "keywords" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// lexical scores a text by the share of the words it contains: 0 for none, then from MinScore up
// to just below the score that naming a keyword gives.
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
