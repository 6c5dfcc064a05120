package data

import (
	"slices"
	"strconv"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/projects"
	"quaestor/web"
	"quaestor/web/ui"
)

// ProjectView is what [Project] shows: an existing project, or a new one, whose ID is
// empty.
type ProjectView struct {
	Nav     ui.Nav
	Notice  string // what the last form did; may be empty
	Failure string // why the last form failed; may be empty
	Form    ui.FormView

	projects.Project
	PlanView
	Warehouses []ui.Choice // values are ids
	RunHouses  []ui.Choice // those that a run may explore; the value of the default one is empty
	Packs      []PackGroup
	PackChoice string // of Packs
	PackName   string // with the category
	PackText   string // what the pack is for
	Fields     []ProfileField
	Areas      []warehouse.Area // that the pack looks into
	Runs       []RunCard        // latest first
	MoreRuns   bool             // there are more than Runs
	Request    string           // id of the next order, which makes sending it twice safe
}

// PackGroup is a pack with the choices of its base and its categories. Their values
// are slug/category.
type PackGroup struct {
	Name    string
	Choices []ui.Choice
}

// ProfileField is one thing that a project tells about itself, as a field of a form.
type ProfileField struct {
	Name    string // in the profile
	Label   string
	Kind    FieldKind
	Choices []ui.Choice
	Value   string   // as it is typed
	Chosen  []string // of a TicksField
	Longest int      // characters; 0 if the pack sets no limit
}

// FieldKind is how a field is filled in.
type FieldKind string

// The kinds of fields.
const (
	TextField   FieldKind = "text"
	LongField   FieldKind = "long"   // text of several lines
	NumberField FieldKind = "number" // a decimal
	PickField   FieldKind = "pick"   // one of its choices, or none
	TicksField  FieldKind = "ticks"  // any of its choices
	ListField   FieldKind = "list"   // texts, one on each line
	JSONField   FieldKind = "json"   // anything else
)

// fields returns the fields that are typed as JSON, or all others. The form keeps
// them apart, because few people can fill in JSON.
func (v ProjectView) fields(asJSON bool) []ProfileField {
	return slices.DeleteFunc(slices.Clone(v.Fields), func(f ProfileField) bool { return (f.Kind == JSONField) != asJSON })
}

// hasFault reports whether one of the fields was refused.
func (v ProjectView) hasFault(list []ProfileField) bool {
	return slices.ContainsFunc(list, func(f ProfileField) bool { return v.Form.Fault("project", f.key()) != "" })
}

// key is the name of the field in the form.
func (f ProfileField) key() string { return "profile." + f.Name }

// hint tells how the field is filled in; empty where its label is enough.
func (f ProfileField) hint() string {
	switch f.Kind {
	case ListField:
		return "One on each line."
	case JSONField:
		return "As JSON."
	case TextField, LongField, NumberField, PickField, TicksField:
	}
	return ""
}

// placeholder is an example of the JSON that the field takes; empty for other kinds.
// The fields of the built-in packs that are typed as JSON are metrics and columns.
func (f ProfileField) placeholder() string {
	switch {
	case f.Kind != JSONField:
		return ""
	case strings.Contains(f.Name, "metrics"):
		return `[{"name": "Average delay", "target": "under 10 minutes"}]`
	}
	return `{"dep_ts": "scheduled departure"}`
}

// rows is the height of the field's box in lines.
func (f ProfileField) rows() string {
	if f.Kind == ListField {
		return "3"
	}
	return "2"
}

// longest is the limit of the field's text in characters. Where the pack sets none,
// 4,000 leave room for a list; a whole profile may have 64 KB.
func (f ProfileField) longest() string {
	if f.Longest == 0 {
		return "4000"
	}
	return strconv.Itoa(f.Longest)
}

// title is the heading of the page.
func (v ProjectView) title() string {
	if v.ID == "" {
		return "New project"
	}
	return v.Name
}

// action is the address that the form is sent to.
func (v ProjectView) action() string { return strings.TrimSuffix(projectPath(v.ID), "/") }

// here is the address of the page that shows the form.
func (v ProjectView) here() string {
	if v.ID == "" {
		return projectPath("new")
	}
	return v.action()
}

// isTicked reports whether a choice of a TicksField is selected.
func (v ProjectView) isTicked(f ProfileField, choice string) bool {
	if v.Form.Name == "project" {
		return slices.Contains(v.Form.Values[f.key()], choice)
	}
	return slices.Contains(f.Chosen, choice)
}

// isWanted reports whether an area is ticked in the form of a run. All are at first.
func (v ProjectView) isWanted(id string) bool {
	return v.Form.Name != "run" || slices.Contains(v.Form.Values["areas"], id)
}

// isOther reports whether a warehouse is ticked among the further ones.
func (v ProjectView) isOther(id string) bool {
	if v.Form.Name == "project" {
		return slices.Contains(v.Form.Values["others"], id)
	}
	return slices.Contains(v.Others, id)
}

// limitText writes a limit of the budget for its field; empty for none.
func limitText(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// hasLimits reports whether the budget is shown at once.
func (v ProjectView) hasLimits() bool {
	for _, field := range []string{"budget.usd", "budget.tokens", "budget.bytes", "budget.time"} {
		if v.Form.Fault("project", field) != "" {
			return true
		}
	}
	return v.Budget != (warehouse.Budget{})
}

// order lists the fields of the form as they are shown, to find the first at fault.
func (v ProjectView) order() []string {
	return append([]string{"name", "warehouse", "pack", "datasets", "filter.column", "filter.value", "language"}, web.Map(v.Fields, ProfileField.key)...)
}

// efforts are the offered numbers of steps. The largest is what an order has that
// names none, [runs.DefaultMaxSteps]; the API takes any number up to 1,000.
func efforts() []ui.Choice {
	return []ui.Choice{{Value: "20", Name: "A first look: 20 steps"}, {Value: "40", Name: "A good look: 40 steps"}, {Value: "60", Name: "Thorough: 60 steps"},
		{Value: "80", Name: "Very thorough: 80 steps"}, {Value: "100", Name: "All there is: 100 steps"}}
}
