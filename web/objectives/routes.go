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
	"context"
	"net/http"

	"github.com/a-h/templ"
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
		r.Use(s.needing(auth.Review))
		r.Get("/objectives", s.Handle(show(s.listView, List)))
		r.Get("/objectives/{context}", s.Handle(show(s.objectiveView, Objective)))
		r.Get("/objectives/{context}/diff", s.Handle(show(s.diffView, Differences)))
		r.Get("/objectives/{context}/running", s.Handle(show(s.runningView, Running)))
		r.Get("/objectives/{context}/{version}", s.Handle(show(s.versionView, Version)))
		r.Get("/objectives/{context}/{version}/json", s.Handle(s.versionJSON))
		r.Get("/drafts/{draft}", s.Handle(show(s.questionsView, Questions)))
		r.Get("/drafts/{draft}/q/{n}", s.Handle(show(s.questionView, Question)))
		r.Get("/drafts/{draft}/general", s.Handle(show(s.generalView, General)))
		r.Get("/drafts/{draft}/graph", s.Handle(show(s.graphView, Order)))
		r.Get("/drafts/{draft}/source", s.Handle(show(s.sourceView, DraftSource)))
		r.Get("/drafts/{draft}/json", s.Handle(s.draftJSON))
		r.Get("/drafts/{draft}/try", s.Handle(show(s.tryView, Try)))
		r.Post("/drafts/{draft}/try", s.Handle(s.tryDraft))
		r.Get("/drafts/{draft}/publish", s.Handle(show(s.publishView, Publish)))
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
	web.Add(a, web.Get("/api/v1/objectives", "objective-list", "What there is to talk about"), permitted(auth.Read, s.listObjectives))
	web.Add(a, web.Get("/api/v1/objectives/{id}", "objective-get", "One version, with its definition"), permitted(auth.Read, s.getObjective))
	web.Add(a, web.Post("/api/v1/objectives", "objective-publish", "Publish a version; it is active at once").Answering(http.StatusCreated).Unchecked(), permitted(auth.Author, s.publishObjective))
	web.Add(a, web.Post("/api/v1/objectives/lint", "objective-lint", "What is wrong with a definition, and where").Unchecked(), permitted(auth.Read, s.lintObjective))
	web.Add(a, web.Post("/api/v1/objectives/from-schema", "objective-from-schema", "Make a definition of a JSON Schema; publishes nothing").Unchecked(), permitted(auth.Read, s.objectiveFromSchema))
	web.Add(a, web.Get("/api/v1/objectives/{id}/diff", "objective-diff", "What changed from another version"), permitted(auth.Read, s.diffObjectives))
	web.Add(a, web.Post("/api/v1/sessions/{id}/migrate", "session-migrate", "Take a running session over to another version of its objective"), s.migrateSession)
	web.Add(a, web.Post("/api/v1/objectives/{id}/activate", "objective-activate", "Go back to an older version; running sessions keep theirs"), permitted(auth.Author, s.activateObjective))
	describeDefinitions(a.OpenAPI())
}

// needing refuses everybody who lacks a permission, before anything is looked up: a
// refusal does not tell whether what was asked for exists.
func (s *Handlers) needing(p auth.Permission) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
			if err := web.Need(web.ActorFrom(r.Context()), p); err != nil {
				return err
			}
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

// permitted returns f as an operation of the API for actors that have a permission.
func permitted[I, O any](p auth.Permission, f func(context.Context, auth.Actor, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		a := web.ActorFrom(ctx)
		if err := web.Need(a, p); err != nil {
			return out, err
		}
		return f(ctx, a, in)
	}
}

// show returns the handler of a page: read finds what the page shows, draw draws it.
func show[V any](read func(*http.Request) (V, error), draw func(V) templ.Component) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := read(r)
		if err != nil {
			return err
		}
		return web.Render(w, r, draw(v))
	}
}
