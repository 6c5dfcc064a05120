// Package review is for those who check what interviews came to: the list of sessions,
// one of them with how its values came to be, turns with their model calls, comments,
// disputes and conflicts, what came up on the way, and exports of many sessions. The API
// of obligations is here too.
package review

import (
	"net/http"
	"quaestor/chat"
	"quaestor/web"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Options say what the feature works with beside the server; all are needed.
type Options struct {
	Engine *chat.Engine
	Index  *chat.Index // what the list of sessions is searched with
}

// Handlers answers the requests of this feature.
type Handlers struct {
	*web.Server
	Options
}

// New returns the feature as part of a server.
func New(s *web.Server, o Options) *Handlers {
	return &Handlers{Server: s, Options: o}
}

// Routes registers the pages of those who review, and what their forms are sent to.
func (s *Handlers) Routes(r chi.Router) {
	const value = "/review/{id}/values/{key}"
	r.Get("/review", s.Handle(s.reviewList))
	r.Post("/review/export", s.Handle(s.reviewExport))
	r.Get("/review/{id}", s.Handle(s.reviewSession))
	r.Get("/review/{id}/history", s.Handle(s.reviewHistoryPage))
	r.Get("/review/{id}/turns/{turn}", s.Handle(s.reviewTurn))
	r.Get(value, s.Handle(s.reviewHistoryPage))
	for name, do := range map[string]valueAct{"confirm": confirmAct, "dispute": disputeAct, "decide": decideAct, "settle": settleAct, "reopen": reopenAct, "skip": skipAct, "approve": approveAct, "dismiss": dismissAct} {
		r.Post(value+"/"+name, s.Handle(s.actOnValue(do)))
	}
	r.Post("/review/{id}/conflicts/{conflict}", s.Handle(s.decideConflict))
	r.Post("/review/{id}/comments", s.Handle(s.reviewComment))
	r.Post("/review/{id}/comments/{comment}/resolve", s.Handle(s.reviewDealt))
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	s.obligationRoutes(a)
	s.disputeRoutes(a)
	s.emergentRoutes(a)
	s.commentRoutes(a)
}

func (s *Handlers) obligationRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations", "obligation-list", "What the session must learn, and what is known"), s.listObligations)
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations/{key}", "obligation-get", "One obligation"), s.getObligation)
	web.Add(a, web.Get("/api/v1/sessions/{id}/obligations/{key}/history", "obligation-history", "How a value came to be, oldest first"), s.keyHistory)
	web.Add(a, web.Get("/api/v1/sessions/{id}/history", "session-history", "How all values came to be, oldest first"), s.sessionHistory)
}

func (s *Handlers) disputeRoutes(a huma.API) {
	const obligation = "/api/v1/sessions/{id}/obligations/{key}"
	web.Add(a, web.Post(obligation+"/negotiation", "negotiation-start", "Reject a value and say why: a dispute begins"), s.startNegotiation)
	web.Add(a, web.Post(obligation+"/negotiation/value", "negotiation-value", "Name the right value in a dispute"), s.submitUserValue)
	web.Add(a, web.Post(obligation+"/negotiation/resolve", "negotiation-resolve", "End a dispute with a value both sides hold"), s.resolveNegotiation)
	web.Add(a, web.Post(obligation+"/confirm", "obligation-confirm", "Say yes to a value that is held or proposed"), s.confirmValue)
	web.Add(a, web.Put(obligation+"/value", "obligation-decide", "Decide a value as a reviewer"), s.decideValue)
	web.Add(a, web.Post(obligation+"/reopen", "obligation-reopen", "Take a value back, so that it is asked again"), s.reopenObligation)
	web.Add(a, web.Post(obligation+"/skip", "obligation-skip", "Leave an obligation out, for a reason"), s.skipObligation)
	web.Add(a, web.Get("/api/v1/sessions/{id}/conflicts", "conflict-list", "Values that cannot all hold, oldest first"), s.listConflicts)
	web.Add(a, web.Post("/api/v1/sessions/{id}/conflicts/{conflictId}/resolve", "conflict-resolve", "Say which of the values holds"), s.resolveConflict)
}

func (s *Handlers) emergentRoutes(a huma.API) {
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/merge", "obligation-merge", "Merge an obligation into another; both keys stay"), s.mergeObligation)
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/split", "obligation-split", "Split an overloaded obligation into several"), s.splitObligation)
	web.Add(a, web.Get("/api/v1/proposals", "proposal-list", "What came up in sessions and waits for a reviewer, the same things together"), s.listProposals)
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/approve", "proposal-approve", "Take what came up into the objective, in neutral words: its next minor version"), s.approveProposal)
	web.Add(a, web.Post("/api/v1/sessions/{id}/obligations/{key}/dismiss", "proposal-dismiss", "Say that what came up is not wanted"), s.dismissProposal)
}

func (s *Handlers) commentRoutes(a huma.API) {
	const comments = "/api/v1/sessions/{id}/comments"
	web.Add(a, web.Get(comments, "comment-list", "What reviewers remark, oldest first; the person interviewed never sees it"), s.listComments)
	web.Add(a, web.Post(comments, "comment-add", "Remark something about a session, one of its values or one of its turns").Answering(http.StatusCreated), s.addComment)
	web.Add(a, web.Post(comments+"/{comment}/resolve", "comment-resolve", "Mark a comment as dealt with"), s.resolveComment)
}
