// Package review is for reviewers, who check what interviews have found out. It owns their
// pages, the forms on them, and the operations of the API on obligations: the list of
// sessions and the export of many of them, one session as it stands or stood after a turn,
// one turn with its model calls, the history of values, disputes, conflicts, comments, and
// questions that came up during interviews.
//
// It decides nothing itself. Values change through [chat.Engine], which checks what a
// reviewer may do and writes the audit trail; this package reads forms and bodies, and
// draws what is stored. Research reports and the brief of a session belong to other
// features and are only linked to.
//
// For each page, X.go reads what the page shows, X_view.go holds that as a value and words
// it, and X.templ draws it. The forms of one session's pages are in acts.go and share the
// steps of [Handlers.form]; a form that is refused is shown again by refusal.go. The
// operations of the API are in the files X_api.go. All addresses are listed in routes.go.
package review

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/web"
)

// Options are what the feature needs beside the server. All of them are required.
type Options struct {
	Engine *chat.Engine
	Index  *chat.Index // searches the words of interviews, for the list of sessions
}

// Handlers answers the requests of this feature. It is safe for concurrent use.
type Handlers struct {
	*web.Server
	Options
}

// New returns the feature as part of a server.
func New(s *web.Server, o Options) *Handlers {
	return &Handlers{Server: s, Options: o}
}

// Routes registers the pages for reviewers and the addresses their forms are posted to.
// Everything below /review requires the permission to review.
func (s *Handlers) Routes(r chi.Router) {
	const value = "/review/{id}/values/{key}"
	r.With(s.Needing(auth.Review)).Get("/review", s.Handle(web.Show(s.routedList, listPage)))
	r.With(s.Needing(auth.Review)).Post("/review/export", s.Handle(s.exportMany))
	r.Get("/review/{id}", s.SessionPage(s.reviewable, s.showSession))
	r.Get("/review/{id}/history", s.SessionPage(s.reviewable, s.showHistory))
	r.Get("/review/{id}/turns/{turn}", s.SessionPage(s.reviewable, s.showTurn))
	r.Get(value+"/wording", s.SessionPage(s.reviewable, s.showWording))
	r.Get(value, s.SessionPage(s.reviewable, s.showHistory))
	for name, act := range map[string]valueAct{"confirm": s.confirm, "dispute": s.reject, "decide": s.decide, "settle": s.settle,
		"reopen": s.reopen, "skip": s.skip, "approve": s.approveAs, "dismiss": s.dismiss} {
		r.Post(value+"/"+name, s.Handle(s.form(act.onValue)))
	}
	r.Post("/review/{id}/conflicts/{conflict}", s.Handle(s.form(s.decideConflict)))
	r.Post("/review/{id}/reopen", s.Handle(s.form(s.reopenSession)))
	r.Post("/review/{id}/handover", s.Handle(s.form(s.gotInTouch)))
	r.Post("/review/{id}/comments", s.Handle(s.form(s.commentOn)))
	r.Post("/review/{id}/comments/{comment}/resolve", s.Handle(s.form(s.closeComment)))
}

// Operations registers the operations of the API that belong to this feature.
func (s *Handlers) Operations(a huma.API) {
	s.obligationRoutes(a)
	s.disputeRoutes(a)
	s.emergentRoutes(a)
	s.commentRoutes(a)
	s.handoverRoutes(a)
}

// obligationRoutes are open to everybody who may see the session.
func (s *Handlers) obligationRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations", "obligation-list", "What the session must learn, and what is known"), web.InSession(s.Session, s.listObligations))
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations/{key}", "obligation-get", "One obligation"), web.InSession(s.Session, s.getObligation))
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations/{key}/history", "obligation-history", "How a value came to be, oldest first"), web.InSession(s.Session, s.keyHistory))
	web.Add(a, web.Get("/api/v1/sessions/{id}/history", "session-history", "How all values came to be, oldest first"), web.InSession(s.Session, s.sessionHistory))
}

// disputeRoutes are for the people in a session and for reviewers. The engine decides what
// either may do; a value is decided by reviewers alone.
func (s *Handlers) disputeRoutes(a huma.API) {
	const obligation = "/api/v1/sessions/{id}/obligations/{key}"
	web.Add(a, web.Post(obligation+"/negotiation", "negotiation-start", "Reject a value and say why: a dispute begins"), s.startNegotiation)
	web.Add(a, web.Post(obligation+"/negotiation/value", "negotiation-value", "Name the right value in a dispute"), s.submitUserValue)
	web.Add(a, web.Post(obligation+"/negotiation/resolve", "negotiation-resolve", "End a dispute with a value both sides hold"), s.resolveNegotiation)
	web.Add(a, web.Post(obligation+"/confirm", "obligation-confirm", "Say yes to a value that is held or proposed"), s.confirmValue)
	web.Add(a, web.Put(obligation+"/value", "obligation-decide", "Decide a value as a reviewer"), s.decideValue)
	web.Add(a, web.Post(obligation+"/reopen", "obligation-reopen", "Take a value back, so that it is asked again"), s.reopenObligation)
	web.Add(a, web.Post(obligation+"/skip", "obligation-skip", "Leave an obligation out, for a reason"), s.skipObligation)
	web.Add(a, web.Get("/api/v1/sessions/{id}/conflicts", "conflict-list", "Values that cannot all hold, oldest first"), web.InSession(s.Session, s.listConflicts))
	web.Add(a, web.Post("/api/v1/sessions/{id}/conflicts/{conflictId}/resolve", "conflict-resolve", "Say which of the values holds"), s.resolveConflict)
}

// emergentRoutes change what is asked, and are for reviewers alone.
func (s *Handlers) emergentRoutes(a huma.API) {
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/merge", "obligation-merge", "Merge an obligation into another; both keys stay"), web.InSession(s.ForReview, s.mergeObligation))
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/split", "obligation-split", "Split an overloaded obligation into several"), web.InSession(s.ForReview, s.splitObligation))
	web.Add(a, web.Get("/api/v1/proposals", "proposal-list", "What came up in sessions and waits for a reviewer, the same things together").Needing(auth.Review), s.listProposals)
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations/{key}/wording", "proposal-wording", "Neutral words to begin with for what came up, and what was said of it"), web.InSession(s.ForReview, s.draftProposal))
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/approve", "proposal-approve", "Take what came up into the objective, in neutral words: its next minor version"), web.InSession(s.ForReview, s.approveProposal))
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/dismiss", "proposal-dismiss", "Say that what came up is not wanted"), web.InSession(s.ForReview, s.dismissProposal))
}

// commentRoutes are for reviewers alone.
func (s *Handlers) commentRoutes(a huma.API) {
	const comments = "/api/v1/sessions/{id}/comments"
	web.Add(a, web.Get(comments, "comment-list", "What reviewers remark, oldest first; the person interviewed never sees it"), web.InSession(s.reviewable, s.listComments))
	web.Add(a, web.Post(comments, "comment-add", "Remark something about a session, one of its values or one of its turns").Answering(http.StatusCreated), web.InSession(s.reviewable, s.addComment))
	web.Add(a, web.Post(comments+"/{comment}/resolve", "comment-resolve", "Mark a comment as dealt with"), web.InSession(s.reviewable, s.resolveComment))
}

// handoverRoutes are for reviewers alone.
func (s *Handlers) handoverRoutes(a huma.API) {
	web.Add(a, web.Post("/api/v1/sessions/{id}/handover/done", "handover-done", "Note that somebody got in touch with the person who asked for a human being"), web.InSession(s.reviewable, s.meetHandover))
}
