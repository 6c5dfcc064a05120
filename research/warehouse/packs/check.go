package packs

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quaestor/research/warehouse"
)

// What a pack must have. An area needs several keywords because steps are matched to it by them.
const (
	minAreas    = 3 // of every category
	minKeywords = 8 // of an area
	maxSlug     = 80
	maxName     = 200
)

// slug matches ids: lower-case words, joined by - or _.
var slug = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

// actions are what the exploration prompt must explain, as they are written in replies.
var actions = []string{`"query"`, `"lookup_schema"`, `"search_tables"`, `"done"`}

// Faults returns everything that keeps p from being used, in the order of its parts; nil if it
// may be used.
func (p *Pack) Faults() []Fault {
	c := &checker{}
	c.names(p)
	c.prompts(p)
	c.areas(p)
	c.profiles(p)
	return c.faults
}

// checker collects the faults of a pack.
type checker struct{ faults []Fault }

// fault records a fault at a path within the pack.
func (c *checker) fault(path, format string, args ...any) {
	c.faults = append(c.faults, Fault{within("pack", path), fmt.Sprintf(format, args...)})
}

// slug checks an identifier.
func (c *checker) slug(path, id string) {
	if !slug.MatchString(id) || len(id) > maxSlug {
		c.fault(path, "must be small letters and digits with - or _ between them, at most %d", maxSlug)
	}
}

// needed checks a required short text.
func (c *checker) needed(path, text string) {
	if n := len(strings.TrimSpace(text)); n == 0 || n > maxName {
		c.fault(path, "must have 1 to %d bytes", maxName)
	}
}

// names checks the names of the pack and of its categories.
func (c *checker) names(p *Pack) {
	c.slug("slug", p.Slug)
	c.needed("name", p.Name)
	if n := len(p.Version); n < 1 || n > 40 || strings.ContainsAny(p.Version, "@ \t\n") {
		c.fault("version", "must have 1 to 40 characters without spaces or @")
	}
	seen := map[string]bool{}
	for i, one := range p.Categories {
		path := item("categories", i)
		c.slug(within(path, "id"), one.ID)
		c.needed(within(path, "name"), one.Name)
		if seen[one.ID] {
			c.fault(within(path, "id"), "stands twice: %s", one.ID)
		}
		seen[one.ID] = true
	}
	for _, id := range slices.Concat(slices.Sorted(maps.Keys(p.Prompts.Categories)), slices.Sorted(maps.Keys(p.Areas.Categories)), slices.Sorted(maps.Keys(p.Profile.Categories))) {
		if !seen[id] {
			c.fault("categories", "has no %q, which prompts, areas or profiles are for", id)
			seen[id] = true
		}
	}
}

// prompts checks the prompts of the pack; those of areas are checked with the areas.
func (c *checker) prompts(p *Pack) {
	base := p.Prompts.Base
	c.prompt("prompts.base.base_context", base.Context, basePrompt)
	c.prompt("prompts.base.exploration", base.Exploration, explorationPrompt)
	c.exploration("prompts.base.exploration", base.Exploration)
	c.prompt("prompts.base.recommendations", base.Recommendations, recommendationsPrompt, InsightsData)
	for _, id := range slices.Sorted(maps.Keys(p.Prompts.Categories)) {
		c.prompt(within("prompts.categories", id)+".exploration_context", p.Prompts.Categories[id].Exploration, categoryPrompt)
	}
}

// prompt checks that a text is a template of its kind and uses the placeholders in must.
func (c *checker) prompt(path, text string, kind promptKind, must ...string) {
	if strings.TrimSpace(text) == "" {
		c.fault(path, "is missing")
		return
	}
	t, err := NewTemplate(text, kind.placeholders())
	if err != nil {
		c.fault(path, "%s", err)
		return
	}
	for _, name := range must {
		if !t.Uses(name) {
			c.fault(path, "must hold {{%s}}", name)
		}
	}
}

// exploration checks that the prompt mentions every action and every bound. The bounds must be
// placeholders, so that they are those of the code.
func (c *checker) exploration(path, text string) {
	for _, a := range actions {
		if !strings.Contains(text, a) {
			c.fault(path, "must tell of the action %s", a)
		}
	}
	for _, name := range append([]string{SchemaInfo}, limitNames...) {
		if !strings.Contains(text, "{{"+name+"}}") {
			c.fault(path, "must hold {{%s}}", name)
		}
	}
}

// areas checks the areas of the base and of all categories, and that there are enough of them.
func (c *checker) areas(p *Pack) {
	seen := map[string]bool{}
	c.areaList("analysis_areas.base", p.Areas.Base, seen)
	for _, id := range slices.Sorted(maps.Keys(p.Areas.Categories)) {
		own := maps.Clone(seen) // different categories may have areas with the same id
		c.areaList(within("analysis_areas.categories", id), p.Areas.Categories[id], own)
	}
	categories := []Category{{}}
	categories = append(categories, p.Categories...)
	for _, one := range categories {
		n := len(p.Areas.Base) + len(p.Areas.Categories[one.ID])
		if one.ID == "" {
			n = len(p.Areas.Base)
		}
		if n < minAreas {
			c.fault("analysis_areas", "category %q has %d areas, want at least %d", one.ID, n, minAreas)
		}
	}
}

// areaList checks areas; seen collects their ids, which must be unique in the pack.
func (c *checker) areaList(path string, list []warehouse.Area, seen map[string]bool) {
	for i, a := range list {
		path := item(path, i)
		c.slug(within(path, "id"), a.ID)
		c.needed(within(path, "name"), a.Name)
		if seen[a.ID] {
			c.fault(within(path, "id"), "stands twice: %s", a.ID)
		}
		seen[a.ID] = true
		if n := distinct(a.Keywords); n < minKeywords {
			c.fault(within(path, "keywords"), "must be at least %d different words, there are %d", minKeywords, n)
		}
		c.prompt(within(path, "prompt"), a.Prompt, areaPrompt, QueryResults)
	}
}

// distinct counts the distinct words in a list.
func distinct(list []string) int {
	seen := map[string]bool{}
	for _, s := range list {
		if s = strings.ToLower(strings.TrimSpace(s)); s != "" {
			seen[s] = true
		}
	}
	return len(seen)
}

// profiles checks the profile schemas and that each category's fits the base.
func (c *checker) profiles(p *Pack) {
	c.schema("profile_schema.base", p.Profile.Base)
	for _, id := range slices.Sorted(maps.Keys(p.Profile.Categories)) {
		path := within("profile_schema.categories", id)
		c.schema(path, p.Profile.Categories[id])
		if _, err := newForm(p.Profile.Base, p.Profile.Categories[id]); err != nil {
			c.fault(path, "does not go with the base: %s", err)
		}
	}
}

// schema checks that a profile's JSON Schema compiles. It may be absent.
func (c *checker) schema(path string, raw []byte) {
	if len(raw) == 0 {
		return
	}
	if _, err := compile(raw); err != nil {
		c.fault(path, "is not a JSON Schema: %s", err)
	}
}
