package review

import (
	"context"
	"net/http"
	"strings"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// wordingView is the editor in which an emergent question gets the words for everybody.
type wordingView struct {
	page
	About   *obligations.Obligation
	Draft   chat.WordingDraft
	Refusal formRefusal
}

// approvePrefix begins the names of the forms that approve an emergent question; its key
// follows.
const approvePrefix = "approve."

// form is the name of the form.
func (v wordingView) form() string { return approvePrefix + v.About.Key }

// typed returns a field as it was sent, or else as it is proposed.
func (v wordingView) typed(field, proposed string) string {
	if v.Refusal.in(v.form()) {
		return v.Refusal.typed(v.form(), field)
	}
	return proposed
}

// showWording shows the editor of an emergent question.
func (s *Handlers) showWording(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	v, err := s.wordingView(r.Context(), session, r.PathValue("key"))
	if err != nil {
		return err
	}
	return web.Render(w, r, wordingPage(v))
}

// wordingView reads the editor of an emergent question, with the words to begin with.
func (s *Handlers) wordingView(ctx context.Context, session sessions.Session, key string) (v wordingView, err error) {
	if v.Draft, err = s.Engine.DraftWording(ctx, session.Scope(), key); err != nil {
		return v, err
	}
	if v.page, _, err = s.pageOf(ctx, session); err != nil {
		return v, err
	}
	if _, v.page.Known, err = s.Known(ctx, session); err != nil {
		return v, err
	}
	if v.About = obligations.Find(v.page.Known, key); v.About == nil {
		err = fault.New(fault.NotFound, "the session has no obligation %q", web.Clip(key)).Coded("obligation_not_found")
	}
	return v, err
}

// refusedWording returns the editor with the words that were refused; false when the form
// is another, or the question was decided meanwhile.
func (s *Handlers) refusedWording(ctx context.Context, session sessions.Session, refusal formRefusal) (wordingView, bool) {
	key, approves := strings.CutPrefix(refusal.Form, approvePrefix)
	if !approves {
		return wordingView{}, false
	}
	v, err := s.wordingView(ctx, session, key)
	v.Refusal = refusal
	return v, err == nil
}

// wordingBody is a draft of an emergent question on the wire.
type wordingBody struct {
	Label      string            `json:"label,omitempty" doc:"proposed; absent where the objective has no words of its own for the topic"`
	Prompt     string            `json:"prompt,omitempty" doc:"proposed"`
	Background []web.MessageBody `json:"background" doc:"what the person said of it, for reviewers alone: four of these words in a row are refused in what is approved"`
}

// draftProposal answers with neutral words to begin with, and with what was said.
func (s *Handlers) draftProposal(ctx context.Context, found sessions.Session, in *ObligationPath) (wordingBody, error) {
	d, err := s.Engine.DraftWording(ctx, found.Scope(), in.Key)
	return wordingBody{d.Wording.Label, d.Wording.Prompt, web.Map(d.Background, web.ToMessageBody)}, err
}
