package admin

import (
	"embed"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/research"
	"quaestor/sessions/settings/models"
	"quaestor/web"
	"quaestor/web/static"
)

// Options are what the feature needs beside the server.
type Options struct {
	Engine   *chat.Engine      // whose interviewer is shown
	Commands research.Commands // whose queue is shown
	Setup    Setup             // of the server; the zero value shows nothing
	Models   *models.Store     // of organisations
}

// Handlers answers the requests of this feature. It is safe for concurrent use.
type Handlers struct {
	*web.Server
	Options

	// testing is held while a part is tested, so that one test runs at a time.
	testing sync.Mutex
}

// New returns the feature as a part of server s.
func New(s *web.Server, o Options) *Handlers {
	return &Handlers{Server: s, Options: o}
}

// Routes registers the pages of those who manage an organisation, and their forms.
func (s *Handlers) Routes(r chi.Router) {
	r.Route("/admin", func(r chi.Router) {
		r.Use(s.Needing(auth.Manage))
		r.Get("/jobs", s.Handle(s.jobsPage))
		r.Get("/jobs/{job}", web.HandlePage(s.Server, s.jobView, Job))
		r.Post("/jobs/{job}/retry", s.submitJob(s.retryJob))
		r.Post("/jobs/{job}/cancel", s.submitJob(s.cancelJob))
		r.Post("/queues/{queue}/pause", s.Handle(s.controlQueue(research.Pause)))
		r.Post("/queues/{queue}/resume", s.Handle(s.controlQueue(research.Resume)))

		r.Get("/settings", s.settingsPage(LimitsTab))
		r.Get("/settings/people", s.settingsPage(PeopleTab))
		r.Get("/settings/models", s.settingsPage(ModelsTab))
		r.Get("/settings/models/new", web.HandlePage(s.Server, s.modelView, EditModel))
		r.Get("/settings/models/{model}", web.HandlePage(s.Server, s.modelView, EditModel))
		r.Get("/settings/connections", s.settingsPage(ConnectionsTab))
		r.Get("/settings/data", s.settingsPage(DataTab))

		r.Post("/settings/limits", s.HandleForm(s.submitLimits))
		r.Get("/settings/forecast", web.HandlePage(s.Server, s.forecastView, Forecast))

		r.Post("/settings/tokens", s.HandleForm(s.submitToken))
		r.Post("/settings/tokens/{token}/rotate", s.Handle(s.submitRotation))
		r.Post("/settings/tokens/{token}/revoke", s.submitSettings(PeopleTab, "", "token-ended", s.revoke))
		r.Post("/settings/people/role", s.submitSettings(PeopleTab, "", "role-set", s.setRole))
		r.Post("/settings/people/remove", s.submitSettings(PeopleTab, "", "removed", s.removePerson))

		r.Post("/settings/models", s.HandleForm(s.submitModel))
		r.Post("/settings/models/{model}", s.HandleForm(s.submitModel))
		r.Post("/settings/models/{model}/test", s.Handle(s.submitModelTest))
		r.Post("/settings/models/{model}/earlier", s.submitSettings(ModelsTab, "", "model-moved", s.moveModel(-1)))
		r.Post("/settings/models/{model}/later", s.submitSettings(ModelsTab, "", "model-moved", s.moveModel(1)))
		r.Post("/settings/models/{model}/delete", s.submitSettings(ModelsTab, "", "model-deleted", s.removeModel))

		r.Post("/settings/try/{part}", s.Handle(s.submitTest))

		r.Get("/settings/export", s.Handle(s.exportAll))
		r.Get("/settings/delete", s.Handle(s.deletePage))
		r.Post("/settings/delete", s.HandleForm(s.submitDeletion))
		r.Get("/settings/erase", s.Handle(s.erasePage))
		r.Post("/settings/erase", s.HandleForm(s.submitErasure))
		r.Post("/settings/holds", s.submitSettings(DataTab, "hold", "held", s.hold))
		r.Post("/settings/holds/{id}/release", s.submitSettings(DataTab, "", "released", s.release))
	})
}

