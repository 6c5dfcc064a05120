package schema

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/catalog"
)

// Bounds of a query.
const (
	maxTerms    = 16 // words; more do not make a question more precise
	shortest    = 3  // letters of the shortest prefix that is tried as an abbreviation
	maxPrefixes = 9  // prefixes of a word that are tried
)

// question is what a search looks for: one term for each word that carries meaning.
type question []term

// term is a word of a query.
type term struct {
	word     string // as it was written, in lower case
	one      string // its singular
	long     string // what it abbreviates; usually empty
	synonyms []string

	translations []string // into German or English
}

// synonyms maps words to those that warehouses use in their place, all in the singular.
var synonyms = func() map[string][]string {
	out := map[string][]string{}
	for group := range strings.SplitSeq(`customer client buyer|supplier vendor|employee staff personnel worker|invoice bill|salary pay wage payroll|purchase procurement buy|
		revenue turnover income|product article item goods material|stock inventory|shipment delivery parcel dispatch|churn attrition|user member|player gamer|
		cost expense spending|vacation holiday leave|absence leave|error crash failure|visit session|phone mobile|birthday birth dob|complaint ticket issue|
		discount rebate|refund return|lead prospect|quantity count number|machine equipment device|location place|store shop branch|subscription plan|
		repair maintenance|budget forecast plan|city town|zip postcode postal|reminder dunning|late delay overdue`, "|") {
		words := strings.Fields(group)
		for i, w := range words {
			out[w] = append(append(out[w], words[:i]...), words[i+1:]...)
		}
	}
	return out
}()

// stopWords are words that say nothing about what a table holds.
var stopWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`a about all an and any are as at be been between by can column columns contain contains contained data did do does each every field fields find
		for from get give had has have hold holding holds how i if in information into is it its keep keeps kept list me most much many my need of on or our per please
		record recorded records row rows say says show some store stored stores table tables tell than that the their them there these they this to up us was we were what when
		where which who whom whose why will with within would you your der die das des den dem ein eine und oder von mit für im in am zu welche welcher welches tabelle
		spalte wo ist sind le la les de du des un une et ou dans quelle quel el los las`) {
		out[w] = true
	}
	return out
}()

// questionOf returns the meaningful words of a query without duplicates, or all words if none is
// meaningful.
func questionOf(words string) question {
	var told, rest question
	for _, w := range wordsOf(language.Clip(clean(words), maxContent)) {
		one := catalog.Singular(w)
		t := term{w, one, abbreviations[w], synonyms[one], translated(folded(w))}
		known := func(k term) bool { return k.one == t.one }
		switch {
		case slices.ContainsFunc(told, known):
		case !stopWords[w] && (len(w) > 1 || w[0] >= '0' && w[0] <= '9'):
			told = append(told, t)
		case !slices.ContainsFunc(rest, known):
			rest = append(rest, t)
		}
	}
	if len(told) == 0 {
		told = rest
	}
	return told[:min(len(told), maxTerms)]
}

// main returns the words themselves as a tsquery, by which the database ranks what it finds. Ranking
// by all variants would take longer than finding.
func (q question) main() string {
	parts := make([]string, 0, 2*len(q))
	for _, t := range q {
		parts = append(parts, "'"+t.one+"'")
		if t.long != "" {
			parts = append(parts, "'"+t.long+"'")
		}
	}
	return strings.Join(parts, " | ")
}

// String returns q as a tsquery that matches any of the words, longer words that begin with them, and
// their abbreviations by prefix.
func (q question) String() string {
	var parts []string
	add := func(word, rest string) {
		if p := "'" + word + "'" + rest; !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	for _, t := range q {
		if len(t.word) >= shortest {
			add(t.one, ":*")
			add(t.word, "")
		} else {
			add(t.word, "")
		}
		if t.long != "" {
			add(t.long, "")
		}
		for _, k := range t.synonyms {
			add(k, "")
			add(k+"s", "")
		}
		for _, k := range t.translations {
			add(k, ":*")
		}
		runes := []rune(t.one)
		for n := shortest; n < len(runes) && n < shortest+maxPrefixes; n++ {
			add(string(runes[:n]), "")
		}
	}
	return strings.Join(parts, " | ")
}

// How well a word of a text matches a term, from 0 to 1, by the kind of match.
const (
	exactly        = 1.0
	asAbbreviation = 0.9
	asSynonym      = 0.6
	beginsLonger   = 0.5 // plus up to 0.3 for the share of the longer word that matches
	atLeast        = 0.5
)

// meets returns how well word matches t: 1 if they are equal, 0 if they have nothing in common.
func (t term) meets(word string) float64 {
	switch {
	case word == t.word || word == t.one || catalog.Singular(word) == t.one:
		return exactly
	case t.long != "" && word == t.long, abbreviations[word] != "" && (abbreviations[word] == t.one || abbreviations[word] == t.long):
		return asAbbreviation
	case len(t.one) >= shortest && strings.HasPrefix(word, t.one):
		return beginsLonger + 0.3*float64(len(t.one))/float64(len(word))
	case len(word) >= shortest && strings.HasPrefix(t.one, word):
		return beginsLonger + 0.3*float64(len(word))/float64(len(t.one))
	case len(t.synonyms) > 0 && slices.Contains(t.synonyms, catalog.Singular(word)):
		return asSynonym
	default:
		return 0
	}
}

// Meets returns how well a word of a question matches a word of a name, from 0 for nothing in
// common to 1 for equal words: a plural, an abbreviation, a synonym, or the beginning of the other
// word. Both are in lower case.
func Meets(asked, name string) float64 {
	one := catalog.Singular(asked)
	return term{word: asked, one: one, long: abbreviations[asked], synonyms: synonyms[one]}.meets(name)
}
