package language

import (
	"strings"

	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// CanonicalTag returns a BCP 47 tag in its canonical spelling, such as "de" or "pt-BR".
// It returns false for what is no tag, and for "und", which names no language.
func CanonicalTag(tag string) (string, bool) {
	t, err := bcp47.Parse(tag)
	if err != nil || t == bcp47.Und {
		return "", false
	}
	return t.String(), true
}

// Match returns the language of have that speakers of the language wanted understand: for
// "de-AT" it is "de". It returns false when there is none, or wanted is no tag.
func Match(wanted string, have []string) (string, bool) {
	t, err := bcp47.Parse(wanted)
	if err != nil {
		return "", false
	}
	return matchTags([]bcp47.Tag{t}, have)
}

// maxAccept bounds the header that [Accepted] reads. Browsers send less than 200 bytes.
const maxAccept = 1000

// Accepted returns the language of have that an Accept-Language header prefers. It returns
// false when the header names none of them, is malformed or longer than any browser sends.
func Accepted(header string, have []string) (string, bool) {
	if header == "" || len(header) > maxAccept {
		return "", false
	}
	tags, _, err := bcp47.ParseAcceptLanguage(header)
	if err != nil {
		return "", false
	}
	return matchTags(tags, have)
}

// matchTags returns the first language of have that matches a tag with high confidence: a
// guess such as Norwegian for a reader of Danish is not one.
func matchTags(wanted []bcp47.Tag, have []string) (string, bool) {
	tags := make([]bcp47.Tag, len(have))
	for i, h := range have {
		tags[i] = bcp47.Make(h)
	}
	if len(tags) == 0 || len(wanted) == 0 {
		return "", false
	}
	_, i, confidence := bcp47.NewMatcher(tags).Match(wanted...)
	return have[i], confidence >= bcp47.High
}

// EnglishName returns what a language is called in English, such as "German"; the tag
// itself where that is not known.
func EnglishName(tag string) string {
	if t, err := bcp47.Parse(tag); err == nil {
		if name := display.English.Tags().Name(t); name != "" {
			return name
		}
	}
	return tag
}

// minDetected is how many closed words a language needs to be recognised by: one may be a
// name, or stand in another language too.
const minDetected = 2

// Detect returns the language of a text by its closed words, among those of have that have
// a lexicon. Words that stand in several lexicons do not count. It returns false when there
// are too few of such words, or another language has more than half as many.
func Detect(text string, have []string) (string, bool) {
	counts := map[string]int{}
	for _, w := range Words(text) {
		if tag := onlyLexicon(Fold(w.Text)); tag != "" {
			counts[tag]++
		}
	}
	best := ""
	for tag, n := range counts {
		if best == "" || n > counts[best] {
			best = tag
		}
	}
	for tag, n := range counts {
		if tag != best && 2*n > counts[best] {
			return "", false
		}
	}
	if counts[best] < minDetected {
		return "", false
	}
	return Match(best, have)
}

// onlyLexicon returns the language of the only lexicon that has a word, and "" for figures
// and for words of several lexicons or none.
func onlyLexicon(word string) string {
	if !strings.ContainsFunc(word, isLetter) {
		return ""
	}
	found := ""
	for tag, l := range Lexicons() {
		if l.words[word] == nil {
			continue
		}
		if found != "" {
			return ""
		}
		found = tag
	}
	return found
}
