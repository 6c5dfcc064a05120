// Package share is for everybody an interview is opened or handed to. It owns invitations
// and participants, the brief as a page and as a file, and links that show the brief to
// people without an account.
//
// What a brief says is made by [quaestor/chat/brief]; invitations, participants and links
// are rows of [quaestor/sessions], which keeps only the hash of a secret. This package
// checks who may decide about them, and shows a secret once, when it is made. Guests are
// recognised by the server, in package web.
//
// Followed links are in invite.go and share.go, and need no credential. The brief and the
// forms on it are in brief.go. Operations of the API are in people_api.go and
// shares_api.go. All addresses are listed in routes.go.
package share

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/web"
)

// Handlers answers the requests of this feature. It is safe for concurrent use.
type Handlers struct {
	*web.Server
}

// New returns the feature as part of a server.
func New(s *web.Server) *Handlers { return &Handlers{Server: s} }

// Public registers the pages of invitations and of links to a brief. The secret in the
// address is the only credential.
func (s *Handlers) Public(r chi.Router) {
	r.Get("/invite/{token}", s.Handle(s.showInvitation))
	r.Post("/invite/{token}", s.Handle(s.accept))
	r.Get("/share/{token}", s.Handle(s.showShared))
	r.Get("/share/{token}/export", s.Handle(s.sharedExport))
}

// Routes registers the pages for people with a credential, and the addresses that their
// forms are posted to.
func (s *Handlers) Routes(r chi.Router) {
	r.Get("/api/v1/sessions/{id}/export", s.SessionPage(s.Session, s.export))
	r.Post("/s/{id}/invitations", s.Handle(s.postInvitation))
	r.Post("/s/{id}/leave", s.Handle(s.postLeave))
	r.Get("/s/{id}/brief", s.Handle(web.Show(s.briefView, Brief)))
	r.Post("/s/{id}/shares", s.Handle(s.postShare))
	r.Post("/s/{id}/shares/{share}/revoke", s.Handle(s.postRevoke))
}

// Operations registers the operations of the API that belong to this feature.
func (s *Handlers) Operations(a huma.API) {
	s.peopleRoutes(a)
	s.shareRoutes(a)
	describeExport(a.OpenAPI())
}

// peopleRoutes are for the owners of a session, with two exceptions: everybody in it may list
// the participants and leave, and whoever has the secret of an invitation may accept it.
func (s *Handlers) peopleRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/participants", "participant-list", "Who takes part in a session"), web.InSession(s.Session, s.listPeople))
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/participants/{participant}", "participant-remove", "Leave a session, or remove somebody from one's own"), s.removePerson)
	web.Add(a, web.Get("/api/v1/sessions/{id}/invitations", "invitation-list", "The invitations to a session, without their secrets"), web.InSession(s.owned, s.listInvitations))
	web.Add(a, web.Post("/api/v1/sessions/{id}/invitations", "invitation-create", "Invite somebody; the link is shown once and works once").Answering(http.StatusCreated), web.InSession(s.owned, s.createInvitation))
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/invitations/{invitation}", "invitation-revoke", "Take an invitation back"), s.revokeInvitation)
	web.Add(a, web.Post("/api/v1/invitations/accept", "invitation-accept", "Take part in the session of an invitation"), s.acceptInvitation)
}

// shareRoutes are for the owners of a session.
func (s *Handlers) shareRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/shares", "share-list", "The links to a session's brief, without their secrets"), web.InSession(s.owned, s.listShares))
	web.Add(a, web.Post("/api/v1/sessions/{id}/shares", "share-create", "Make a link that shows the brief to whoever has it; it is shown once").Answering(http.StatusCreated), s.createShare)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/shares/{share}", "share-revoke", "Take a link back; it shows nothing from then on"), s.revokeShare)
}
