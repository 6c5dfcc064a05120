package language

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A Lexicon is the closed words of one language: those of figures, times, dates, units
// and money, yes and no. It is data, lexicon/<language>.txt; see docs/languages.md.
type Lexicon struct {
	Language string // "en", "de"
	words    map[string]map[string]string
	longest  int               // words of the longest entry
	said     map[string]string // act by phrase
	begun    map[string]string // act by what a phrase begins with that goes on freely
	spoken   map[string]bool   // the words of phrases, and what is polite around them
}

//go:embed lexicon/*.txt
var lexicons embed.FS

// Lexicons returns all lexicons, by language.
var Lexicons = sync.OnceValue(func() map[string]*Lexicon {
	out := make(map[string]*Lexicon)
	for tag, body := range DataFiles(lexicons, "lexicon", "lexicon") {
		out[tag] = parseLexicon(tag, body)
	}
	return out
})

// All returns all lexicons, in the alphabetical order of their languages.
var All = sync.OnceValue(func() []*Lexicon {
	var out []*Lexicon
	for _, tag := range Languages() {
		out = append(out, Lexicons()[tag])
	}
	return out
})

// Languages returns the languages that have a lexicon, in alphabetical order.
func Languages() []string {
	var out []string
	for tag := range Lexicons() {
		out = append(out, tag)
	}
	slices.Sort(out)
	return out
}

func parseLexicon(tag, body string) *Lexicon {
	l := &Lexicon{Language: tag, words: make(map[string]map[string]string), said: make(map[string]string), begun: make(map[string]string), spoken: make(map[string]bool)}
	for line := range strings.SplitSeq(body, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		kind := fields[0]
		if act, ok := strings.CutPrefix(kind, "say-"); ok {
			for _, f := range fields[1:] {
				for _, phrase := range expand(strings.Split(f, "_")) {
					opening, open := strings.CutSuffix(phrase, " …")
					if open {
						l.begun[opening] = act
					}
					l.said[opening] = act
				}
			}
			continue
		}
		for _, f := range fields[1:] {
			word, value, ok := strings.Cut(f, "=")
			if !ok {
				value = word
			}
			if word == "" || value == "" {
				panic(fmt.Sprintf("lexicon %s: %q", tag, f))
			}
			l.longest = max(l.longest, strings.Count(word, "_")+1)
			if l.words[word] == nil {
				l.words[word] = make(map[string]string)
			}
			l.words[word][kind] = value
		}
	}
	l.spell()
	return l
}

// Value returns what word, folded, means as one of kind.
func (l *Lexicon) Value(kind, word string) (string, bool) {
	v, ok := l.words[word][kind]
	return v, ok
}

// Has reports whether word, folded, is one of kind.
func (l *Lexicon) Has(kind, word string) bool {
	_, ok := l.words[word][kind]
	return ok
}

// IsWord reports whether word, as it is written, is one of kind in any language that has a
// lexicon.
func IsWord(kind, word string) bool {
	word = Fold(word)
	for _, l := range All() {
		if l.Has(kind, word) {
			return true
		}
	}
	return false
}

// expand returns the phrases that are made of some words, each of which may be one of several, a|b,
// or missing where it ends with a question mark.
func expand(words []string) []string {
	out := []string{""}
	for _, w := range words {
		forms, optional := strings.CutSuffix(w, "?")
		var longer []string
		for _, begun := range out {
			for form := range strings.SplitSeq(forms, "|") {
				longer = append(longer, strings.TrimSpace(begun+" "+strings.ReplaceAll(form, "+", " ")))
			}
			if optional {
				longer = append(longer, begun)
			}
		}
		out = longer
	}
	return out
}

// Said returns the act of a set phrase, folded, with single spaces; empty for none. A phrase that
// goes on freely may have as many words more as it has, and a few.
func (l *Lexicon) Said(phrase string) string {
	if act := l.said[phrase]; act != "" {
		return act
	}
	for at := range phrase {
		if phrase[at] == ' ' && strings.Count(phrase[at:], " ") <= strings.Count(phrase[:at], " ")+freely {
			if act := l.begun[phrase[:at]]; act != "" {
				return act
			}
		}
	}
	return ""
}

// freely is how many words more than it has a phrase may go on.
const freely = 4

// Fold returns word as lexicons and models write it: lower case, ae, oe, ue and ss for
// umlauts and ß, other accents dropped, one kind of apostrophe.
func Fold(word string) string {
	plain := true
	for i := range len(word) {
		if c := word[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return word
	}
	word = umlauts.Replace(strings.ToLower(norm.NFC.String(word)))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "’", "'", "‘", "'")

// longestSaid is how many words an entry that [Says] looks for has at most.
const longestSaid = 4

// Says reports whether text has a word or a phrase of kind, in any language that has a lexicon.
func Says(kind, text string) bool {
	var folded []string
	for _, w := range Words(text) {
		folded = append(folded, Fold(w.Text))
		for n := min(longestSaid, len(folded)); n > 0; n-- {
			if IsWord(kind, strings.Join(folded[len(folded)-n:], "_")) {
				return true
			}
		}
	}
	return false
}
