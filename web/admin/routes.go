// Package admin is for those who manage an organisation: people and tokens, limits and
// retention, connections, the data that is kept, and the queue with the server's health.
package admin

import (
	"net/http"
	"quaestor/chat"
	"quaestor/research"
	"quaestor/web"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Options say what the feature works with beside the server.
type Options struct {
	Engine   *chat.Engine
	Commands research.Commands // whose queue is shown
	// Setup is what is shown of how the server is set up; the zero value shows nothing.
	Setup Setup
}

// Handlers answers the requests of this feature.
type Handlers struct {
	*web.Server
	Options

	// trying lets one test of a part run at a time.
	trying sync.Mutex
}

// New returns the feature as part of a server.
func New(s *web.Server, o Options) *Handlers {
	return &Handlers{Server: s, Options: o}
}

// Routes registers the pages of those who manage, and what their forms are sent to.
func (s *Handlers) Routes(r chi.Router) {
	r.Route("/admin", func(r chi.Router) {
		r.Use(s.managing)
		r.Get("/jobs", s.Handle(s.jobsPage))
		r.Get("/jobs/{job}", s.Handle(s.jobPage))
		r.Post("/jobs/{job}/retry", s.Handle(s.retryJob))
		r.Post("/jobs/{job}/cancel", s.Handle(s.cancelJob))
		r.Post("/queues/{lane}/pause", s.Handle(s.pauseLane(research.Pause)))
		r.Post("/queues/{lane}/resume", s.Handle(s.pauseLane(research.Resume)))

		r.Get("/settings", s.Handle(s.settingsPage(LimitsTab)))
		r.Get("/settings/people", s.Handle(s.settingsPage(PeopleTab)))
		r.Get("/settings/connections", s.Handle(s.settingsPage(ConnectionsTab)))
		r.Get("/settings/data", s.Handle(s.settingsPage(DataTab)))

		r.Post("/settings/limits", s.Handle(s.saveLimits))
		r.Get("/settings/forecast", s.Handle(s.forecastPart))

		r.Post("/settings/tokens", s.Handle(s.makeToken))
		r.Post("/settings/tokens/{token}/rotate", s.Handle(s.rotateToken))
		r.Post("/settings/tokens/{token}/revoke", s.Handle(s.peopleForm("token-ended", s.revokeHere)))
		r.Post("/settings/people/role", s.Handle(s.peopleForm("role-set", s.setRole)))
		r.Post("/settings/people/remove", s.Handle(s.peopleForm("removed", s.dropPerson)))

		r.Post("/settings/try/{part}", s.Handle(s.tryPart))

		r.Get("/settings/export", s.Handle(s.exportAll))
		r.Get("/settings/delete", s.Handle(s.askToDelete))
		r.Post("/settings/delete", s.Handle(s.deleteInterview))
		r.Get("/settings/erase", s.Handle(s.askToErase))
		r.Post("/settings/erase", s.Handle(s.erasePerson))
		r.Post("/settings/holds", s.Handle(s.holdHere))
		r.Post("/settings/holds/{id}/release", s.Handle(s.releaseHere))
	})
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	s.tokenRoutes(a)
	s.settingsRoutes(a)
	describeSettings(a.OpenAPI())
}

func (s *Handlers) tokenRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/tokens", "token-list", "The tenant's tokens, without their secrets"), s.listTokens)
	web.Add(a, web.Post("/api/v1/tokens", "token-create", "Make a token; it is shown once").Answering(http.StatusCreated), s.createToken)
	web.AddEmpty(a, web.Delete("/api/v1/tokens/{id}", "token-revoke", "End a token at once"), s.revokeToken)
}

func (s *Handlers) settingsRoutes(a huma.API) {
	web.Add(a, web.Get("/api/v1/settings", "settings-get", "Limits and retention: what the organisation has set, and what holds"), s.getSettings)
	web.AddEdit(a, web.Put("/api/v1/settings", "settings-put", "Set all of the limits and retention; what is absent is left to the server"), s.putSettings)
	web.Add(a, web.Get("/api/v1/settings/forecast", "settings-forecast", "What numbers of days would delete now"), s.getForecast)
	web.Add(a, web.Get("/api/v1/settings/journal", "settings-journal", "Who decided what, and what was deleted, newest first"), s.getJournal)
	web.AddEmpty(a, web.Put("/api/v1/sessions/{id}/hold", "session-hold", "Hold a session back from deletion"), s.putHold)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/hold", "session-release", "Let a session be deleted again"), s.deleteHold)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}", "session-delete", "Delete a session for good, with all that hangs on it"), s.deleteSession)
	web.Add(a, web.Get("/api/v1/people/{user}/data", "person-data-get", "What is kept of a person, counted"), s.getPersonData)
	web.Add(a, web.Delete("/api/v1/people/{user}/data", "person-data-delete", "Delete the interviews a person began and the research they asked for, and end their tokens; answers what there was"), s.deletePersonData)
	web.Add(a, web.Post("/api/v1/tokens/{id}/rotate", "token-rotate", "End a token and make its successor; it is shown once").Answering(http.StatusCreated), s.rotateTokenAPI)
}
