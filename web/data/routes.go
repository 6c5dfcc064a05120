package data

import (
	"context"
	"embed"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"quaestor/internal/auth"
	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/packdrafts"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
	"quaestor/sessions"
	"quaestor/sessions/settings/models"
	"quaestor/web"
	"quaestor/web/static"
)

// Options are what the feature needs beside the server. All fields are required.
type Options struct {
	Connections *connections.Store
	Index       *schema.Index
	Projects    projects.Store
	Commands    runs.Commands   // starts runs and controls them
	Queue       *research.Queue // on which tables are read again

	// Open opens the warehouse of a run as the run saw it. The caller closes it.
	Open func(ctx context.Context, tenant, warehouse, run string) (warehouse.Gateway, error)
	// Sample returns the id of the project over the sample data, and creates the
	// project first if it does not exist.
	Sample func(ctx context.Context, tenant, user string) (project string, err error)
	// Begin begins an interview about an objective that is published, and returns its session.
	Begin func(ctx context.Context, tenant, user, contextType string) (session string, err error)
	// Findings searches what runs found, and answers questions from it.
	Findings *runs.Searcher
	// Drafts are the packs that are being made.
	Drafts *packdrafts.Store
	// ReadFile returns the text of a file that somebody gives.
	ReadFile func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error)
	Models   *models.Store // those that projects choose from
	Prices   prices.Store
	// Estimate returns what a run is likely to use.
	Estimate func(ctx context.Context, tenant string, o runs.Order) (estimate.Estimate, error)
	// SampleData reports whether the sample data is on this server, and fetches it.
	SampleData *sampledata.Store
}

// Handlers answers the requests of this feature. It is safe for concurrent use.
type Handlers struct {
	*web.Server
	Options

	Definitions metrics.Store

	// reading holds a place for the one file of a pack that is read at a time; those of interviews have
	// places of their own.
	reading chan struct{}
}

// New returns the feature as a part of server s.
func New(s *web.Server, o Options) *Handlers {
	return &Handlers{Server: s, Options: o, Definitions: metrics.Store{Pool: s.Pool, Connections: o.Connections}, reading: make(chan struct{}, 1)}
}

