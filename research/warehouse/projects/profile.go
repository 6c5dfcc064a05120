package projects

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/packs"
)

// maxValue is how many characters of a value in a profile are shown.
const maxValue = 1000

// RenderProfile writes a project's profile with one line for each field, under the titles that the
// form gives them. Empty fields are left out, and no value can start a line of its own. An empty
// profile gives an empty text.
func RenderProfile(form *packs.ProfileForm, profile json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(profile, &fields) != nil { // it was validated when it was stored
		return ""
	}
	titles := titlesOf(form)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text := plain(fields[name])
		if text == "" {
			continue
		}
		title := titles[name]
		if title == "" {
			title = name
		}
		fmt.Fprintf(&b, "- %s: %s\n", title, text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// titlesOf returns the titles of the form's fields.
func titlesOf(form *packs.ProfileForm) map[string]string {
	var schema struct {
		Properties map[string]struct {
			Title string `json:"title"`
		} `json:"properties"`
	}
	out := map[string]string{}
	if form == nil || json.Unmarshal(form.Schema(), &schema) != nil {
		return out
	}
	for name, p := range schema.Properties {
		out[name] = p.Title
	}
	return out
}

// plain writes a value on one line.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return language.Clip(language.OneLine(v), maxValue)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		return joined(v)
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if text := plain(v[name]); text != "" {
				parts = append(parts, language.OneLine(name)+" = "+text)
			}
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// joined phrases a list, leaving out empty values.
func joined(list []any) string {
	var parts []string
	for _, one := range list {
		if text := plain(one); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}
