package voice

import (
	"strings"
	"unicode"

	"quaestor/internal/language"
)

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// cutAt returns how many bytes of text its first n words are.
func cutAt(text string, n int) int {
	at := 0
	for n > 0 {
		rest := text[at:]
		begins := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
		if begins < 0 {
			return len(text)
		}
		length := strings.IndexFunc(rest[begins:], unicode.IsSpace)
		if length < 0 {
			length = len(rest) - begins
		}
		if strings.ContainsFunc(rest[begins:begins+length], isWord) {
			n--
		}
		at += begins + length
	}
	return at
}

// listens holds the sounds by which somebody shows that they listen, in the languages that
// the interviewer speaks without a model. assents are those that may be a yes as well.
var (
	listens = wordSet("hm hmm hmmm mm mmm mhm mhmm mmhm uh uhm um uhuh huh ah aha oh äh ähm öh")
	assents = wordSet("ok okay yeah yep yes right sure good fine i see ja jo genau gut klar stimmt")
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// onlyListens reports whether words that were said while the interviewer spoke only show
// that somebody listens. While the question is spoken an assent answers it.
func onlyListens(words string, asking bool) bool {
	all := language.Words(words)
	if len(all) > 3 {
		return false
	}
	for _, w := range all {
		word := strings.ToLower(w.Text)
		if !strings.ContainsFunc(word, isWord) {
			continue
		}
		if !listens[word] && (asking || !assents[word]) {
			return false
		}
	}
	return true
}
