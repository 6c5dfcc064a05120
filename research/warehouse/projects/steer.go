package projects

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// Steered returns the areas in the order in which a profile makes them worth exploring: those whose
// words the profile has come first, the more of them the earlier, and the pack's own order decides
// between equals. Priorities are numbered anew, since analysts divide their steps by them. profile is
// the text of [RenderProfile]; an empty one changes nothing.
func Steered(areas []warehouse.Area, profile string) []warehouse.Area {
	said := wordsOf(profile)
	if len(said) == 0 {
		return areas
	}
	met := make(map[string]int, len(areas))
	for _, a := range areas {
		met[a.ID] = mentions(a, said)
	}
	out := slices.Clone(areas)
	slices.SortStableFunc(out, func(a, b warehouse.Area) int {
		return cmp.Or(cmp.Compare(met[b.ID], met[a.ID]), cmp.Compare(a.Priority, b.Priority))
	})
	if slices.EqualFunc(out, areas, func(a, b warehouse.Area) bool { return a.ID == b.ID }) {
		return areas
	}
	for i := range out {
		out[i].Priority = i + 1
	}
	return out
}

// mentions counts the keywords of an area that a profile has, all words of each.
func mentions(a warehouse.Area, said map[string]bool) int {
	n := 0
	for _, keyword := range append([]string{a.Name}, a.Keywords...) {
		words := wordsOf(keyword)
		all := len(words) > 0
		for w := range words {
			all = all && said[w]
		}
		if all {
			n++
		}
	}
	return n
}

// wordsOf returns the words of a text in lower case, in the singular.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 {
			out[catalog.Singular(w)] = true
		}
	}
	return out
}

// ProfileText returns the values of a profile without the titles of their fields, which would steer
// whatever is answered.
func (d Spec) ProfileText() string { return RenderProfile(nil, d.Profile) }
