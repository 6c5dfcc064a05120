package eval

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"quaestor/obligations"
)

// score returns how well v matches gold, 0 to 1. For a choice, a number and a date that is
// 1 when they are equal and 0 otherwise; for several choices it is the F1 of the two sets,
// for texts the F1 of their words. F1 is the harmonic mean of precision and recall (van
// Rijsbergen 1979, Information Retrieval, chapter 7, with β = 1). A missing value scores 0.
func score(w obligations.Widget, v, gold json.RawMessage) float64 {
	switch {
	case v == nil || gold == nil:
		return 0
	case w == obligations.MultiSelect:
		return overlap(list(v), list(gold))
	case w == obligations.Text:
		return overlap(tokens(text(v)), tokens(text(gold)))
	case obligations.SameValue(v, gold):
		return 1
	}
	return 0
}

// supported reports whether v contains nothing beyond own: closed values must be equal,
// several choices must be among own's, and texts must share a word.
func supported(w obligations.Widget, v, own json.RawMessage) bool {
	if w != obligations.MultiSelect {
		return score(w, v, own) > 0
	}
	held := count(list(own))
	return !slices.ContainsFunc(list(v), func(s string) bool { return held[s] == 0 })
}

// overlap returns the F1 of two multisets. Two empty ones are equal.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		if len(a) == len(b) {
			return 1
		}
		return 0
	}
	left, shared := count(b), 0
	for _, s := range a {
		if left[s] > 0 {
			left[s]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}

// count returns how often each text occurs.
func count(list []string) map[string]int {
	out := map[string]int{}
	for _, s := range list {
		out[s]++
	}
	return out
}

// functionWords have no meaning of their own.
var functionWords = count(strings.Fields("a an the and or of to in on at for with by from is are was were be been it its that this these those i we our my me us you your they them their he she as so but not no do does did have has had will would can could about just very really"))

// tokens returns the content words of s in lower case, or all words when there are none.
func tokens(s string) []string {
	all := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	content := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return functionWords[w] > 0 })
	if len(content) == 0 {
		return all
	}
	return content
}

// list returns a JSON list of texts in lower case, and nil for anything else.
func list(v json.RawMessage) []string {
	var out []string
	if json.Unmarshal(v, &out) != nil {
		return nil
	}
	for i, s := range out {
		out[i] = strings.ToLower(s)
	}
	return out
}

// text returns a JSON text, and "" for anything else.
func text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}
