package projects

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
)

// Facts are what a run knows in addition to its project and pack.
type Facts struct {
	Dialect            guard.Dialect
	Datasets           []string     // the schemas that are read
	Filter             guard.Filter // in force; may be empty
	Catalog            string       // the catalog as rendered for a prompt
	Previous           string       // from PreviousContext
	Areas              []string     // ids of the areas to explore; nil means all
	MaxSteps, MinSteps int
}

// NewInstructions returns the instructions of a run of p, including its complete system prompt. The error is
// Unprocessable if the pack does not have one of the areas; any other error is a fault of the
// pack.
func NewInstructions(p Project, kit *packs.Kit, f Facts) (warehouse.Instructions, error) {
	areas, err := chosen(kit, f.Areas)
	if err != nil {
		return warehouse.Instructions{}, err
	}
	areas = Steered(areas, p.ProfileText())
	v := NewValues(p, kit, f)
	v[packs.AnalysisAreas] = renderAreas(areas)
	v[packs.SchemaInfo] = f.Catalog
	system, err := kit.Exploration(v)
	if err != nil {
		return warehouse.Instructions{}, fmt.Errorf("brief of project %s: %w", p.ID, err)
	}
	return warehouse.Instructions{Dialect: f.Dialect, System: system, Areas: areas, Datasets: f.Datasets, Filter: f.Filter, Language: p.Language, Previous: f.Previous}, nil
}

// NewValues returns the values that all prompts of a run share. Values of single prompts (the
// catalog, the results of an area, the insights) are added where those are filled.
func NewValues(p Project, kit *packs.Kit, f Facts) packs.Values {
	v := packs.Limits(f.MaxSteps, f.MinSteps)
	maps.Copy(v, packs.Values{
		packs.Profile:         RenderProfile(kit.Form, p.Profile),
		packs.PreviousContext: f.Previous,
		packs.Language:        p.Language,
		packs.Dataset:         strings.Join(f.Datasets, ", "),
		packs.Dialect:         string(f.Dialect),
		packs.DialectNotes:    dialectNotes[f.Dialect],
		packs.Filter:          condition(f.Filter),
		packs.FilterContext:   filterContext(f.Filter),
		packs.FilterRule:      filterRule(f.Filter),
		packs.AnalysisAreas:   renderAreas(kit.Areas),
		packs.Ref:             onlyOne(f.Datasets),
	})
	return v
}

// chosen returns the areas with the given ids, in the order of the kit. Repeated ids count once.
// An empty list is a fault, unlike nil.
func chosen(kit *packs.Kit, ids []string) ([]warehouse.Area, error) {
	if ids == nil {
		return kit.Areas, nil
	}
	var out []warehouse.Area
	for _, a := range kit.Areas {
		if slices.Contains(ids, a.ID) {
			out = append(out, a)
		}
	}
	for _, id := range ids {
		if !slices.ContainsFunc(out, func(a warehouse.Area) bool { return a.ID == id }) {
			return nil, fault.New(fault.Unprocessable, "%s has no area %q", kit.Version, id).At("areas")
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Unprocessable, "choose at least one area").At("areas")
	}
	return out, nil
}

// renderAreas writes the areas for the exploration prompt, one paragraph each.
func renderAreas(areas []warehouse.Area) string {
	var b strings.Builder
	for i, a := range areas {
		fmt.Fprintf(&b, "%d. %s (%s): %s Words: %s.\n", i+1, a.Name, a.ID, a.Description, strings.Join(a.Keywords, ", "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// condition returns a filter as SQL, for a reader.
func condition(f guard.Filter) string {
	if f.Column == "" {
		return ""
	}
	return f.Column + " = '" + strings.ReplaceAll(f.Value, "'", "''") + "'"
}

// filterContext explains a filter to an analyst.
func filterContext(f guard.Filter) string {
	if f.Column == "" {
		return ""
	}
	return fmt.Sprintf("Tables that have the column %s, or refer to one that has, hold rows of several parties. You see those with %s only, so every total and share is one of these rows.", f.Column, condition(f))
}

// filterRule tells an author of SQL what a filter means.
func filterRule(f guard.Filter) string {
	if f.Column == "" {
		return ""
	}
	return fmt.Sprintf("The server reads every table that has the column %s, or that foreign keys tie to one that has, through %s by itself. You need not write the condition, and no statement gets round it.", f.Column, condition(f))
}

// onlyOne returns the only schema, or an empty string if there are several.
func onlyOne(schemas []string) string {
	if len(schemas) == 1 {
		return schemas[0]
	}
	return ""
}
