// Package data is the pages and the API of exploring data: warehouses and their tables,
// packs, projects, runs with their steps, and the sample data.
package data

import (
	"context"
	"net/http"
	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
	"quaestor/web"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
)

// Options say what the feature works with beside the server; all are needed.
type Options struct {
	Connections *connections.Store
	Index       *schema.Index
	Projects    projects.Store
	Commands    runs.Commands // takes what people want explored
	Queue       *research.Queue

	// Sample returns the project of the sample data, made when it is not there.
	Sample func(ctx context.Context, tenant, user string) (project string, err error)
	// SampleData tells whether the sample data is there, and fetches it.
	SampleData *sampledata.Store
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

// Routes registers the pages of data, and what their forms are sent to.
func (s *Handlers) Routes(r chi.Router) {
	r.Get("/api/v1/runs/{id}/events", s.Handle(s.runEvents))
	r.Get("/data", s.Handle(s.dataPage))
	r.Post("/data/sample", s.Handle(s.sampleHere))
	r.Post("/data/sample/fetch", s.Handle(s.fetchSampleHere))

	r.Get("/data/warehouses/new", s.Handle(s.newWarehousePage))
	r.Get("/data/warehouses/{id}", s.Handle(s.warehousePage))
	r.Post("/data/warehouses", s.Handle(s.connectHere))
	r.Post("/data/warehouses/{id}", s.Handle(s.changeHere))
	r.Post("/data/warehouses/{id}/test", s.Handle(s.testHere))
	r.Post("/data/warehouses/{id}/refresh", s.Handle(s.refreshHere))
	r.Post("/data/warehouses/{id}/delete", s.Handle(s.forgetHere))

	const project = "/data/projects/{id}"
	r.Get("/data/projects/new", s.Handle(s.newProjectPage))
	r.Get(project, s.Handle(s.projectPage))
	r.Post("/data/projects", s.Handle(s.makeProjectHere))
	r.Post(project, s.Handle(s.changeProjectHere))
	r.Post(project+"/runs", s.Handle(s.startHere))
	r.Post(project+"/delete", s.Handle(s.deleteProjectHere))

	const run = "/data/runs/{id}"
	r.Get(run, s.Handle(s.runPage))
	r.Get(run+"/live", s.Handle(s.runLive))
	r.Get(run+"/steps/{n}", s.Handle(s.stepPage))
	r.Post(run+"/steps/{n}/feedback", s.Handle(s.judgeHere))
	r.Post(run+"/pause", s.Handle(s.controlHere(runs.Commands.Pause, "paused")))
	r.Post(run+"/resume", s.Handle(s.controlHere(runs.Commands.Resume, "resumed")))
	r.Post(run+"/cancel", s.Handle(s.controlHere(runs.Commands.Cancel, "cancelled")))
	r.Post(run+"/delete", s.Handle(s.deleteRunHere))
}

// Operations registers the part of the API that is this feature's.
func (s *Handlers) Operations(a huma.API) {
	s.warehouseRoutes(a)
	s.warehouseTableRoutes(a)
	s.packRoutes(a)
	s.projectRoutes(a)
	s.runRoutes(a)
	s.stepRoutes(a)
	describeRuns(a.OpenAPI())
}

func (s *Handlers) warehouseRoutes(a huma.API) {
	const all, one = "/api/v1/warehouses", "/api/v1/warehouses/{id}"
	web.Add(a, web.Get("/api/v1/warehouse-kinds", "warehouse-kind-list", "The makes of warehouse there are, with their settings"), s.listKinds)
	web.Add(a, web.Get(all, "warehouse-list", "The warehouses that are connected, by name"), s.listWarehouses)
	web.Add(a, web.Post(all, "warehouse-create", "Connect a warehouse; it is not tried yet").Answering(http.StatusCreated), s.createWarehouse)
	web.Add(a, web.Get(one, "warehouse-get", "One warehouse, without its secret"), s.getWarehouse)
	web.AddEdit(a, web.Put(one, "warehouse-put", "Change a warehouse"), s.putWarehouse)
	web.AddEmpty(a, web.Delete(one, "warehouse-delete", "Forget a warehouse, with its index; refused while projects look into it, and the audit stays"), s.deleteWarehouse)
	web.Add(a, web.Post("/api/v1/warehouse-test", "warehouse-draft-test", "Try a warehouse before it is kept"), s.testDraft)
	web.Add(a, web.Post("/api/v1/warehouse-grant", "warehouse-grant", "The least rights a role needs, as statements"), s.grantFor)
	web.Add(a, web.Post(one+"/test", "warehouse-test", "Does it answer, as whom, and could it write"), s.testWarehouse)
	web.Add(a, web.Get(one+"/statements", "warehouse-statement-list", "Every statement meant for it, also refused ones, newest first"), s.listStatements)
}

func (s *Handlers) warehouseTableRoutes(a huma.API) {
	const one = "/api/v1/warehouses/{id}"
	web.Add(a, web.Post(one+"/refresh", "warehouse-refresh", "Have its tables read").Answering(http.StatusAccepted), s.refreshWarehouse)
	web.Add(a, web.Get(one+"/tables", "warehouse-table-list", "Its tables by name, or those that words find, the best first"), s.listTables)
	web.Add(a, web.Get(one+"/drift", "warehouse-drift", "What the last looks at its tables found, the latest first"), s.listDrift)
}

func (s *Handlers) packRoutes(a huma.API) {
	const all, one = "/api/v1/domain-packs", "/api/v1/domain-packs/{slug}"
	web.Add(a, web.Get(all, "domain-pack-list", "The versions of packs that projects may be on"), s.listPacks)
	web.Add(a, web.Get(one, "domain-pack-get", "What a pack looks into, and what it asks of a project"), s.getPack)
	web.Add(a, web.Get(one+"/export", "domain-pack-export", "A pack in its envelope, prompts and all"), s.exportPack)
	op := web.Operation(a, web.Post(all+"/import", "domain-pack-import", "Keep a pack from its envelope").Answering(http.StatusCreated))
	op.MaxBodyBytes, op.SkipValidateBody = packs.MaxBytes, true
	op.Errors = append(op.Errors, http.StatusRequestEntityTooLarge)
	huma.Register(a, op, s.importPack)
}

func (s *Handlers) projectRoutes(a huma.API) {
	const all, one = "/api/v1/projects", "/api/v1/projects/{id}"
	web.Add(a, web.Get(all, "project-list", "Projects, the newest first"), s.listProjects)
	web.Add(a, web.Post(all, "project-create", "Make a project over a warehouse").Answering(http.StatusCreated), s.createProject)
	web.Add(a, web.Get(one, "project-get", "One project"), s.getProject)
	web.AddEdit(a, web.Put(one, "project-put", "Change a project"), s.putProject)
	web.AddEmpty(a, web.Delete(one, "project-delete", "Take a project away, with its runs"), s.deleteProject)
	web.AddEdit(a, web.Post(one+"/state", "project-state", "Move a project to a state that may follow its own"), s.moveProject)
}

func (s *Handlers) runRoutes(a huma.API) {
	const ofProject, one = "/api/v1/projects/{id}/runs", "/api/v1/runs/{id}"
	web.Add(a, web.Get(ofProject, "run-list", "Runs of a project, the newest first"), s.listRuns)
	huma.Register(a, web.Operation(a, web.Post(ofProject, "run-create", "Explore the warehouse of a project").Answering(http.StatusCreated)), s.createRun)
	web.Add(a, web.Get(one, "run-get", "One run, with what it did and spent"), s.getRun)
	web.Add(a, web.Post(one+"/pause", "run-pause", "Stop a run until somebody resumes it"), s.runControl(runs.Commands.Pause))
	web.Add(a, web.Post(one+"/resume", "run-resume", "Have a run go on where it was"), s.runControl(runs.Commands.Resume))
	web.Add(a, web.Post(one+"/cancel", "run-cancel", "End a run for good; what it found stays"), s.runControl(runs.Commands.Cancel))
	web.AddEmpty(a, web.Delete(one, "run-delete", "Take a run away that is not running"), s.deleteRun)
}

func (s *Handlers) stepRoutes(a huma.API) {
	const one = "/api/v1/runs/{id}"
	web.Add(a, web.Get(one+"/steps", "run-step-list", "Steps of a run, in their order"), s.listSteps)
	web.Add(a, web.Get(one+"/feedback", "run-feedback-list", "What each person thinks of things of a run, the latest first"), s.listFeedback)
	web.AddEmpty(a, web.Post(one+"/steps/{n}/feedback", "run-step-feedback", "Say what one thinks of a step"), s.judgeStep)
}

// refresh has the tables of a warehouse read.
func (s *Handlers) refresh(ctx context.Context, tenant, id string) error {
	return s.Connections.EnqueueRefresh(ctx, s.Queue, tenant, id)
}

// refreshing reports whether the tables of a warehouse are being read, or are to be.
func (s *Handlers) refreshing(ctx context.Context, tenant, id string) (bool, error) {
	return s.Connections.Refreshing(ctx, s.Queue, tenant, id)
}

// sampled reports whether a warehouse is the sample data.
func sampled(h connections.Warehouse) bool {
	return h.Kind == warehouse.DuckDB && h.Options["path"] == "sample"
}
