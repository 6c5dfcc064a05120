package ui

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// FormView is what was typed into a form, with what is wrong about it, by field.
type FormView struct {
	Name   string // of the form; empty for none
	Values url.Values
	Faults map[string]string
}

// Value is what a field of a form shows: what was typed, else what is there.
func (f FormView) Value(form, field, there string) string {
	if f.Name == form {
		return f.Values.Get(field)
	}
	return there
}

// Fault returns what is wrong with a field; empty for nothing.
func (f FormView) Fault(form, field string) string {
	if f.Name != form {
		return ""
	}
	return f.Faults[field]
}

// First reports whether the field is the first of its form that is at fault among
// those given in order.
func (f FormView) First(form, field string, order []string) bool {
	i := slices.IndexFunc(order, func(name string) bool { return f.Fault(form, name) != "" })
	return i >= 0 && order[i] == field
}

// FailureOr returns reason, and where to look instead when a field tells the reason.
func (f FormView) FailureOr(reason string) string {
	if len(f.Faults) == 0 {
		return reason
	}
	return "Something is not right yet; see the field that is marked."
}

// Choice is one of the values that a field takes, with its name for people.
type Choice struct{ Value, Name string }

// FormField is a line of a form.
type FormField struct {
	Form, Name, Label string
	Hint              string // below it; may be empty
	Value             string
	Kind              string // of the input; empty means text
	Mode              string // of the keyboard on a phone; may be empty
	Hold              string // shown while it is empty
	Longest           int    // characters; 0 for 500
	Needed            bool
	ID                string // for tests
	Focus             bool
}

// id is the field's in the page.
func (f FormField) id() string { return "f-" + f.Form + "-" + f.Name }

// longest is how many characters it takes.
func (f FormField) longest() string { return strconv.Itoa(cmp.Or(f.Longest, 500)) }

// kind is the kind of its input.
func (f FormField) kind() string { return cmp.Or(f.Kind, "text") }

// described names what describes a field; empty for nothing.
func (f FormField) described(fault string) string {
	var ids []string
	if fault != "" {
		ids = append(ids, f.id()+"-fault")
	}
	if f.Hint != "" {
		ids = append(ids, f.id()+"-hint")
	}
	return strings.Join(ids, " ")
}

// TypedText returns the first text of a field, with the line ends of the
// transcript: forms post CR LF, spans are counted over LF.
func TypedText(form url.Values, name string) string {
	for _, s := range NonBlank(form[name]) {
		return strings.ReplaceAll(s, "\r\n", "\n")
	}
	return ""
}

// NonBlank returns the texts of list that are not blank, without space around them.
func NonBlank(list []string) []string {
	var out []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
