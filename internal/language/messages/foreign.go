package messages

import (
	_ "embed" // for foreign.txt
	"fmt"
	"strings"
	"sync"
	"unicode"

	"quaestor/internal/language"
)

//go:embed foreign.txt
var foreignFile string

// tongue is a language as it is recognised: by its closed words.
type tongue struct {
	tag    string
	words  map[string]bool
	notice string // that it is not understood, in that language; empty for what is
}

// tongues are the languages of foreign.txt, in its order.
var tongues = sync.OnceValue(func() []tongue {
	var out []tongue
	for n, line := range strings.Split(foreignFile, "\n") {
		switch fields := strings.Fields(line); {
		case len(fields) == 0, line[0] == '#':
		case line[0] != ' ':
			t := tongue{tag: fields[0], words: map[string]bool{}}
			for _, w := range fields[1:] {
				t.words[w] = true
			}
			out = append(out, t)
		case len(out) == 0 || out[len(out)-1].notice != "":
			panic(fmt.Sprintf("foreign.txt, line %d: a notice without a language", n+1))
		default:
			out[len(out)-1].notice = strings.TrimSpace(line)
		}
	}
	return out
})

// UnknownTongue is the tag that [Foreign] gives a language of which it only knows that it
// is another one.
const UnknownTongue = "und"

// Foreign returns the tag of the language that text is written in, when it is one without
// a file of messages. It is empty for languages that have one, and for texts too short or
// too mixed to tell. Languages of other scripts than the Latin one are [UnknownTongue].
func Foreign(text string) string {
	words := foldedWords(text)
	if len(words) == 0 {
		return ""
	}
	if otherScript(text) {
		return UnknownTongue
	}
	best, most, known := "", 0, 0
	for _, t := range tongues() {
		n := t.count(words)
		switch {
		case Languages()[t.tag] != nil:
			known = max(known, n)
		case n > most:
			best, most = t.tag, n
		}
	}
	if most < known+surplus || most*clearShare < len(words) || most < fewest && len(words) > fewest {
		return ""
	}
	return best
}

// A language is recognised by at least three different closed words, or nearly all of a
// few words; by two more than any language that is understood; and by a fourth of all
// words. The bounds are chosen: names and titles in a message have fewer.
const (
	fewest     = 3
	surplus    = 2
	clearShare = 4
)

// count returns how many different words of t are among words.
func (t tongue) count(words []string) int {
	seen := map[string]bool{}
	for _, w := range words {
		if t.words[w] {
			seen[w] = true
		}
	}
	return len(seen)
}

// foldedWords returns the words of a text that have letters.
func foldedWords(text string) []string {
	var out []string
	for _, w := range language.Words(text) {
		if r := []rune(w.Text)[0]; unicode.IsLetter(r) {
			out = append(out, language.Fold(w.Text))
		}
	}
	return out
}

// otherScript reports whether most letters of a text, and at least eight, are not Latin.
func otherScript(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	return other >= 8 && other > latin
}

// NotUnderstood returns what is said to somebody who writes in a language that [Foreign]
// found: that only some are understood, in English and in theirs where foreign.txt has it.
func NotUnderstood(tag string) []string {
	var out []string
	for _, t := range tongues() {
		if t.notice != "" && (t.tag == Default || t.tag == tag) {
			out = append(out, t.notice)
		}
	}
	return out
}
