package rules

import (
	"slices"

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

func labelsOf(t *obligations.Template, hits []hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, t.Choices[h.choice].Label)
	}
	return out
}

// otherLabels are the labels that none of hits names.
func otherLabels(t *obligations.Template, hits []hit) []string {
	var out []string
	for i, c := range t.Choices {
		if !slices.ContainsFunc(hits, func(h hit) bool { return h.choice == i }) {
			out = append(out, c.Label)
		}
	}
	return out
}
