package data

import (
	"slices"
	"strconv"
	"strings"

	"quaestor/web/ui"
)

// ProjectView is what [Project] shows: a new project, or one there is.
type ProjectView struct {
	Nav     ui.Nav
	Notice  string // what was just done; empty for nothing
	Failure string // why it could not be done
	Form    ui.FormView

	ID          string // empty for a new one
	Version     int
	Name        string
	Language    string
	Warehouse   string // id
	Warehouses  []PickLine
	Packs       []PackLine
	Pack        string // slug/category
	PackVersion string // that it is on; empty for the newest
	PackName    string
	PackSays    string
	Datasets    []string
	Filter      [2]string // column and value
	Fields      []ProfileField
	Areas       []AreaLine
	Runs        []RunCard
	MoreRuns    bool
	MayNotRun   string // why it cannot be explored now; empty when it can
	Request     string // the id of the next order, which makes sending it twice safe
}

// PickLine is something to choose.
type PickLine struct{ Value, Name string }

// PackLine is a pack with its categories, to choose from.
type PackLine struct {
	Name, Says string
	Choices    []PickLine // values are slug/category
}

// AreaLine is something worth looking into.
type AreaLine struct{ ID, Name, Says string }

// ProfileField is one thing that a project says about itself.
type ProfileField struct {
	Name    string // as the profile has it
	Label   string
	Kind    FieldKind
	Choices []PickLine
	Value   string   // as it is typed
	Chosen  []string // of a list of choices
	Longest int      // characters; 0 when nobody says
}

// FieldKind is how a field is filled in.
type FieldKind string

// The kinds.
const (
	TextField   FieldKind = "text"
	LongField   FieldKind = "long"   // text of several lines
	NumberField FieldKind = "number" // a decimal
	PickField   FieldKind = "pick"   // one of its choices, or none
	TicksField  FieldKind = "ticks"  // any of its choices
	ListField   FieldKind = "list"   // texts, a line each
	JSONField   FieldKind = "json"   // whatever else
)

// plainFields are those anybody can fill in.
func (v ProjectView) plainFields() []ProfileField {
	return slices.DeleteFunc(slices.Clone(v.Fields), ProfileField.coded)
}

// codedFields are those that are typed as JSON: out of the way of people who do not.
func (v ProjectView) codedFields() []ProfileField {
	return slices.DeleteFunc(slices.Clone(v.Fields), func(f ProfileField) bool { return !f.coded() })
}

// wrongAmong reports whether one of the fields was refused.
func (v ProjectView) wrongAmong(list []ProfileField) bool {
	return slices.ContainsFunc(list, func(f ProfileField) bool { return v.Form.Fault("project", f.key()) != "" })
}

// coded reports whether the field is typed as JSON.
func (f ProfileField) coded() bool { return f.Kind == JSONField }

// key is the name of the field in the form.
func (f ProfileField) key() string { return "profile." + f.Name }

// hint says how it is filled in.
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

// holder is shown while the field is empty.
func (f ProfileField) holder() string {
	if f.coded() {
		return f.example()
	}
	return ""
}

// example is a value of its shape.
func (f ProfileField) example() string {
	if strings.Contains(f.Name, "metrics") {
		return `[{"name": "Average delay", "target": "under 10 minutes"}]`
	}
	return `{"dep_ts": "scheduled departure"}`
}

// rows is how many lines its box has.
func (f ProfileField) rows() string {
	if f.Kind == ListField {
		return "3"
	}
	return "2"
}

func (f ProfileField) longest() string {
	if f.Longest == 0 {
		return "4000"
	}
	return strconv.Itoa(f.Longest)
}

// title is what the page is called.
func (v ProjectView) title() string {
	if v.ID == "" {
		return "New project"
	}
	return v.Name
}

// action is where the form is sent to.
func (v ProjectView) action() string {
	if v.ID == "" {
		return "/data/projects"
	}
	return "/data/projects/" + v.ID
}

// here is the address of the page that shows the form.
func (v ProjectView) here() string {
	if v.ID == "" {
		return "/data/projects/new"
	}
	return v.action()
}

// now is what a field shows: what was typed, else what is there.
func (v ProjectView) now(field, there string) string { return v.Form.Value("project", field, there) }

// ticked says whether a choice of several is made.
func (v ProjectView) ticked(f ProfileField, choice string) bool {
	if v.Form.Name == "project" {
		return slices.Contains(v.Form.Values[f.key()], choice)
	}
	return slices.Contains(f.Chosen, choice)
}

// wanted says whether an area is ticked in the form of a run.
func (v ProjectView) wanted(id string) bool {
	return v.Form.Name != "run" || slices.Contains(v.Form.Values["areas"], id)
}

// order is the order of the form's fields, for the first that is at fault.
func (v ProjectView) order() []string {
	out := []string{"name", "warehouse", "pack", "datasets", "filter.column", "filter.value", "language"}
	for _, f := range v.Fields {
		out = append(out, f.key())
	}
	return out
}

// efforts are the choices of how many steps a run takes.
func efforts() []PickLine {
	return []PickLine{{"20", "A first look: 20 steps"}, {"40", "A good look: 40 steps"}, {"60", "Thorough: 60 steps"}, {"80", "Very thorough: 80 steps"}, {"100", "All there is: 100 steps"}}
}

// effort is the choice that is made.
func (v ProjectView) effort() string { return v.Form.Value("run", "maxSteps", "40") }

// listed is a list as it is typed.
func listed(list []string) string { return strings.Join(list, ", ") }
