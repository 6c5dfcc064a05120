package review

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"
)

// Refused is a form that could not be done, to be shown again as it was sent. The
// zero value is none.
type Refused struct {
	Form   string     // its name, as the form says it
	Field  string     // that was wrong, as the fault names it; may be empty
	Detail string     // what would be right: a sentence
	Typed  url.Values // what was sent
}

// in reports whether it is this form that was refused.
func (r Refused) in(form string) bool { return r.Form == form && form != "" }

// typed is what was sent in a field of a form; empty for another form.
func (r Refused) typed(form, field string) string {
	if !r.in(form) {
		return ""
	}
	return r.Typed.Get(field)
}

// ticked reports whether a choice of a field was sent with a form.
func (r Refused) ticked(form, field, choice string) bool {
	return r.in(form) && slices.Contains(r.Typed[field], choice)
}

// wrong marks a field of a form as the one at fault, when the fault is that of any
// of these names.
func (r Refused) wrong(form string, faults ...string) templ.Attributes {
	if !r.in(form) || !slices.Contains(faults, r.Field) {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": "refused", "autofocus": true}
}