// Routes registers the pages of the feature, their forms, and the events of runs.
// Reviewers may read and explore; warehouses are connected and changed by those who
// manage the organisation, because connecting takes a password.
func (s *Handlers) Routes(r chi.Router) {
	const house, project, run = "/data/warehouses/{id}", "/data/projects/{id}", "/data/runs/{id}"
	r.Group(func(r chi.Router) {
		r.Use(s.Needing(auth.Review))
		r.Get("/data", web.HandlePage(s.Server, s.homeView, Data))
		r.Post("/data/sample", s.Handle(s.submitSample))

		r.Get("/data/projects/new", web.HandlePage(s.Server, s.projectView, Project))
		r.Get(project, web.HandlePage(s.Server, s.projectView, Project))
		r.Post("/data/projects", s.HandleForm(s.submitProject))
		r.Post(project, s.HandleForm(s.submitProject))
		r.Get(project+"/prompts", web.HandlePage(s.Server, s.promptsView, Prompts))
		r.Post(project+"/prompts/{name}", s.HandleForm(s.submitPrompt))
		r.Post(project+"/upgrade", s.HandleForm(s.submitUpgrade))
		r.Post(project+"/runs", s.HandleForm(s.submitRun))
		r.Post(project+"/delete", s.HandleForm(s.submitProjectDelete))
		r.Post(project+"/estimate", s.HandleForm(s.submitEstimate))
		r.Post(project+"/schedule", s.HandleForm(s.submitSchedule))
		r.Post(project+"/interview", s.HandleForm(s.submitInterview))
		r.Post(project+"/profile", s.HandleForm(s.submitAnswers))

		r.Get(run, web.HandlePage(s.Server, s.runView, Run))
		r.Get(run+"/live", web.HandlePage(s.Server, s.changesView, RunLive))
		r.Get("/api/v1/runs/{id}/events", s.Handle(s.runEvents))
		r.Get("/api/v1/runs/{id}/findings", s.Handle(s.findingsOf))
		r.Get(run+"/insights", s.Handle(s.insightsPage))
		r.Get(run+"/insights/{ref}", s.Handle(s.insightPage))
		r.Post(run+"/insights/{ref}/figures/{figure}", s.HandleForm(s.submitFigure))
		r.Post(run+"/recommendations/{ref}", s.HandleForm(s.submitStatus))
		r.Post(run+"/insights/{ref}/watch", s.HandleForm(s.submitWatch))
		r.Get(project+"/recommendations", web.HandlePage(s.Server, s.boardView, Board))
		r.Get(project+"/compare", web.HandlePage(s.Server, s.compareView, Compare))
		r.Get(project+"/findings", web.HandlePage(s.Server, s.searchView, Search))
		r.Get(alertsPath, web.HandlePage(s.Server, s.alertsView, Alerts))
		r.Post(alertsPath+"/read", s.HandleForm(s.submitAlertsRead))
		r.Get(run+"/steps/{n}", s.Handle(s.stepPage))
		r.Post(run+"/steps/{n}/feedback", s.HandleForm(s.submitFeedback))
		r.Post(run+"/pause", s.Handle(s.submitControl(runs.Commands.Pause, "paused")))
		r.Post(run+"/resume", s.Handle(s.submitControl(runs.Commands.Resume, "resumed")))
		r.Post(run+"/cancel", s.Handle(s.submitControl(runs.Commands.Cancel, "cancelled")))
		r.Post(run+"/delete", s.HandleForm(s.submitRunDelete))

		r.Get(house+"/metrics", web.HandlePage(s.Server, s.metricsView, Metrics))
		r.Get(house+"/metrics.yml", s.Handle(s.metricsDownload))
		r.Post(house+"/metrics", s.HandleForm(s.submitMetric))
		r.Post(house+"/metrics/import", s.HandleForm(s.submitMetricImport))
		r.Post(house+"/metrics/{name}/test", s.Handle(s.submitMetricTest))
		r.Post(house+"/metrics/{name}/delete", s.Handle(s.submitMetricDelete))
		r.Post(house+"/examples", s.HandleForm(s.submitExample))
		r.Post(house+"/examples/{example}/delete", s.Handle(s.submitExampleDelete))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Needing(auth.Manage))
		r.Post("/data/sample/fetch", s.Handle(s.submitSampleFetch))
		r.Post(project+"/model", s.HandleForm(s.submitProjectModel))
		r.Get("/data/prices", web.HandlePage(s.Server, s.pricesView, Prices))
		r.Post("/data/prices", s.HandleForm(s.submitPrice))

		r.Get("/data/warehouses/new", web.HandlePage(s.Server, s.warehouseView, Warehouse))
		r.Get(house, web.HandlePage(s.Server, s.warehouseView, Warehouse))
		r.Post("/data/warehouses", s.HandleForm(s.submitWarehouse))
		r.Post(house, s.HandleForm(s.submitWarehouse))
		r.Post(house+"/test", s.Handle(s.submitTest))
		r.Post(house+"/refresh", s.Handle(s.submitRefresh))
		r.Post(house+"/delete", s.HandleForm(s.submitWarehouseDelete))

		const draft = "/data/packs/drafts/{draft}"
		r.Get("/data/packs", web.HandlePage(s.Server, s.packsView, Packs))
		r.Get("/data/packs/new", web.HandlePage(s.Server, s.newDraftView, NewDraft))
		r.Post("/data/packs/drafts", s.Handle(s.submitDraft))
		r.Get(draft, web.HandlePage(s.Server, s.draftView, PackDraft))
		r.Post(draft+"/sections/{key}", s.HandleForm(s.submitSection))
		r.Post(draft+"/accept", s.Handle(s.submitDraftAccept))
		r.Post(draft+"/delete", s.Handle(s.submitDraftDelete))
	})
}

// Operations registers the operations of the API that belong to this feature.
func (s *Handlers) Operations(a huma.API) {
	s.warehouseOperations(a)
	s.packOperations(a)
	s.projectOperations(a)
	s.promptOperations(a)
	s.planningOperations(a)
	s.runOperations(a)
	s.metricOperations(a)
	s.insightOperations(a)
	describeRuns(a.OpenAPI())
	describeFindings(a.OpenAPI())
}

