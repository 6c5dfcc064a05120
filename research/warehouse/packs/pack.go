package packs

import (
	"encoding/json"
	"slices"

	"quaestor/research/warehouse"
)

// The format that Quaestor writes. Envelopes that name another format are accepted too, as long
// as their packs have the same structure.
const (
	Format        = "quaestor-pack"
	FormatVersion = "1"
)

// MaxBytes is the most bytes an envelope may have.
const MaxBytes = 2 << 20

// Envelope is a pack as it is stored in a file.
type Envelope struct {
	Format        string `json:"format"`
	FormatVersion string `json:"format_version"` // accepted as a number or as a text
	Pack          *Pack  `json:"pack"`
}

// Pack is the knowledge about a field. It must not be changed after it was parsed.
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

// Prompts are the texts of a pack, except those of areas.
type Prompts struct {
	Base       BasePrompts                `json:"base"`
	Categories map[string]CategoryPrompts `json:"categories,omitempty"` // by category id
}

// BasePrompts are the texts that all categories share.
type BasePrompts struct {
	Context         string `json:"base_context"` // precedes each of the others
	Exploration     string `json:"exploration"`
	Recommendations string `json:"recommendations"`
}

// CategoryPrompts are the texts that a category adds.
type CategoryPrompts struct {
	Exploration string `json:"exploration_context"`
}

// Areas are the areas worth exploring.
type Areas struct {
	Base       []warehouse.Area            `json:"base"`
	Categories map[string][]warehouse.Area `json:"categories,omitempty"`
}

// ProfileSchemata are JSON Schemas of what a project in the field states about itself.
type ProfileSchemata struct {
	Base       json.RawMessage            `json:"base,omitempty"`
	Categories map[string]json.RawMessage `json:"categories,omitempty"`
}

// Version names one version of a pack.
type Version struct{ Slug, Version string }

// At returns the version of p.
func (p *Pack) At() Version { return Version{p.Slug, p.Version} }

// String returns slug@version, as the API and the pages write it.
func (v Version) String() string { return v.Slug + "@" + v.Version }

// HasCategory reports whether the pack has the category. Every pack has the empty category, its
// base.
func (p *Pack) HasCategory(id string) bool {
	return id == "" || slices.ContainsFunc(p.Categories, func(c Category) bool { return c.ID == id })
}

// Export returns the pack in its envelope as indented JSON. Equal packs give equal bytes.
func (p *Pack) Export() ([]byte, error) {
	return json.MarshalIndent(Envelope{Format, FormatVersion, p}, "", "  ")
}
