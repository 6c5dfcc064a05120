package packs

import (
	"encoding/json"
	"slices"

	"quaestor/research/warehouse"
)

// The envelope that Quaestor writes. Any other format is read too, as long as its
// pack has the form of ours.
const (
	Format        = "quaestor-pack"
	FormatVersion = "1"
)

// MaxBytes is the size of an envelope.
const MaxBytes = 2 << 20

// Envelope is a pack as a file holds it.
type Envelope struct {
	Format        string `json:"format"`
	FormatVersion string `json:"format_version"` // read as a number or as a text
	Pack          *Pack  `json:"pack"`
}

// Pack is what is known about a field. It is not changed once read.
type Pack struct {
	Slug        string          `json:"slug"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Version     string          `json:"version"`
	Author      string          `json:"author,omitempty"`
	SourceURL   string          `json:"source_url,omitempty"`
	Published   bool            `json:"is_published"`
	Categories  []Category      `json:"categories"`
	Prompts     Prompts         `json:"prompts"`
	Areas       Areas           `json:"analysis_areas"`
	Profile     ProfileSchemata `json:"profile_schema"`
}

// Category is a kind of business within the field.
type Category struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Prompts are the texts of a pack; those of areas are with the areas.
type Prompts struct {
	Base       BasePrompts                `json:"base"`
	Categories map[string]CategoryPrompts `json:"categories,omitempty"` // by the id of the category
}

// BasePrompts are those of every category.
type BasePrompts struct {
	Context         string `json:"base_context"` // goes before each of the others
	Exploration     string `json:"exploration"`
	Recommendations string `json:"recommendations"`
}

// CategoryPrompts are what a category adds.
type CategoryPrompts struct {
	Exploration string `json:"exploration_context"`
}

// Areas are what is worth looking into.
type Areas struct {
	Base       []warehouse.Area            `json:"base"`
	Categories map[string][]warehouse.Area `json:"categories,omitempty"`
}

// ProfileSchemata say in JSON Schema what a project of the field says about itself.
type ProfileSchemata struct {
	Base       json.RawMessage            `json:"base,omitempty"`
	Categories map[string]json.RawMessage `json:"categories,omitempty"`
}

// Version names one version of a pack.
type Version struct{ Slug, Version string }

// At returns the name of p's version.
func (p *Pack) At() Version { return Version{p.Slug, p.Version} }

func (v Version) String() string { return v.Slug + "@" + v.Version }

// HasCategory reports whether the pack has the category. Every pack has the empty
// one, which is its base.
func (p *Pack) HasCategory(id string) bool {
	return id == "" || slices.ContainsFunc(p.Categories, func(c Category) bool { return c.ID == id })
}

// Export returns the pack in its envelope, indented, the same for the same pack.
func (p *Pack) Export() ([]byte, error) {
	return json.MarshalIndent(Envelope{Format, FormatVersion, p}, "", "  ")
}
