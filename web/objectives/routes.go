// Package objectives is the pages and the API of what interviews are about: versions of
// objectives, drafts and their editor, the graph of their questions, rehearsals.
package objectives

import (
	"net/http"
	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/web"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Options say what the feature works with beside the server.
type Options struct {
	Engine *chat.Engine
	// Rehearsals tries drafts of objectives; the zero value tries none.
	Rehearsals Rehearsals
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

// Routes registers the pages of objectives: reviewers read them, those who may publish edit drafts.
func (s *Handlers) Routes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.needing(auth.Review))
		r.Get("/objectives", s.Handle(s.shelfPage))
		r.Get("/objectives/{context}", s.Handle(s.topicPage))
		r.Get("/objectives/{context}/diff", s.Handle(s.diffPage))
		r.Get("/objectives/{context}/running", s.Handle(s.runningPage))
		r.Get("/objectives/{context}/{version}", s.Handle(s.versionPage))
		r.Get("/objectives/{context}/{version}/json", s.Handle(s.versionJSON))
		r.Get("/drafts/{draft}", s.Handle(s.questionsPage))
		r.Get("/drafts/{draft}/q/{n}", s.Handle(s.questionPage))
		r.Get("/drafts/{draft}/general", s.Handle(s.generalPage))
		r.Get("/drafts/{draft}/graph", s.Handle(s.orderPage))
		r.Get("/drafts/{draft}/source", s.Handle(s.draftSourcePage))
		r.Get("/drafts/{draft}/json", s.Handle(s.draftJSON))
		r.Get("/drafts/{draft}/try", s.Handle(s.tryPage))
		r.Post("/drafts/{draft}/try", s.Handle(s.tryDraft))
		r.Get("/drafts/{draft}/publish", s.Handle(s.publishPage))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.needing(auth.Author))
		r.Post("/objectives/{context}/{version}/activate", s.Handle(s.activateVersion))
		r.Post("/drafts", s.Handle(s.beginDraft))
		r.Post("/drafts/{draft}/q", s.Handle(s.addQuestion))
		r.Post("/drafts/{draft}/q/{n}", s.Handle(s.saveQuestion))
		r.Post("/drafts/{draft}/move", s.Handle(s.moveQuestion))
		r.Post("/drafts/{draft}/general", s.Handle(s.saveGeneral))
		r.Post("/drafts/{draft}/source", s.Handle(s.saveSource))
		r.Post("/drafts/{draft}/publish", s.Handle(s.publishDraft))
		r.Post("/drafts/{draft}/discard", s.Handle(s.discardDraft))
	})
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	web.Add(a, web.Get("/api/v1/objectives", "objective-list", "What there is to talk about"), s.listObjectives)
	web.Add(a, web.Get("/api/v1/objectives/{id}", "objective-get", "One version, with its definition"), s.getObjective)
	web.Add(a, web.Post("/api/v1/objectives", "objective-publish", "Publish a version; it is active at once").Answering(http.StatusCreated).Unchecked(), s.publishObjective)
	web.Add(a, web.Post("/api/v1/objectives/lint", "objective-lint", "What is wrong with a definition, and where").Unchecked(), s.lintObjective)
	web.Add(a, web.Post("/api/v1/objectives/from-schema", "objective-from-schema", "Make a definition of a JSON Schema; publishes nothing").Unchecked(), s.objectiveFromSchema)
	web.Add(a, web.Get("/api/v1/objectives/{id}/diff", "objective-diff", "What changed from another version"), s.diffObjectives)
	web.Add(a, web.Post("/api/v1/sessions/{id}/migrate", "session-migrate", "Take a running session over to another version of its objective"), s.migrateSession)
	web.Add(a, web.Post("/api/v1/objectives/{id}/activate", "objective-activate", "Go back to an older version; running sessions keep theirs"), s.activateObjective)
	describeDefinitions(a.OpenAPI())
}
