package reading

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
)

// utterance is a message cut into words.
type utterance struct {
	raw         string
	words       []language.Word
	foldedWords []string // see folded
}

// cut cuts a message into words. Bytes that are no UTF-8 become U+FFFD one by one, as a
// browser counts them.
func cut(message string) *utterance {
	if !utf8.ValidString(message) {
		message = string([]rune(message))
	}
	return &utterance{raw: message, words: language.Words(message)}
}

// folded returns the words in the form in which they are compared.
func (u *utterance) folded() []string {
	if u.foldedWords == nil {
		u.foldedWords = language.Folded(u.words)
	}
	return u.foldedWords
}

// wordRange is a stretch of words, to excluded.
type wordRange struct{ from, to int }

func (r wordRange) len() int { return r.to - r.from }

// byteRange is a stretch of bytes, to excluded.
type byteRange struct{ from, to int }

// all are all words.
func (u *utterance) all() wordRange { return wordRange{0, len(u.words)} }

// within returns the words that begin between two bytes.
func (u *utterance) within(from, to int) wordRange {
	at := func(b int) int { return sort.Search(len(u.words), func(i int) bool { return u.words[i].From >= b }) }
	r := wordRange{at(from), at(to)}
	return wordRange{min(r.from, r.to), r.to}
}

// wordsBetween returns the words that lie between two bytes.
func (u *utterance) wordsBetween(from, to int) []language.Word {
	r := u.within(from, to)
	for r.len() > 0 && u.words[r.to-1].To > to {
		r.to--
	}
	return u.words[r.from:r.to]
}

// bytes returns the bytes of a stretch that has words.
func (u *utterance) bytes(r wordRange) (from, to int) {
	return u.words[r.from].From, u.words[r.to-1].To
}

// text returns a stretch as it was written; "" for no words.
func (u *utterance) text(r wordRange) string {
	if r.to <= r.from {
		return ""
	}
	from, to := u.bytes(r)
	return u.raw[from:to]
}

// spelled returns how many words of letters stand between two bytes; figures and signs are
// none.
func (u *utterance) spelled(from, to int) int {
	n := 0
	for _, w := range u.wordsBetween(from, to) {
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// count counts the words that are said: those of letters and figures.
func (u *utterance) count() int {
	n := 0
	for _, w := range u.words {
		if language.IsSaid(w.Text) {
			n++
		}
	}
	return n
}

// entry returns how many words from i on, before word to, are together one of kind in any
// language; 0 for none.
func (u *utterance) entry(kind string, i, to int) int {
	return wordsOf(u.folded()[:to]).at(kind, i)
}

// entryBefore returns how many words before word to, and from word from on, are together one
// of kind; 0 for none.
func (u *utterance) entryBefore(kind string, from, to int) int {
	for n := min(longestEntry, to-from); n > 0; n-- {
		if language.IsWord(kind, strings.Join(u.folded()[to-n:to], "_")) {
			return n
		}
	}
	return 0
}

// longestEntry bounds how many words stand together in a lexicon.
const longestEntry = 6

// speaksOf reports whether a stretch has words of one of some kinds.
func (u *utterance) speaksOf(r wordRange, kinds ...string) bool {
	for i := r.from; i < r.to; i++ {
		for _, kind := range kinds {
			if u.entry(kind, i, r.to) > 0 {
				return true
			}
		}
	}
	return false
}

// endsSentence reports whether word i ends a sentence: a dot in "booking.com" ends nothing.
func (u *utterance) endsSentence(i int) bool {
	if !isMark(u.words[i].Text, ".;!?\n…") {
		return false
	}
	inside := u.words[i].Text == "." && i+1 < len(u.words) && !u.words[i].Spaced && !u.words[i+1].Spaced && !isMark(u.words[i+1].Text, ".!?")
	return !inside && !u.ordinalDot(i)
}

// ordinalDot reports whether word i is the dot of "1. Februar": a day's number stands before it and a
// month behind it.
func (u *utterance) ordinalDot(i int) bool {
	if u.words[i].Text != "." || i == 0 || i+1 >= len(u.words) || len(u.words[i-1].Text) > 2 || strings.Trim(u.words[i-1].Text, "0123456789") != "" {
		return false
	}
	return language.IsWord("month", u.folded()[i+1])
}

// sentences returns the sentences.
func (u *utterance) sentences() []wordRange {
	var out []wordRange
	begun := 0
	for i := 0; i <= len(u.words); i++ {
		if i > begun && u.onNewLine(i) {
			out = append(out, wordRange{begun, i})
			begun = i
		}
		if i < len(u.words) && !u.endsSentence(i) {
			continue
		}
		if i > begun {
			out = append(out, wordRange{begun, i})
		}
		begun = i + 1
	}
	return out
}

// onNewLine reports whether word i begins a line.
func (u *utterance) onNewLine(i int) bool {
	return i > 0 && i < len(u.words) && strings.Contains(u.raw[u.words[i-1].To:u.words[i].From], "\n")
}

// sentenceEnd returns the byte at which the sentence that word i is in ends.
func (u *utterance) sentenceEnd(i int) int {
	for at := i; at < len(u.words); at++ {
		if u.endsSentence(at) || at > i && u.onNewLine(at) {
			return u.words[at].From
		}
	}
	return len(u.raw)
}

// asks reports whether a stretch ends with a question mark.
func (u *utterance) asks(r wordRange) bool { return r.to < len(u.words) && u.words[r.to].Text == "?" }

// clauses cuts a stretch at commas, and what stands between dashes and brackets.
func (u *utterance) clauses(r wordRange) []wordRange {
	var out []wordRange
	begun := r.from
	for i := r.from; i <= r.to; i++ {
		if i < r.to && !isMark(u.words[i].Text, ",.;:!?()–—\n…") && (u.words[i].Text != "-" || !u.words[i].Spaced) {
			continue
		}
		if i > begun {
			out = append(out, wordRange{begun, i})
		}
		begun = i + 1
	}
	return out
}

// spoken is a stretch without the marks at its ends.
func (u *utterance) spoken(r wordRange) wordRange {
	for r.len() > 0 && !language.IsSaid(u.words[r.from].Text) {
		r.from++
	}
	for r.len() > 0 && !language.IsSaid(u.words[r.to-1].Text) {
		r.to--
	}
	return r
}

// isMark reports whether a word is a punctuation mark of some.
func isMark(word, marks string) bool {
	return word != "" && strings.Trim(word, marks) == ""
}
