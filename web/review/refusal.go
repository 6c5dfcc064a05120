package review

import (
	"net/http"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// showRefusal shows the page of a form again, with the form as it was sent and why it was
// refused. The page is that of a turn when the form has the field "turn", as the forms for
// comments do, and the editor for the words of an emergent question. It returns refusal when that is no fault of the form, or when the client
// does not want a page.
func (s *Handlers) showRefusal(w http.ResponseWriter, r *http.Request, session sessions.Session, refusal error) error {
	if !ofForm(r, refusal) {
		return refusal
	}
	return web.ShowAgain(w, r, refusal, func(reason string) (templ.Component, error) {
		return s.refusedPage(r, session, refusalOf(r, refusal, reason))
	})
}

// refusedPage draws the page that the refused form is on.
func (s *Handlers) refusedPage(r *http.Request, session sessions.Session, refusal formRefusal) (templ.Component, error) {
	if n := turnNumber(r.PostFormValue("turn")); n >= 1 && n <= session.Turns {
		v, err := s.turnView(r.Context(), session, n)
		v.Refusal = refusal
		return turnPage(v), err
	}
	session, err := s.Session(r.Context(), session.ID) // it may have changed meanwhile, which can be why
	if err != nil {
		return nil, err
	}
	if v, editing := s.refusedWording(r.Context(), session, refusal); editing {
		return wordingPage(v), nil
	}
	v, err := s.sessionView(r.Context(), session, place{Tab: "values"})
	v.Refusal = refusal
	return sessionPage(v), err
}

// ofForm reports whether a form of a page was refused for what was filled in, or because
// of what has changed since the page was shown.
func ofForm(r *http.Request, err error) bool {
	switch fault.KindOf(err) {
	case fault.Unprocessable, fault.Conflict, fault.Invalid, fault.TooLarge:
		return r.PostFormValue("form") != ""
	default:
		return false
	}
}

// refusalOf names only the first field at fault, which is the one that gets the focus.
func refusalOf(r *http.Request, refusal error, reason string) formRefusal {
	out := formRefusal{Form: r.PostFormValue("form"), Detail: reason, Typed: r.PostForm}
	if p := web.ProblemOf(refusal, ""); len(p.Errors) > 0 {
		out.Field = p.Errors[0].Location
	}
	return out
}
