package inquiry

import (
	"slices"
	"strings"

	"quaestor/internal/language"
)

// Named returns the one of some names of warehouses that stands in a text as words of their own: the longest, if
// several do. It is empty for none.
func Named(text string, names []string) string {
	words, best := wordsOf(text), ""
	for _, name := range names {
		if n := wordsOf(name); len(n) > 0 && holds(words, n) && len(name) > len(best) {
			best = name
		}
	}
	return best
}

// Chosen returns the one of some names of warehouses that somebody picks out of those that a text offers: by its name,
// by a word that no other of them has, or by its place in the text. It is empty for what picks none, or says more.
func Chosen(said, offer string, names []string) string {
	var list []string // in the order of the offer
	for _, name := range names {
		if strings.Contains(offer, name) {
			list = append(list, name)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return strings.Index(offer, a) - strings.Index(offer, b) })
	words := slices.DeleteFunc(wordsOf(said), func(w string) bool { return beside[w] })
	if len(list) < 2 || len(words) == 0 {
		return ""
	}
	if name := Named(said, list); name != "" {
		if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(wordsOf(name), w) }) {
			return ""
		}
		return name
	}
	if len(words) == 1 && places[words[0]] > 0 && places[words[0]] <= len(list) {
		return list[places[words[0]]-1]
	}
	fits := slices.DeleteFunc(slices.Clone(list), func(name string) bool {
		of := wordsOf(name)
		return slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(of, w) })
	})
	if len(fits) != 1 {
		return ""
	}
	return fits[0]
}

// beside are words that pick none of several things, but may stand beside the one that does; places are those that
// count them.
var (
	beside = setOf("in into from the a an our my your of at i mean meant it is please look there use take ask one warehouse database data dwh db yes ok okay no well then im in der die das dem den bitte nimm aus unser unsere unserer unserem ich meine ja also und and")
	places = map[string]int{"first": 1, "former": 1, "erste": 1, "ersten": 1, "erstes": 1, "second": 2, "latter": 2, "zweite": 2, "zweiten": 2, "zweites": 2}
)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// wordsOf returns the words of a text, folded, without marks.
func wordsOf(text string) []string {
	var out []string
	for _, w := range language.Words(text) {
		if f := language.Fold(w.Text); strings.Trim(f, ".,;:!?\"'“”„«»()-–—") != "" {
			out = append(out, f)
		}
	}
	return out
}

// holds reports whether words contain a run of others.
func holds(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
