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

// Facts are what a run knows besides the project and its pack.
type Facts struct {
	Dialect            guard.Dialect
	Datasets           []string     // the schemas that are read
	Filter             guard.Filter // that is in force; may be empty
	Catalog            string       // as the catalog is rendered for a prompt
	Previous           string       // of PreviousContext
	Areas              []string     // ids of those that are looked into; nil for all
	MaxSteps, MinSteps int
}

// NewBrief returns what a run of p is about, its whole system prompt among it. The
// error is Unprocessable for an area that the pack does not have; any other is a
// fault of the pack.
func NewBrief(p Project, kit *packs.Kit, f Facts) (warehouse.Brief, error) {
	areas, err := chosen(kit, f.Areas)
	if err != nil {
		return warehouse.Brief{}, err
	}
	v := NewValues(p, kit, f)
	v[packs.AnalysisAreas] = renderAreas(areas)
	v[packs.SchemaInfo] = f.Catalog
	system, err := kit.Exploration(v)
	if err != nil {
		return warehouse.Brief{}, fmt.Errorf("brief of project %s: %w", p.ID, err)
	}
	return warehouse.Brief{Dialect: f.Dialect, System: system, Areas: areas, Datasets: f.Datasets, Filter: f.Filter, Language: p.Language}, nil
}

// NewValues returns the values that every prompt of a run shares. What one prompt
// has alone (the catalog, the results of an area, the insights) is added by whoever
// fills it.
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

// chosen returns the areas with the ids, in the order of the kit.
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

// renderAreas writes the areas for the exploration, a paragraph each.
func renderAreas(areas []warehouse.Area) string {
	var b strings.Builder
	for i, a := range areas {
		fmt.Fprintf(&b, "%d. %s (%s): %s Words: %s.\n", i+1, a.Name, a.ID, a.Description, strings.Join(a.Keywords, ", "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// condition writes a filter as SQL, for reading.
func condition(f guard.Filter) string {
	if f.Column == "" {
		return ""
	}
	return f.Column + " = '" + strings.ReplaceAll(f.Value, "'", "''") + "'"
}

func filterContext(f guard.Filter) string {
	if f.Column == "" {
		return ""
	}
	return fmt.Sprintf("Tables that have the column %s hold rows of several parties. You see those with %s only, so every total and share is one of these rows.", f.Column, condition(f))
}

func filterRule(f guard.Filter) string {
	if f.Column == "" {
		return ""
	}
	return fmt.Sprintf("The server reads every table that has the column %s through %s by itself. You need not write the condition, and no statement gets round it.", f.Column, condition(f))
}

// onlyOne returns the schema a bare table name is in, if there is one only.
func onlyOne(schemas []string) string {
	if len(schemas) == 1 {
		return schemas[0]
	}
	return ""
}
