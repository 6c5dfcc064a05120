// Package research serves what is looked up for people: the page to ask on, reports with
// every source, reports as files, and the part of the API over tasks.
//
// It owns these pages, their forms, the files and the wire of reports. It does not own the
// work: tasks are queued and answered by package research, and web/tasks words them for
// this feature and for the interview's page alike.
//
// Its parts:
//
//	routes.go                  every address
//	api.go, report_api.go      tasks and reports for programs; who may see which task
//	pages.go                   pages, and what their forms do
//	export.go                  a report as Markdown or as a table
//	view.go, source.go, *.templ what the pages show, and how
//	*.css, *.js                their style and their scripts
//
// Everything that a source or a search engine wrote is data of strangers. It is escaped,
// shown without characters that turn the direction of writing, linked only where it leads
// to the web, and never drawn as the page it came from.
package research

import (
	"embed"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/chat"
	"quaestor/research"
	"quaestor/web"
	"quaestor/web/static"
)

// Options say what the feature works with beside the server. Only Researchable may be
// left out.
type Options struct {
	Engine   *chat.Engine      // accepts and disputes what research proposes
	Commands research.Commands // takes questions, and changes to open tasks
	// Researchable reports whether any source is connected that can be searched. Nil
	// means that there is one.
	Researchable func() bool
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

// Routes registers the pages and their forms. A task of an interview has its page twice:
// below the session, where the guests of the interview may read it, and by itself.
func (s *Handlers) Routes(r chi.Router) {
	s.reportRoutes(r, tasksPath+"/{id}")
	r.Get("/research", web.HandlePage(s.Server, s.listView, Research))
	r.Post("/research", s.HandleForm(s.askAlone))
	for _, base := range []string{"/research/{task}", "/s/{id}/research/{task}"} {
		r.Get(base, s.Handle(s.reportPage))
		r.Get(base+"/sources/{n}", web.HandlePage(s.Server, s.sourceView, Source))
		r.Post(base+"/cancel", s.submitChange(s.cancelByForm))
		r.Post(base+"/steer", s.submitChange(s.steerByForm))
		r.Post(base+"/again", s.HandleForm(s.submitAgain))
		s.reportRoutes(r, base)
	}
	r.Post("/s/{id}/research", s.HandleForm(s.askInSession))
	r.Post("/s/{id}/research/{task}/confirm", s.submitDecision(s.confirmByForm))
	r.Post("/s/{id}/research/{task}/dispute", s.submitDecision(s.disputeByForm))
}

// reportRoutes registers below base what is downloaded rather than shown.
func (s *Handlers) reportRoutes(r chi.Router, base string) {
	r.Get(base+"/report", s.Handle(s.report))
	r.Get(base+"/sources/{n}/raw", s.Handle(s.rawSource))
}

// tasksPath is where tasks are in the API.
const tasksPath = "/api/v1/research-tasks"

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	const task = tasksPath + "/{id}"
	web.Add(a, web.Get("/api/v1/sessions/{id}/research-tasks", "session-research-list", "Research the session asked for"), s.listTasks)
	web.Add(a, web.Get(tasksPath, "research-task-list", "Research one may see, newest first"), s.pageTasks)
	ask := web.Operation(a, web.Post(tasksPath, "research-task-create", "Have something looked up").Answering(http.StatusCreated))
	ask.Errors = append(ask.Errors, http.StatusRequestEntityTooLarge)
	huma.Register(a, ask, s.askResearch)
	web.Add(a, web.Get(task, "research-task-get", "One research task"), s.getTask)
	web.Add(a, web.Post(task+"/cancel", "research-task-cancel", "End a task that is still open"), s.cancelTask)
	web.Add(a, web.Post(task+"/steer", "research-task-steer", "Tell an open task where to look"), s.steerTask)
	web.Add(a, web.Post(task+"/again", "research-task-again", "Send the statement of a warehouse's answer again, and compare the figure"), s.askAgain)
	web.Add(a, web.Get(task+"/sources/{n}", "research-source-get", "A source with the text that was read in it"), s.getSource)
	describeResearch(a.OpenAPI())
}

//go:embed *.js
var files embed.FS

// assets are the style sheets and scripts of this feature's pages.
var assets = static.New(files)

// Assets returns the style sheets and scripts of this feature's pages.
func (s *Handlers) Assets() *static.Files { return assets }
