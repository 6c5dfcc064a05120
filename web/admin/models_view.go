package admin

import (
	"strconv"
	"strings"
	"time"

	"quaestor/sessions/settings/models"
	"quaestor/web"
	"quaestor/web/ui"
)

// ModelsView is what the page of language models shows.
type ModelsView struct {
	Rows   []models.Model // in the order in which they are asked
	Server string         // name of the server's model; empty for none
}

// ModelView is what [EditModel] shows: a model, or a new one, whose ID is empty.
type ModelView struct {
	Nav     ui.Nav
	Failure string // why the form was refused; may be empty
	Form    ui.FormView

	models.Model
}

// roleNames are the roles for people.
var roleNames = map[models.Role]string{models.Both: "Reads and talks", models.Talking: "Talks", models.Reading: "Reads"}

// roleChoices are the roles to choose from.
func roleChoices() []ui.Choice {
	return web.Map(models.Roles(), func(r models.Role) ui.Choice { return ui.Choice{Value: string(r), Name: roleNames[r]} })
}

// used says who does what a role is for.
func (v ModelsView) used(role models.Role) string {
	var names []string
	for _, m := range v.Rows {
		if m.Role == role || m.Role == models.Both {
			names = append(names, m.Name)
		}
	}
	switch {
	case len(names) == 1:
		return names[0] + "; where it fails, the built-in rules"
	case len(names) > 1:
		return strings.Join(names, ", then ") + "; where all fail, the built-in rules"
	case v.Server != "":
		return "the server's model, " + v.Server
	}
	return "the built-in rules"
}

// modelState is the state of a model in a word or two, and whether it is a warning.
func modelState(m models.Model) (words string, warn bool) {
	switch {
	case m.Test == nil:
		return "Not tested", false
	case m.Test.Well:
		return "Works", false
	}
	return "Does not work", true
}

// tookOf is how long a test took.
func tookOf(t *models.Test) time.Duration {
	return time.Duration(t.Milliseconds * float64(time.Millisecond))
}

// modelLimits says what bounds a model; empty for nothing.
func modelLimits(l models.Limits) string {
	var out []string
	if l.Seconds > 0 {
		out = append(out, ui.Count(l.Seconds, "second")+" a call")
	}
	if l.Tokens > 0 {
		out = append(out, ui.Count(l.Tokens, "token")+" an answer")
	}
	if l.DailyCalls > 0 {
		out = append(out, ui.Count(l.DailyCalls, "call")+" a day")
	}
	return strings.Join(out, ", ")
}

// title is the heading of the page of one model.
func (v ModelView) title() string {
	if v.ID == "" {
		return "Add a model"
	}
	return v.Name
}

// modelPath is the address of the page of a model; of a new one for no id.
func modelPath(id string) string { return strings.TrimSuffix(ModelsTab.Path()+"/"+id, "/") }

// modelFieldOrder is the order of the fields of the form.
var modelFieldOrder = []string{"name", "baseUrl", "key", "role", "seconds", "tokens", "dailyCalls"}

// field is a line of the form.
func (v ModelView) field(name, label, hint, value string) ui.FormField {
	return ui.FormField{Form: "model", Name: name, Label: label, Hint: hint, Value: value, ID: "model-" + name, Focus: v.Form.First("model", name, modelFieldOrder)}
}

// limitFields are the lines of the form for the limits.
func (v ModelView) limitFields() []ui.FormField {
	line := func(name, label, hint, hold string, value int) ui.FormField {
		f := v.field(name, label, hint, "")
		if f.Mode, f.Hold, f.Longest = "numeric", hold, 9; value > 0 {
			f.Value = strconv.Itoa(value)
		}
		return f
	}
	return []ui.FormField{
		line("seconds", "Seconds a call", "Then the next model is asked. 600 at most.", "60", v.Limits.Seconds),
		line("tokens", "Tokens an answer", "Models that reason first need some thousands. Empty: as many as each request allows.", "", v.Limits.Tokens),
		line("dailyCalls", "Calls a day", "Counted from midnight UTC; then the next model is asked. Empty: any number.", "", v.Limits.DailyCalls),
	}
}

// keyHint tells what happens to the key that is typed.
func (v ModelView) keyHint() string {
	if v.HasKey {
		return "One is kept, sealed. Leave this empty to keep it; it has to be given again when the address changes."
	}
	return "Kept sealed, and never shown again. Empty for a server that needs none."
}
