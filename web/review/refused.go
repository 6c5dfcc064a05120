package review

import (
	"net/http"

	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// reviewRefused shows the review of a session again with a form that could not be
// done, as it was sent. What is no fault of the form, and what no page asked for,
// is left to the caller.
func (s *Handlers) reviewRefused(w http.ResponseWriter, r *http.Request, session sessions.Session, refusal error) error {
	if !ofForm(r, refusal) {
		return refusal
	}
	session, err := s.Session(r.Context(), session.ID) // as it is by now
	if err != nil {
		return err
	}
	v, err := s.reviewView(r.Context(), session, ReviewPlace{Tab: "values"})
	if err != nil {
		return err
	}
	p := web.ProblemOf(refusal, web.RequestID(r.Context()))
	v.Refused = refusedForm(r, p)
	return web.RenderAs(w, r, p.Status, ReviewSession(v))
}

// ofForm reports whether a form of a page was refused for what was in it, or for
// what has changed since it was shown.
func ofForm(r *http.Request, err error) bool {
	switch fault.KindOf(err) {
	case fault.Unprocessable, fault.Conflict, fault.Invalid, fault.TooLarge:
		return web.WantsPage(r) && r.PostFormValue("form") != ""
	default:
		return false
	}
}

func refusedForm(r *http.Request, p *web.Problem) Refused {
	out := Refused{Form: r.PostFormValue("form"), Detail: web.Sentence(p.Detail), Typed: r.PostForm}
	if len(p.Errors) > 0 {
		out.Field = p.Errors[0].Location
	}
	return out
}
