// Package research is the pages and the API of what is looked up: questions, tasks, their
// reports with all sources, and reports as files.
package research

import (
	"net/http"
	"quaestor/chat"
	"quaestor/research"
	"quaestor/web"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Options say what the feature works with beside the server; all are needed but those
// with a default.
type Options struct {
	Engine   *chat.Engine
	Commands research.Commands // takes what people want looked up
	// Researchable reports whether anything is connected that something could be
	// looked up in; nil means that there is.
	Researchable func() bool
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

// Routes registers the pages of what was found, and what their forms are sent to. Those
// below a session are for its guests too.
func (s *Handlers) Routes(r chi.Router) {
	s.reportRoutes(r, "/api/v1/research-tasks/{id}")
	r.Get("/research", s.Handle(s.asked))
	r.Post("/research", s.Handle(s.ask))
	for _, base := range []string{"/research/{task}", "/s/{id}/research/{task}"} {
		r.Get(base, s.Handle(s.reportPage))
		r.Get(base+"/sources/{n}", s.Handle(s.sourcePage))
		r.Post(base+"/cancel", s.Handle(s.cancelHere))
		r.Post(base+"/steer", s.Handle(s.steerHere))
		s.reportRoutes(r, base)
	}
	r.Post("/s/{id}/research", s.Handle(s.lookUpHere))
	r.Post("/s/{id}/research/{task}/confirm", s.Handle(s.confirmHere))
	r.Post("/s/{id}/research/{task}/dispute", s.Handle(s.disputeHere))
}

// reportRoutes registers what is read as a file, for programs and, at base, for
// pages.
func (s *Handlers) reportRoutes(r chi.Router, base string) {
	r.Get(base+"/report", s.Handle(s.report))
	r.Get(base+"/sources/{n}/raw", s.Handle(s.rawSource))
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	const task = "/api/v1/research-tasks/{id}"
	web.Add(a, web.Get("/api/v1/sessions/{id}/research-tasks", "session-research-list", "Research the session asked for"), s.listTasks)
	web.Add(a, web.Get("/api/v1/research-tasks", "research-task-list", "Research one may see, newest first"), s.pageTasks)
	ask := web.Operation(a, web.Post("/api/v1/research-tasks", "research-task-create", "Have something looked up").Answering(http.StatusCreated))
	ask.Errors = append(ask.Errors, http.StatusRequestEntityTooLarge)
	huma.Register(a, ask, s.askResearch)
	web.Add(a, web.Get(task, "research-task-get", "One research task"), s.getTask)
	web.Add(a, web.Post(task+"/cancel", "research-task-cancel", "End a task that is still open"), s.cancelTask)
	web.Add(a, web.Post(task+"/steer", "research-task-steer", "Tell an open task where to look"), s.steerTask)
	web.Add(a, web.Get(task+"/sources/{n}", "research-source-get", "A source with the text that was read in it"), s.getSource)
	describeResearch(a.OpenAPI())
}