func (s *Handlers) warehouseOperations(a huma.API) {
	const all, one = "/api/v1/warehouses", "/api/v1/warehouses/{id}"
	web.Add(a, web.Get(all, "warehouse-list", "The connected warehouses, by name").Needing(auth.Review), s.listWarehouses)
	web.Add(a, web.Get(one, "warehouse-get", "One warehouse, without its secret").Needing(auth.Review), s.getWarehouse)
	web.Add(a, web.Get(one+"/statements", "warehouse-statement-list", "Every statement meant for the warehouse, refused ones included, newest first").Needing(auth.Review), s.listStatements)
	web.Add(a, web.Get(one+"/tables", "warehouse-table-list", "Its tables by name, or those that a search finds, the best first").Needing(auth.Review), s.listTables)
	web.Add(a, web.Get(one+"/drift", "warehouse-drift", "What the latest refreshes of its tables found, the latest first").Needing(auth.Review), s.listDrift)

	web.Add(a, web.Get("/api/v1/warehouse-kinds", "warehouse-kind-list", "The supported makes of warehouse, with their settings").Needing(auth.Manage), s.listKinds)
	web.Add(a, web.Post(all, "warehouse-create", "Connect a warehouse, without testing it").Answering(http.StatusCreated).Needing(auth.Manage), s.createWarehouse)
	web.AddEdit(a, web.Put(one, "warehouse-put", "Change a warehouse").Needing(auth.Manage), s.putWarehouse)
	web.AddEmpty(a, web.Delete(one, "warehouse-delete", "Forget a warehouse and its index; refused while projects use it. The audit stays").Needing(auth.Manage), s.deleteWarehouse)
	web.Add(a, web.Post("/api/v1/warehouse-test", "warehouse-draft-test", "Test a warehouse before it is saved").Needing(auth.Manage), s.testDraft)
	web.Add(a, web.Post("/api/v1/warehouse-grant", "warehouse-grant", "The least rights that a role needs, as SQL statements").Needing(auth.Manage), s.grantFor)
	web.Add(a, web.Post(one+"/test", "warehouse-test", "Test whether it answers, as which role, and whether that role could write").Needing(auth.Manage), s.testWarehouse)
	web.Add(a, web.Post(one+"/refresh", "warehouse-refresh", "Read its tables again").Answering(http.StatusAccepted).Needing(auth.Manage), s.refreshWarehouse)
}

// packOperations registers the import by itself: a pack may be larger than other
// bodies, and [packs.Parse] lists its faults better than the schema check would.
func (s *Handlers) packOperations(a huma.API) {
	const all, one = "/api/v1/domain-packs", "/api/v1/domain-packs/{slug}"
	web.Add(a, web.Get(all, "domain-pack-list", "The versions of packs that projects may use").Needing(auth.Review), s.listPacks)
	web.Add(a, web.Get(one, "domain-pack-get", "What a pack looks into, and what it asks of a project").Needing(auth.Review), s.getPack)
	web.Add(a, web.Get(one+"/export", "domain-pack-export", "A whole pack with its prompts, as it is exchanged").Needing(auth.Review), s.exportPack)
	s.draftOperations(a)
	op := web.Operation(a, web.Post(all+"/import", "domain-pack-import", "Import a pack").Answering(http.StatusCreated))
	op.MaxBodyBytes, op.SkipValidateBody = packs.MaxBytes, true
	op.Errors = append(op.Errors, http.StatusRequestEntityTooLarge)
	huma.Register(a, op, s.importPack)
}

func (s *Handlers) projectOperations(a huma.API) {
	const all, one = "/api/v1/projects", "/api/v1/projects/{id}"
	web.Add(a, web.Get(all, "project-list", "Projects, newest first").Needing(auth.Review), s.listProjects)
	web.Add(a, web.Post(all, "project-create", "Create a project over a warehouse").Answering(http.StatusCreated).Needing(auth.Review), s.createProject)
	web.Add(a, web.Get(one, "project-get", "One project").Needing(auth.Review), s.getProject)
	web.AddEdit(a, web.Put(one, "project-put", "Change a project").Needing(auth.Review), s.putProject)
	web.AddEmpty(a, web.Delete(one, "project-delete", "Delete a project with its runs").Needing(auth.Review), s.deleteProject)
	web.Add(a, web.Post(one+"/interview", "project-interview", "Begin the interview that fills a project's profile, or return the one under way").Answering(http.StatusCreated).Needing(auth.Review), s.createInterview)
	web.Add(a, web.Post(one+"/profile", "project-profile-fill", "Make the answers of a project's interview its profile").Needing(auth.Review), s.fillProfile)
	web.AddEdit(a, web.Post(one+"/state", "project-state", "Move a project to a state that may follow its current one").Needing(auth.Review), s.moveProject)
}

