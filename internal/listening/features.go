package listening

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
)

// The model's inputs for a word.
const (
	buckets   = 1 << 15 // of words and parts of words
	maxHashes = 24      // of one word
	shapes    = 32      // numbers of shapeOf, some unused
	flagCount = 24      // yes-or-no inputs
)

// token is a word with the model's inputs.
type token struct {
	language.Word

	folded string
	hashes []uint16 // buckets of the word and its parts
	shape  uint8
	flags  [flagCount]bool
}

// flagKinds are the kinds of closed words that are inputs, in any language we have.
var flagKinds = []string{"digit", "tens", "scale", "collective", "half", "ordinal", "month", "weekday", "season", "relative", "hourmark", "daypart", "period", "currency", "unit", "percent", "about", "yes", "no"}

// The flags after those of flagKinds.
const (
	flagSpaced = 19 + iota
	flagFirst
	flagLast
	flagNewSentence
	flagAsked // the word, or one that begins alike, stands in the question
)

// tokenize cuts text and works out the inputs of its words, given the stems of the
// question.
func tokenize(text string, asked map[string]bool) []token {
	words := language.Words(text)
	out := make([]token, len(words))
	for i, w := range words {
		t := token{Word: w, folded: language.Fold(w.Text), shape: shapeOf(w.Text)}
		t.hashes = hashesOf(t.folded)
		for k, kind := range flagKinds {
			for _, l := range language.All() {
				t.flags[k] = t.flags[k] || l.Has(kind, t.folded)
			}
		}
		t.flags[flagSpaced] = w.Spaced
		t.flags[flagFirst], t.flags[flagLast] = i == 0, i == len(words)-1
		t.flags[flagNewSentence] = i > 0 && strings.ContainsAny(words[i-1].Text, ".!?\n")
		t.flags[flagAsked] = asked[stem(t.folded)]
		out[i] = t
	}
	return out
}

// stems returns the stems of a question's words of some length.
func stems(question string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range language.Words(question) {
		if s := stem(language.Fold(w.Text)); utf8.RuneCountInString(s) > 3 {
			out[s] = true
		}
	}
	return out
}

// stem returns the first five letters of a folded word, which is what most forms of a
// word share in the languages we have.
func stem(folded string) string { return language.Head(folded, 5) }

// hashesOf returns the buckets of a folded word: of itself and of its runs of three and
// four characters, digits taken as one.
func hashesOf(folded string) []uint16 {
	out := []uint16{bucket("=" + folded)}
	runes := []rune("<" + digits.Replace(folded) + ">")
	for _, n := range []int{3, 4} {
		for i := 0; i+n <= len(runes) && len(out) < maxHashes; i++ {
			out = append(out, bucket(string(runes[i:i+n])))
		}
	}
	return out
}

var digits = strings.NewReplacer("1", "0", "2", "0", "3", "0", "4", "0", "5", "0", "6", "0", "7", "0", "8", "0", "9", "0")

func bucket(s string) uint16 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	return uint16(h.Sum32() % buckets)
}

// shapeOf returns what kind of word it is: letters by case, figures by length and
// marks, and each common mark by itself.
func shapeOf(word string) uint8 {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case strings.Contains(word, "@") && len(word) > 2:
		return 1
	case strings.Contains(word, "://") || strings.HasPrefix(strings.ToLower(word), "www."):
		return 2
	case unicode.IsLetter(first):
		return letterShape(word, first)
	case unicode.IsDigit(first):
		return figureShape(word)
	}
	if at := strings.IndexRune(`.,?!:;-–()"'/&%€$£+…`, first); at >= 0 {
		return 12 + uint8(utf8.RuneCountInString(`.,?!:;-–()"'/&%€$£+…`[:at]))%20
	}
	return 11
}

func letterShape(word string, first rune) uint8 {
	upper := strings.ToUpper(word) == word
	switch {
	case upper && utf8.RuneCountInString(word) == 1:
		return 3
	case upper:
		return 4
	case unicode.IsUpper(first):
		return 5
	case strings.ToLower(word) == word:
		return 6
	}
	return 7
}

func figureShape(word string) uint8 {
	switch {
	case strings.ContainsAny(word, ".,:'’"):
		return 8
	case len(word) <= 2:
		return 9
	case len(word) == 4:
		return 0
	}
	return 10
}
