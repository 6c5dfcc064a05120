package review

import (
	"net/http"
	"net/url"
	"strconv"

	"quaestor/sessions"
	"quaestor/web"
)

// reviewComment takes a reviewer's comment, and goes back to what it is about.
func (s *Handlers) reviewComment(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, err := s.reviewable(r)
	if err != nil {
		return err
	}
	in := commentBody{Key: r.PostFormValue("key"), Text: r.PostFormValue("text")}
	if n, err := strconv.ParseInt(r.PostFormValue("turn"), 10, 32); err == nil {
		in.Turn = int(n)
	}
	if _, err := s.comment(r.Context(), session, in); err != nil {
		return s.commentRefused(w, r, session, in, err)
	}
	http.Redirect(w, r, commentPlace(session.ID, in.Key, in.Turn), http.StatusSeeOther)
	return nil
}

// commentRefused shows the page of the turn a comment was about again, or else
// that of the session.
func (s *Handlers) commentRefused(w http.ResponseWriter, r *http.Request, session sessions.Session, in commentBody, refusal error) error {
	if in.Turn < 1 || in.Turn > session.Turns || !ofForm(r, refusal) {
		return s.reviewRefused(w, r, session, refusal)
	}
	v, err := s.reviewTurnView(r.Context(), session, in.Turn)
	if err != nil {
		return err
	}
	p := web.ProblemOf(refusal, web.RequestID(r.Context()))
	v.Refused = refusedForm(r, p)
	return web.RenderAs(w, r, p.Status, ReviewTurn(v))
}

// reviewDealt marks a comment as dealt with.
func (s *Handlers) reviewDealt(w http.ResponseWriter, r *http.Request) error {
	session, err := s.reviewable(r)
	if err != nil {
		return err
	}
	c, err := s.dealt(r.Context(), session, r.PathValue("comment"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, commentPlace(session.ID, c.Key, c.Turn), http.StatusSeeOther)
	return nil
}

// commentPlace is where a comment is shown.
func commentPlace(session, key string, turn int) string {
	base := "/review/" + session
	switch {
	case key != "":
		return base + "#ob-" + url.PathEscape(key)
	case turn > 0:
		return base + "/turns/" + strconv.Itoa(turn)
	}
	return base + "#comments"
}
