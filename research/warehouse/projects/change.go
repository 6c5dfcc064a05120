package projects

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// changes names what differs between a project and its new description, for the journal.
func (d Spec) changes(next Spec) string {
	var out []string
	for _, c := range []struct {
		name    string
		changed bool
	}{
		{"the name", d.Name != next.Name}, {"the pack", d.Pack != next.Pack || d.Category != next.Category}, {"the language", d.Language != next.Language},
		{"the warehouses", !slices.Equal(d.Warehouses(), next.Warehouses())}, {"the budget", d.Budget != next.Budget}, {"the schemas", !slices.Equal(d.Datasets, next.Datasets)},
		{"the filter", d.Filter != next.Filter}, {"the profile", !sameJSON(d.Profile, next.Profile)}, {"the prompts", !maps.Equal(d.Prompts, next.Prompts)},
	} {
		if c.changed {
			out = append(out, c.name)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// sameJSON reports whether two JSON texts mean the same.
func sameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(ordered(a), ordered(b))
}

// ordered returns JSON with its keys sorted; what is not JSON stays as it is.
func ordered(raw json.RawMessage) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}
