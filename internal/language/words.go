package language

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a word of a text, a figure, a mark, or a stretch that is no language, such as
// an e-mail address.
type Word struct {
	Text     string
	From, To int  // bytes of the text, To excluded
	Spaced   bool // white space or the beginning of the text comes before it
}

// closed matches what is one word whatever stands in it: addresses of the web and of
// mail, and abbreviations such as "a.m.".
var closed = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?)\]']|\b[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+|\b(?:\p{L}\.){2,}`)

// Words cuts text into words: runs of letters with the apostrophes inside them, runs of
// digits with the marks that group or part them ("150'000", "2,3", "10:30"), titles before a
// name with their full stop ("Dr."), and every other rune that is no white space alone. Invalid UTF-8 stands alone, too.
func Words(text string) []Word {
	var out []Word
	spaced := true
	whole := closed.FindAllStringIndex(text, -1)
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			spaced = true
			at += size
			continue
		}
		end := at + size
		switch {
		case len(whole) > 0 && whole[0][0] == at:
			end = whole[0][1]
		case isLetter(r):
			end = at + run(text[at:], isLetter, "'’")
			end += titleStop(text[at:end], text[end:])
		case unicode.IsDigit(r):
			end = at + run(text[at:], unicode.IsDigit, ".,:'’")
		}
		for len(whole) > 0 && whole[0][0] < end {
			whole = whole[1:]
		}
		out = append(out, Word{Text: text[at:end], From: at, To: end, Spaced: spaced})
		at, spaced = end, false
	}
	return out
}

// titles are written with a full stop before a name, which ends no sentence.
var titles = map[string]bool{"dr": true, "prof": true, "mr": true, "mrs": true, "ms": true, "hr": true, "fr": true, "st": true, "mag": true, "ing": true, "dipl": true, "rev": true, "fam": true}

// titleStop returns the length of the full stop of a title before rest: 1 where a name follows, else 0.
func titleStop(word, rest string) int {
	if !titles[strings.ToLower(word)] || len(rest) < 2 || rest[0] != '.' {
		return 0
	}
	if next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest[1:], " ")); !unicode.IsUpper(next) {
		return 0
	}
	return 1
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// run returns how many bytes at the beginning of text are runes that belong, and single
// runes of inside between two of them.
func run(text string, belongs func(rune) bool, inside string) int {
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if belongs(r) {
			end += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[end+size:])
		if end == 0 || !strings.ContainsRune(inside, r) || !belongs(next) {
			break
		}
		end += size
	}
	return end
}

// Folded returns words as [Fold] writes them.
func Folded(words []Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Fold(w.Text)
	}
	return out
}

// FoldWords returns the words of text, marks among them, as [Fold] writes them, with single spaces.
func FoldWords(text string) string { return strings.Join(Folded(Words(text)), " ") }

// PlainWords is [FoldWords] without marks: the words that are said.
func PlainWords(text string) string {
	return strings.Join(Folded(slices.DeleteFunc(Words(text), func(w Word) bool { return !IsSaid(w.Text) })), " ")
}

// IsSaid reports whether a word begins with a letter or a figure, so that it is said: marks and signs
// are none.
func IsSaid(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
