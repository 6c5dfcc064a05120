package review

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"
)

// formRefusal is a form that was refused, to be shown again as it was sent. The zero value
// is no refusal.
type formRefusal struct {
	Form   string     // name of the form, from its hidden field "form"
	Field  string     // the field at fault, as the fault names it; may be empty
	Detail string     // what is wrong, a sentence
	Typed  url.Values // the form as it was sent
}

// in reports whether the refused form is the one of this name.
func (r formRefusal) in(form string) bool { return r.Form == form && form != "" }

// typed returns what was sent in a field of a form; empty for a form that was not refused.
func (r formRefusal) typed(form, field string) string {
	if !r.in(form) {
		return ""
	}
	return r.Typed.Get(field)
}

// ticked reports whether a choice of a field was sent with a form.
func (r formRefusal) ticked(form, field, choice string) bool {
	return r.in(form) && slices.Contains(r.Typed[field], choice)
}

// wrong returns the attributes that mark an input as the one at fault, and none when the
// fault is in another form or in none of these fields.
func (r formRefusal) wrong(form string, fields ...string) templ.Attributes {
	if !r.in(form) || !slices.Contains(fields, r.Field) {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": "refused", "autofocus": true}
}
