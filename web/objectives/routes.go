// Package objectives serves what interviews are about: the published versions of
// objectives, the drafts that become versions, and the part of the API over them.
//
// It owns the pages, the forms and the words on them. It does not own what an objective
// is, what is wrong with one, or how it is stored and released: that is
// sessions/objectives. It holds no interviews either: [Rehearsals] brings simulated
// ones in, so that nothing here depends on who is simulated and how.
//
// Its parts:
//
//	routes.go                 every address, with the permission it needs
//	api.go, locate.go         the operations of the API, and where a definition is at fault
//	objectives.go             the list, an objective with its versions, a comparison, running interviews
//	drafts.go                 how drafts are begun, read and discarded
//	edit.go, form.go          what a form holds, and how an edit meets those of other people
//	publish.go, rehearsals.go what becomes of a draft: a release, or a trial
//	graph.go                  the drawing of what waits for what
//	*_view.go, *.templ        what pages show, and how
//	assets.go, *.css, *.js    their style and their scripts
//
// Two people may edit one draft. A form carries the fingerprint of what it was filled
// with; an edit of something that changed since is not stored but shown beside what is
// saved now, and its author decides.
package objectives

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/web"
)

// Options say what the feature works with beside the server.
type Options struct {
	// Engine migrates sessions to other versions; it is needed.
	Engine *chat.Engine
	// Rehearsals tries drafts on simulated people; the zero value offers nobody.
	Rehearsals Rehearsals
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

// Routes registers the pages of objectives. Reviewers read all of them and may try a
// draft, which stores nothing; people who may publish also edit.
func (s *Handlers) Routes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.Needing(auth.Review))
		r.Get("/objectives", s.Handle(web.Show(s.listView, List)))
		r.Get("/objectives/{context}", s.Handle(web.Show(s.objectiveView, Objective)))
		r.Get("/objectives/{context}/diff", s.Handle(web.Show(s.diffView, Differences)))
		r.Get("/objectives/{context}/running", s.Handle(web.Show(s.runningView, Running)))
		r.Get("/objectives/{context}/{version}", s.Handle(web.Show(s.versionView, Version)))
		r.Get("/objectives/{context}/{version}/json", s.Handle(s.versionJSON))
		r.Get("/drafts/{draft}", s.Handle(web.Show(s.questionsView, Questions)))
		r.Get("/drafts/{draft}/q/{n}", s.Handle(web.Show(s.questionView, Question)))
		r.Get("/drafts/{draft}/general", s.Handle(web.Show(s.generalView, General)))
		r.Get("/drafts/{draft}/graph", s.Handle(web.Show(s.graphView, Order)))
		r.Get("/drafts/{draft}/source", s.Handle(web.Show(s.sourceView, DraftSource)))
		r.Get("/drafts/{draft}/json", s.Handle(s.draftJSON))
		r.Get("/drafts/{draft}/try", s.Handle(web.Show(s.tryView, Try)))
		r.Post("/drafts/{draft}/try", s.Handle(s.tryDraft))
		r.Get("/drafts/{draft}/publish", s.Handle(web.Show(s.publishView, Publish)))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Needing(auth.Author))
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
	web.Add(a, web.Get("/api/v1/objectives", "objective-list", "What there is to talk about").Needing(auth.Read), s.listObjectives)
	web.Add(a, web.Get("/api/v1/objectives/{id}", "objective-get", "One version, with its definition").Needing(auth.Read), s.getObjective)
	web.Add(a, web.Post("/api/v1/objectives", "objective-publish", "Publish a version; it is active at once").Answering(http.StatusCreated).Unchecked().Needing(auth.Author), s.publishObjective)
	web.Add(a, web.Post("/api/v1/objectives/lint", "objective-lint", "What is wrong with a definition, and where").Unchecked().Needing(auth.Read), s.lintObjective)
	web.Add(a, web.Post("/api/v1/objectives/from-schema", "objective-from-schema", "Make a definition of a JSON Schema; publishes nothing").Unchecked().Needing(auth.Read), s.objectiveFromSchema)
	web.Add(a, web.Get("/api/v1/objectives/{id}/diff", "objective-diff", "What changed from another version").Needing(auth.Read), s.diffObjectives)
	web.Add(a, web.Post("/api/v1/sessions/{id}/migrate", "session-migrate", "Take a running session over to another version of its objective"), web.InSession(s.ForReview, s.migrateSession))
	web.Add(a, web.Post("/api/v1/objectives/{id}/activate", "objective-activate", "Go back to an older version; running sessions keep theirs").Needing(auth.Author), s.activateObjective)
	describeDefinitions(a.OpenAPI())
}
