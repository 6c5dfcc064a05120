package packdrafts

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/research/claims"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/packs"
)

// The keys of the sections that every draft has; those of areas are from [areaKey].
const (
	About           = "about"
	Context         = "context"
	Exploration     = "exploration"
	Recommendations = "recommendations"
	Profile         = "profile"
)

const areaPrefix = "area."

// areaKey returns the key of an area's section.
func areaKey(id string) string { return areaPrefix + id }

// areaID returns the id of the area that a section is about; false if it is about none.
func areaID(key string) (string, bool) { return strings.CutPrefix(key, areaPrefix) }

// Content is what a section says. Which of the fields it has depends on the section: about has Name
// and Description, an area these with Keywords and Text, the profile Fields, the others Text.
type Content struct {
	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	Text        string   `json:"text,omitempty"` // markdown; of an area, what to ask of the results
	Keywords    []string `json:"keywords,omitempty"`
	Fields      []Field  `json:"fields,omitempty"`
}

// Field is a question of the profile.
type Field struct {
	Name  string `json:"name"`  // small letters, digits and _
	Title string `json:"title"` // the question
	List  bool   `json:"list,omitempty"`
}

// Bounds of sections, in characters.
const (
	maxText        = 8000
	maxTitle       = 200
	maxDescription = 600
	maxNameBytes   = 200 // of a name in a pack
	minKeywords    = 8
	maxKeywords    = 40
	maxFields      = 20
)

var (
	fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	address   = regexp.MustCompile(`(?i)https?://|www\.|\b[\w.+-]+@[\w-]+\.\w`)
)

// Faults returns everything that keeps a section from being accepted, with the field and what would
// be right; nil if there is nothing.
func (c Content) Faults(key string) []packs.Fault {
	f := &faults{}
	_, isArea := areaID(key)
	if key == About || isArea {
		f.text("name", c.Name, maxTitle)
		if len(c.Name) > maxNameBytes && utf8.RuneCountInString(c.Name) <= maxTitle {
			f.add("name", "has %d bytes; shorten it to %d", len(c.Name), maxNameBytes)
		}
		f.text("description", c.Description, maxDescription)
	}
	switch {
	case key == Profile:
		f.fields(c.Fields)
	case key != About:
		f.text("text", c.Text, maxText)
	}
	if isArea {
		f.keywords(c.Keywords)
	}
	return f.list
}

// faults collects the faults of a section.
type faults struct{ list []packs.Fault }

func (f *faults) add(path, format string, args ...any) {
	f.list = append(f.list, packs.Fault{Path: path, Message: fmt.Sprintf(format, args...)})
}

// text checks a text that goes into prompts.
func (f *faults) text(path, text string, most int) {
	switch n := utf8.RuneCountInString(strings.TrimSpace(text)); {
	case n == 0:
		f.add(path, "is empty; write 1 to %d characters", most)
	case n > most:
		f.add(path, "has %d characters; shorten it to %d", n, most)
	}
	if strings.ContainsRune(text, 0) {
		f.add(path, "holds a NUL character; leave it out")
	}
	f.list = append(f.list, packs.TextFaults(path, text)...)
	for line := range strings.Lines(text) {
		if claims.Hostile(line) {
			f.add(path, "holds a sentence that gives orders to a machine (“%s”); leave it out", clipped(line))
			break
		}
	}
	if at := address.FindString(text); at != "" {
		f.add(path, "holds an address (%s…); a prompt needs none, leave it out", at)
	}
}

// keywords checks the words of an area.
func (f *faults) keywords(list []string) {
	n := len(distinct(list))
	if n < minKeywords || n > maxKeywords {
		f.add("keywords", "must be %d to %d different words, there are %d; add words of tables and columns that the area is about", minKeywords, maxKeywords, n)
	}
	for _, w := range list {
		if utf8.RuneCountInString(w) > 60 || address.MatchString(w) || strings.Contains(w, "{{") {
			f.add("keywords", "“%s” is no word; write one to three words", clipped(w))
		}
	}
}

// fields checks the questions of a profile.
func (f *faults) fields(list []Field) {
	if len(list) > maxFields {
		f.add("fields", "are %d questions; keep %d", len(list), maxFields)
	}
	seen := map[string]bool{}
	for i, one := range list {
		path := fmt.Sprintf("fields[%d]", i)
		switch {
		case !fieldName.MatchString(one.Name):
			f.add(path+".name", "“%s” must be small letters, digits and _, such as main_product", clipped(one.Name))
		case seen[one.Name]:
			f.add(path+".name", "“%s” stands twice; give it another name", one.Name)
		}
		seen[one.Name] = true
		f.text(path+".title", one.Title, maxTitle)
	}
}

// clipped returns the beginning of a text on one line.
func clipped(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	return string(r[:min(len(r), 60)])
}

// distinct returns words without duplicates and spaces around them, in small letters.
func distinct(list []string) []string {
	var out []string
	for _, w := range list {
		if w = strings.ToLower(strings.Join(strings.Fields(w), " ")); w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Title returns what the section is called on pages.
func (s Section) Title() string {
	switch s.Key {
	case About:
		return "What the pack is"
	case Context:
		return "The field"
	case Exploration:
		return "Where to look"
	case Recommendations:
		return "Good advice"
	case Profile:
		return "Questions about the data"
	}
	if s.Content.Name != "" {
		return "Area: " + s.Content.Name
	}
	id, _ := areaID(s.Key)
	return "Area: " + id
}

// Compose returns the pack that a draft's sections amount to, as a version.
func Compose(d Draft, version string) *packs.Pack {
	o := packs.Outline{Slug: d.Slug, Name: d.Name, Version: version, Author: d.CreatedBy}
	for _, s := range d.Sections {
		c := s.Content
		switch s.Key {
		case About:
			o.Name, o.Description = c.Name, c.Description
		case Context:
			o.Context = c.Text
		case Exploration:
			o.Exploration = c.Text
		case Recommendations:
			o.Recommendations = c.Text
		case Profile:
			o.Profile = schemaOf(c.Fields)
		}
		if id, ok := areaID(s.Key); ok {
			o.Areas = append(o.Areas, warehouse.Area{ID: id, Name: c.Name, Description: c.Description, Keywords: distinct(c.Keywords), Priority: len(o.Areas) + 1, Prompt: c.Text})
		}
	}
	return packs.Compose(o)
}

// schemaOf returns the questions of a profile as a JSON Schema.
func schemaOf(list []Field) json.RawMessage {
	properties := map[string]any{}
	for _, f := range list {
		one := map[string]any{"type": "string", "title": f.Title, "maxLength": 1000}
		if f.List {
			one = map[string]any{"type": "array", "title": f.Title, "maxItems": 50, "items": map[string]any{"type": "string", "maxLength": 200}}
		}
		properties[f.Name] = one
	}
	out, _ := json.Marshal(map[string]any{"type": "object", "additionalProperties": false, "properties": properties}) // maps of texts always marshal
	return out
}
