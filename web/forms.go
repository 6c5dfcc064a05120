package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/web/ui"
)

// ReadForm reads the form of a page.
func ReadForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "the form cannot be read").Because(err)
	}
	for name, values := range r.PostForm {
		for _, v := range values {
			if strings.ContainsRune(v, 0) {
				return fault.New(fault.Invalid, "holds a NUL character").At(name).Coded("nul_character")
			}
		}
	}
	return nil
}

// SeeOther leads a browser on after its form was stored.
func SeeOther(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// EndForm ends the request of a form: a page without scripts goes back to where it
// was, a script needs no answer.
func EndForm(w http.ResponseWriter, r *http.Request, back string) error {
	if WantsPage(r) {
		return SeeOther(w, r, back)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// FormOf is what was typed into a form, with what an error says of one of its
// fields.
func FormOf(r *http.Request, form string, err error) ui.FormView {
	view := ui.FormView{Name: form, Values: r.Form, Faults: map[string]string{}}
	var f *fault.Error
	if errors.As(err, &f) && f.Field != "" && form != "" {
		view.Faults[f.Field] = Sentence(f.Message)
	}
	return view
}

// ShowAgain answers a form that was refused with its page, which page draws with the
// reason in one sentence. It returns err itself when the client wants no page or the
// fault is ours; an error of page takes its place.
func ShowAgain(w http.ResponseWriter, r *http.Request, err error, page func(reason string) (templ.Component, error)) error {
	if !WantsPage(r) || fault.Is(err, fault.Internal) {
		return err
	}
	p := ProblemOf(err, RequestID(r.Context()))
	c, bad := page(Sentence(p.Detail))
	if bad != nil {
		return bad
	}
	return RenderAs(w, r, p.Status, c)
}
