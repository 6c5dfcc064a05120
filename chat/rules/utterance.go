package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word or a number as the rules see it: lower case, plain apostrophes,
// contractions written out. The parts of one contraction share its place.
type word struct {
	text, stem string
	start, end int // bytes in the utterance
}

// utterance is a message cut into words.
type utterance struct {
	raw   string
	words []word
}

// listen cuts a message into words. Bytes that are no UTF-8 become U+FFFD one by
// one, as a browser counts them.
func listen(message string) *utterance {
	u := &utterance{raw: message}
	if !utf8.ValidString(message) {
		u.raw = string([]rune(message))
	}
	for at := 0; at < len(u.raw); {
		r, size := utf8.DecodeRuneInString(u.raw[at:])
		if !isWordRune(r) {
			at += size
			continue
		}
		end := wordEnd(u.raw, at, r)
		u.add(at, end)
		at = end
	}
	return u
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '`' }

// wordEnd returns where the word that starts at from ends. A number keeps its
// separators and what is glued to it ("1,200.50", "20k"), a word its inner
// apostrophes.
func wordEnd(raw string, from int, first rune) int {
	number := first >= '0' && first <= '9'
	at := from
	for at < len(raw) {
		r, size := utf8.DecodeRuneInString(raw[at:])
		next, _ := utf8.DecodeRuneInString(raw[at+size:])
		inner := number && (r == '.' || r == ',') && next >= '0' && next <= '9'
		inner = inner || (!number && isApostrophe(r) && unicode.IsLetter(next))
		if !isWordRune(r) && !inner {
			break
		}
		if number && unicode.IsLetter(r) {
			number = false
		}
		at += size
	}
	return at
}

func (u *utterance) add(start, end int) {
	for _, text := range expand(strings.ToLower(plainApostrophes(u.raw[start:end]))) {
		u.words = append(u.words, word{text, stem(text), start, end})
	}
}

func plainApostrophes(s string) string {
	return strings.Map(func(r rune) rune {
		if isApostrophe(r) {
			return '\''
		}
		return r
	}, s)
}

// glued are the contractions written without an apostrophe, and the irregular
// ones.
var glued = map[string]string{
	"dont": "do not", "cant": "can not", "cannot": "can not", "can't": "can not", "wont": "will not", "won't": "will not",
	"didnt": "did not", "doesnt": "does not", "isnt": "is not", "arent": "are not", "wasnt": "was not", "havent": "have not",
	"hasnt": "has not", "couldnt": "could not", "wouldnt": "would not", "shouldnt": "should not", "im": "i am", "ive": "i have",
	"thats": "that is", "whats": "what is", "lets": "let us", "let's": "let us", "theyre": "they are", "youre": "you are",
	"weve": "we have", "dunno": "do not know", "idk": "i do not know", "gonna": "going to", "gotta": "have to", "wanna": "want to",
	"lemme": "let me", "gimme": "give me", "ain't": "is not", "aint": "is not",
}

// suffixes are the regular contractions.
var suffixes = []struct{ end, full string }{
	{"n't", "not"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}, {"'d", "would"}, {"'m", "am"},
}

// isWords are the words after which 's means "is".
var isWords = set("it that what where who how there here he she this why when")

// expand writes a contraction out. The 's of a possessive goes.
func expand(text string) []string {
	if full, ok := glued[text]; ok {
		return strings.Fields(full)
	}
	for _, s := range suffixes {
		if stem, ok := strings.CutSuffix(text, s.end); ok && stem != "" {
			return []string{stem, s.full}
		}
	}
	stem, ok := strings.CutSuffix(text, "'s")
	switch {
	case !ok:
		return []string{text}
	case isWords[stem]:
		return []string{stem, "is"}
	}
	return []string{stem}
}

// at returns the text of word i, empty outside.
func (u *utterance) at(i int) string {
	if i < 0 || i >= len(u.words) {
		return ""
	}
	return u.words[i].text
}

// gap returns what stands between word i-1 and word i: the white space and signs
// before it. For i = len(words) it is what follows the last word.
func (u *utterance) gap(i int) string {
	start, end := 0, len(u.raw)
	if i > 0 {
		start = u.words[i-1].end
	}
	if i < len(u.words) {
		end = u.words[i].start
	}
	if end <= start {
		return ""
	}
	return u.raw[start:end]
}

// join returns words from to (excluded) with single spaces.
func (u *utterance) join(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		b.WriteString(u.words[i].text)
	}
	return b.String()
}

// extent returns the bytes of words from to (excluded), with the signs that
// stick to them ("$20", "20%", "(new)") and without closing punctuation.
func (u *utterance) extent(from, to int) (start, end int) {
	start, end = u.words[from].start, u.words[to-1].end
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(u.raw[:start])
		if unicode.IsSpace(r) || isWordRune(r) || strings.ContainsRune(".,;:!?", r) {
			break
		}
		start -= size
	}
	for end < len(u.raw) {
		r, size := utf8.DecodeRuneInString(u.raw[end:])
		if unicode.IsSpace(r) || isWordRune(r) || strings.ContainsRune(".,;:!?", r) {
			break
		}
		end += size
	}
	return start, end
}

// asks reports whether a question mark follows word i before the next word.
func (u *utterance) asks(i int) bool { return strings.ContainsRune(u.gap(i+1), '?') }

// set makes a set of the words in list.
func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