// Operations registers the operations of the API that belong to this feature.
// Deleting is checked by the handlers, as no permission is an owner's alone.
func (s *Handlers) Operations(a huma.API) {
	const tokens, settings = "/api/v1/tokens", "/api/v1/settings"
	web.Add(a, web.Get(tokens, "token-list", "The organisation's tokens, without their secrets").Needing(auth.Manage), s.listTokens)
	web.Add(a, web.Post(tokens, "token-create", "Make a token; it is shown once").Answering(http.StatusCreated).Needing(auth.Manage), s.createToken)
	web.Add(a, web.Post(tokens+"/{id}/rotate", "token-rotate", "End a token and make its successor; it is shown once").Answering(http.StatusCreated).Needing(auth.Manage), s.rotateToken)
	web.AddEmpty(a, web.Delete(tokens+"/{id}", "token-revoke", "End a token at once").Needing(auth.Manage), s.revokeToken)

	web.Add(a, web.Get(settings, "settings-get", "Limits and retention: what the organisation has set, and what is in force").Needing(auth.Manage), s.getSettings)
	web.AddEdit(a, web.Put(settings, "settings-put", "Set all limits and retention; what is absent is left to the server").Needing(auth.Manage), s.putSettings)
	web.Add(a, web.Get(settings+"/forecast", "settings-forecast", "What retention by these numbers of days would delete now").Needing(auth.Manage), s.getForecast)
	web.Add(a, web.Get(settings+"/journal", "settings-journal", "Who decided what, and what was deleted, newest first").Needing(auth.Manage), s.getJournal)

	s.modelOperations(a)

	web.AddEmpty(a, web.Put("/api/v1/sessions/{id}/hold", "session-hold", "Hold a session back from deletion").Needing(auth.Review), s.putHold)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}/hold", "session-release", "Allow a session to be deleted again").Needing(auth.Review), s.deleteHold)
	web.AddEmpty(a, web.Delete("/api/v1/sessions/{id}", "session-delete", "Delete a session for good, with everything that belongs to it"), s.deleteSession)
	web.Add(a, web.Get("/api/v1/people/{user}/data", "person-data-get", "How much is kept about a person").Needing(auth.Manage), s.getPersonData)
	web.Add(a, web.Delete("/api/v1/people/{user}/data", "person-data-delete", "Delete the interviews that a person began and the research they asked for, and end their tokens; the answer tells how much there was"), s.deletePersonData)

	web.DescribeEdit(a.OpenAPI(), a.OpenAPI().Paths[settings].Put)
}

// modelOperations registers the operations on the language models of an organisation.
func (s *Handlers) modelOperations(a huma.API) {
	const all, one = "/api/v1/models", "/api/v1/models/{id}"
	web.Add(a, web.Get(all, "model-list", "The organisation's language models, in the order in which they are asked").Needing(auth.Manage), s.listModels)
	web.Add(a, web.Post(all, "model-create", "Add a language model behind the others, without testing it").Answering(http.StatusCreated).Needing(auth.Manage), s.createModel)
	web.Add(a, web.Get(one, "model-get", "One language model, without its key").Needing(auth.Manage), s.getModel)
	web.AddEdit(a, web.Put(one, "model-put", "Change a language model").Needing(auth.Manage), s.putModel)
	web.AddEmpty(a, web.Delete(one, "model-delete", "Delete a language model and its key").Needing(auth.Manage), s.deleteModel)
	web.Add(a, web.Post(one+"/test", "model-test", "Test whether it answers, and whether it takes a schema, counts tokens and tells its context").Needing(auth.Manage), s.testModel)
	web.Add(a, web.Post("/api/v1/model-test", "model-draft-test", "Test a language model before it is saved").Needing(auth.Manage), s.testModelDraft)
	web.Add(a, web.Put("/api/v1/model-order", "model-order", "Put the language models in another order").Needing(auth.Manage), s.orderModels)
	web.DescribeEdit(a.OpenAPI(), a.OpenAPI().Paths[one].Put)
}

//go:embed *.js
var files embed.FS

// assets are the style sheets and scripts of this feature's pages.
var assets = static.New(files)

// Assets returns the style sheets and scripts of this feature's pages.
func (s *Handlers) Assets() *static.Files { return assets }
