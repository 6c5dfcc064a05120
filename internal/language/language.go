// Package language reads and makes texts: it cuts them into words, reads figures, dates
// and times of day in the languages of lexicon/, and makes English texts of parts: cut,
// counted, listed and joined. It knows nothing of what the texts are about.
package language

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip returns s with at most n characters. The last of them is … when there was more,
// without white space before it.
func Clip(s string, n int) string {
	if len(s) <= n || Head(s, n) == s {
		return s
	}
	if n < 1 {
		return ""
	}
	return strings.TrimRightFunc(Head(s, n-1), unicode.IsSpace) + "…"
}

// maxShort is about as much as fits a line of an error beside its own words.
const maxShort = 60

// Short returns s as an error or a note repeats what somebody wrote: at most 60
// characters.
func Short(s string) string { return Clip(s, maxShort) }

// Head returns the first n characters of s.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// HeadBytes returns the first n bytes of s, less the beginning of a character that does
// not fit.
func HeadBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(n, 0)]
}

// OneLine returns s with a space in place of every run of white space, and none around
// it.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Count returns a number and the noun that is counted: "1 source", "2 queries", "1,200
// days". The noun takes an s, or ies in place of a y behind a consonant.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	stem, y := strings.CutSuffix(noun, "y")
	if y && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])) {
		return Thousands(n) + " " + stem + "ies"
	}
	return Thousands(n) + " " + noun + "s"
}

// And lists words: "a", "a and b", "a, b and c". Without words it is empty.
func And(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Thousands returns a number with commas: "1,234,567.8". It is exact up to 2⁵³.
func Thousands[N int | int64 | float64](n N) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(float64(n), 'f', -1, 64), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

// UpperFirst returns s as a sentence begins.
func UpperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// LowerFirst returns s as it goes on within a sentence. What begins with two capitals is
// an abbreviation and stays, and so does a single letter.
func LowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); !unicode.IsUpper(r) || !unicode.IsLower(second) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}