// planningOperations registers what decides when projects are explored, by which model, and at what cost.
func (s *Handlers) planningOperations(a huma.API) {
	const one = "/api/v1/projects/{id}"
	web.Add(a, web.Get(one+"/schedule", "project-schedule-get", "When a project is explored by itself, with the next three times").Needing(auth.Review), s.getSchedule)
	web.Add(a, web.Put(one+"/schedule", "project-schedule-put", "Set, pause or resume the schedule of a project").Needing(auth.Review), s.putSchedule)
	web.AddEmpty(a, web.Delete(one+"/schedule", "project-schedule-delete", "Remove the schedule of a project").Needing(auth.Review), s.deleteSchedule)
	web.Add(a, web.Get(one+"/model", "project-model-get", "The model that explores for a project, without its key").Needing(auth.Review), s.getProjectModel)
	web.Add(a, web.Put(one+"/model", "project-model-put", "Choose one of the organisation's models for a project, or give it one of its own").Needing(auth.Manage), s.putProjectModel)
	web.AddEmpty(a, web.Delete(one+"/model", "project-model-delete", "Have a project use the organisation's models again").Needing(auth.Manage), s.deleteProjectModel)
	web.Add(a, web.Post(one+"/estimate", "project-estimate", "What a run is likely to use: statements, tokens, money and minutes, by phase").Needing(auth.Review), s.estimateRun)
	web.Add(a, web.Get("/api/v1/spending", "spending-list", "What the runs of projects have cost, by month").Needing(auth.Review), s.listMonths)

	web.Add(a, web.Get("/api/v1/prices", "price-list", "What the organisation pays for models and warehouses, as far as it has said").Needing(auth.Review), s.listPrices)
	web.Add(a, web.Post("/api/v1/prices", "price-set", "Set the price of a model or a warehouse, in place of the one there is").Needing(auth.Manage), s.setPrice)
	web.AddEmpty(a, web.Delete("/api/v1/prices/{id}", "price-delete", "Forget a price").Needing(auth.Manage), s.deletePrice)
}

// runOperations registers the creation of runs by itself, because it answers with one
// of two statuses.
func (s *Handlers) runOperations(a huma.API) {
	const ofProject, one = "/api/v1/projects/{id}/runs", "/api/v1/runs/{id}"
	web.Add(a, web.Get(ofProject, "run-list", "Runs of a project, newest first").Needing(auth.Review), s.listRuns)
	huma.Register(a, web.Operation(a, web.Post(ofProject, "run-create", "Explore the warehouse of a project").Answering(http.StatusCreated)), s.createRun)
	web.Add(a, web.Get(one, "run-get", "One run, with what it did and spent").Needing(auth.Review), s.getRun)
	web.Add(a, web.Post(one+"/pause", "run-pause", "Stop a run until somebody resumes it").Needing(auth.Review), s.runControl(runs.Commands.Pause))
	web.Add(a, web.Post(one+"/resume", "run-resume", "Continue a run where it stopped").Needing(auth.Review), s.runControl(runs.Commands.Resume))
	web.Add(a, web.Post(one+"/cancel", "run-cancel", "End a run for good; what it found stays").Needing(auth.Review), s.runControl(runs.Commands.Cancel))
	web.AddEmpty(a, web.Delete(one, "run-delete", "Delete a run that is not running").Needing(auth.Review), s.deleteRun)

	web.Add(a, web.Get(one+"/steps", "run-step-list", "Steps of a run, in order").Needing(auth.Review), s.listSteps)
	web.Add(a, web.Get(one+"/feedback", "run-feedback-list", "What each person thinks of the findings of a run, latest first").Needing(auth.Review), s.listFeedback)
	web.AddEmpty(a, web.Post(one+"/steps/{n}/feedback", "run-step-feedback", "Give feedback on a step").Needing(auth.Review), s.judgeStep)
}

// Addresses of the pages.

func projectPath(id string) string { return "/data/projects/" + id }

func runPath(id string) string { return "/data/runs/" + id }

func warehousePath(id string) string { return "/data/warehouses/" + id }

//go:embed *.css *.js
var files embed.FS

// assets are the style sheets and scripts of this feature's pages.
var assets = static.New(files)

// Assets returns the style sheets and scripts of this feature's pages.
func (s *Handlers) Assets() *static.Files { return assets }
