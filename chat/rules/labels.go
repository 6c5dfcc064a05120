package rules

import (
	"strings"

	"quaestor/obligations"
)

// labels are what people read of t's choices.
func labels(t *obligations.Template) []string {
	out := make([]string, len(t.Choices))
	for i, c := range t.Choices {
		out[i] = c.Label
	}
	return out
}

// set makes a set of the words in list.
func set(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}
