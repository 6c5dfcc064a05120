// Package share is how an interview is opened to others and handed out: invitations, who
// takes part, the brief, links to it, and its export.
package share

import (
	"net/http"
	"quaestor/web"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Handlers answers the requests of this feature.
type Handlers struct {
	*web.Server
}

// New returns the feature as part of a server.
func New(s *web.Server) *Handlers { return &Handlers{Server: s} }

// Public registers what invitations and links lead to: it takes no credential.
func (s *Handlers) Public(r chi.Router) {
	r.Get("/invite/{token}", s.Handle(s.invite))
	r.Post("/invite/{token}", s.Handle(s.accept))
	r.Get("/share/{token}", s.Handle(s.shared))
	r.Get("/share/{token}/export", s.Handle(s.sharedExport))
}

// Routes registers the pages of sharing for those who are known, and what their forms are sent to.
func (s *Handlers) Routes(r chi.Router) {
	r.Get("/api/v1/sessions/{id}/export", s.Handle(s.export))
	r.Post("/s/{id}/invitations", s.Handle(s.askIn))
	r.Post("/s/{id}/leave", s.Handle(s.leaveHere))
	r.Get("/s/{id}/brief", s.Handle(s.briefPage))
	r.Post("/s/{id}/shares", s.Handle(s.shareHere))
	r.Post("/s/{id}/shares/{share}/revoke", s.Handle(s.takeBack))
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	s.peopleRoutes(a)
	s.shareRoutes(a)
	describeExport(a.OpenAPI())
}

func (s *Handlers) peopleRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/participants", "participant-list", "Who takes part in a session"), s.listPeople)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/participants/{participant}", "participant-remove", "Leave a session, or remove somebody from one's own"), s.removePerson)
	web.Add(a, web.Get("/api/v1/sessions/{id}/invitations", "invitation-list", "The invitations to a session, without their secrets"), s.listInvitations)
	web.Add(a, web.Post("/api/v1/sessions/{id}/invitations", "invitation-create", "Ask somebody in; the link is shown once and works once").Answering(http.StatusCreated), s.createInvitation)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/invitations/{invitation}", "invitation-revoke", "Take an invitation back"), s.revokeInvitation)
	web.Add(a, web.Post("/api/v1/invitations/accept", "invitation-accept", "Take part in the session of an invitation"), s.acceptInvitation)
}

func (s *Handlers) shareRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/sessions/{id}/shares", "share-list", "The links to a session's brief, without their secrets"), s.listShares)
	web.Add(a, web.Post("/api/v1/sessions/{id}/shares", "share-create", "Make a link that shows the brief to whoever has it; it is shown once").Answering(http.StatusCreated), s.createShare)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/shares/{share}", "share-revoke", "Take a link back; it shows nothing from then on"), s.revokeShare)
}
