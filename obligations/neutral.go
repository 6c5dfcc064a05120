package obligations

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a label made of keywords: short words say little, and more than three are a
// sentence.
const (
	minKeyword  = 4 // characters
	maxKeywords = 3
)

// NeutralLabel proposes a label for t, an emergent question, from the words that an
// objective uses itself: the name of its category of that topic, or else the keywords of
// the topic that stand in labels and categories of own. Other words, figures, addresses
// and names are left to a reviewer, since nobody else may read what one person said; the
// label is empty when nothing remains.
func NeutralLabel(t *Template, own []Template) string {
	vocabulary := map[string]string{} // as the objective writes each word
	for i := range own {
		if t.Category != emergentCategory && t.Category != "" && strings.EqualFold(own[i].Category, t.Category) {
			return own[i].Category
		}
		for _, word := range strings.FieldsFunc(own[i].Label+" "+own[i].Category, notLetter) {
			vocabulary[strings.ToLower(word)] = word
		}
	}
	var keywords []string
	for _, word := range wordsIn(t.Label) {
		own, known := vocabulary[word]
		if !known || utf8.RuneCountInString(word) < minKeyword {
			continue
		}
		delete(vocabulary, word) // each once
		if keywords = append(keywords, own); len(keywords) == maxKeywords {
			break
		}
	}
	return strings.Join(keywords, ", ")
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
