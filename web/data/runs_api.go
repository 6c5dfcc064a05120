package data

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// ExplorationBody is a run in the API, where runs are called explorations.
type ExplorationBody struct {
	ID          string                           `json:"id"`
	ProjectID   string                           `json:"projectId"`
	WarehouseID string                           `json:"warehouseId,omitempty" doc:"absent if it is no longer connected"`
	Status      runs.Status                      `json:"status" enum:"pending,running,paused,interrupted,completed,failed,cancelled"`
	Pausing     bool                             `json:"pausing,omitempty" doc:"it pauses after the step it is in"`
	Phase       runs.Phase                       `json:"phase" enum:"initialization,context,schema,exploration,analysis,validation,recommendations,saving"`
	PhaseDetail string                           `json:"phaseDetail,omitempty" doc:"what it does or waits for"`
	Progress    int                              `json:"progress" doc:"percent"`
	Scope       runs.Coverage                    `json:"scope" enum:"full,selected"`
	Areas       []string                         `json:"areas" nullable:"false" doc:"ids of those it is limited to; none for all"`
	RunType     runs.Outcome                     `json:"runType,omitempty" doc:"how much came of it, once it is completed: full, partial or failed"`
	Unsearched  []runs.Unsearched                `json:"unsearched,omitempty" doc:"tables in which effects were not looked for, or not in all, and why; only of a single run, once it is analysed"`
	StopReason  runs.StopReason                  `json:"stopReason,omitempty" doc:"why exploration ended"`
	Summary     string                           `json:"summary,omitempty"`
	Error       string                           `json:"error,omitempty"`
	Trouble     runs.Trouble                     `json:"trouble,omitempty" doc:"the kind of the error" enum:"model_key,model_unknown,model_limited,warehouse_gone,warehouse_denied,warehouse_unreachable,warehouse_refuses,warehouse_quota,settings,server"`
	Remedy      string                           `json:"remedy,omitempty" doc:"what helps against the error"`
	Analyst     string                           `json:"analyst,omitempty" doc:"what explores: the built-in analyst, or a model"`
	Pack        string                           `json:"pack,omitempty" example:"operations@1.0.0"`
	PromptHash  string                           `json:"promptHash,omitempty" doc:"SHA-256 of the exploration prompt"`
	MaxSteps    int                              `json:"maxSteps"`
	MinSteps    int                              `json:"minSteps"`
	Budget      budgetBody                       `json:"budget"`
	Counters    countersBody                     `json:"counters"`
	Spent       map[runs.Purpose]explorationCost `json:"spent" nullable:"false" doc:"by purpose: explore, fix, embed, analyse, validate"`
	Total       explorationCost                  `json:"total" doc:"for all purposes"`
	Attempt     int                              `json:"attempt" doc:"rises with every worker that takes the run"`
	CreatedBy   string                           `json:"createdBy,omitempty"`
	CreatedAt   time.Time                        `json:"createdAt"`
	StartedAt   *time.Time                       `json:"startedAt,omitempty"`
	UpdatedAt   time.Time                        `json:"updatedAt"`
	CompletedAt *time.Time                       `json:"completedAt,omitempty"`
}

// budgetBody limits what a run may use; 0 is no limit.
type budgetBody struct {
	USD     float64 `json:"usd,omitempty" minimum:"0"`
	Tokens  int64   `json:"tokens,omitempty" minimum:"0" doc:"in and out, of all calls"`
	Bytes   int64   `json:"bytes,omitempty" minimum:"0" doc:"that the warehouse scans, as it reports"`
	Seconds int64   `json:"seconds,omitempty" minimum:"0" maximum:"86400" doc:"of work"`
}

func toBudgetBody(b warehouse.Budget) budgetBody {
	return budgetBody{b.USD, b.Tokens, b.Bytes, int64(b.Time.Seconds())}
}

func (b budgetBody) budget() warehouse.Budget {
	return warehouse.Budget{USD: b.USD, Tokens: b.Tokens, Bytes: b.Bytes, Time: time.Duration(b.Seconds) * time.Second}
}

// countersBody counts what a run did so far.
type countersBody struct {
	Steps             int     `json:"steps"`
	TotalQueries      int     `json:"totalQueries"`
	SuccessfulQueries int     `json:"successfulQueries"`
	FailedQueries     int     `json:"failedQueries"`
	SchemaLookupCalls int     `json:"schemaLookupCalls"`
	SchemaSearchCalls int     `json:"schemaSearchCalls"`
	StepIndexUpserts  int     `json:"stepIndexUpserts"`
	AnalysisSearches  int     `json:"analysisSearchCalls" doc:"searches of the vectors of steps, one for each area"`
	AnalysisDropped   int     `json:"analysisStepsDropped" doc:"steps that were left out, added up over the areas"`
	BytesScanned      int64   `json:"bytesScanned"`
	WarehouseMillis   float64 `json:"warehouseMilliseconds" doc:"of queries to the warehouse"`
	ActiveSeconds     float64 `json:"activeSeconds" doc:"of work on the run"`
	Tokens            int64   `json:"tokens"`
	USD               float64 `json:"usd" doc:"of models and warehouse, as far as prices are known"`
}

// explorationCost is what calls of one purpose cost.
type explorationCost struct {
	In       int     `json:"in" doc:"tokens"`
	Cached   int     `json:"cached" doc:"tokens of those"`
	Out      int     `json:"out" doc:"tokens"`
	Calls    int     `json:"calls"`
	USD      float64 `json:"usd" doc:"of the calls whose price is known"`
	Unpriced int     `json:"unpriced" doc:"calls of unknown price"`

	Statements         int     `json:"statements" doc:"that the warehouse was sent, those that failed included"`
	Rows               int64   `json:"rows" doc:"that came back"`
	BytesScanned       int64   `json:"bytesScanned" doc:"as the warehouse reports"`
	WarehouseMillis    float64 `json:"warehouseMilliseconds"`
	WarehouseUSD       float64 `json:"warehouseUsd" doc:"of the statements whose price is known"`
	UnpricedStatements int     `json:"unpricedStatements" doc:"statements of unknown price"`
}

func toExplorationCost(s runs.PurposeCost) explorationCost {
	return explorationCost{s.In, s.Cached, s.Out, s.Calls, s.USD, s.Unpriced, s.Asked.Statements, s.Asked.Rows, s.Asked.Scanned, milliseconds(s.Asked.Took), s.WarehouseUSD, s.UnpricedStatements}
}

func toExplorationBody(r runs.Run) ExplorationBody {
	c := r.Counters
	out := ExplorationBody{ID: r.ID, ProjectID: r.Project, WarehouseID: r.Warehouse, Status: r.Status, Pausing: r.Pausing, Phase: r.Phase, PhaseDetail: r.Detail, Progress: r.Progress,
		Scope: r.Coverage, Areas: append([]string{}, r.Areas...), RunType: r.Outcome, StopReason: r.Stop, Summary: r.Summary, Error: r.Failure, Trouble: r.Trouble, Remedy: r.Remedy, Analyst: r.Analyst, Pack: r.Pack,
		PromptHash: hex.EncodeToString(r.PromptHash), MaxSteps: r.MaxSteps, MinSteps: r.MinSteps, Budget: toBudgetBody(r.Budget),
		Counters: countersBody{c.Steps, c.Queries, c.Successful, c.Failed, c.Lookups, c.Searches, c.Indexed, c.Ranked, c.Dropped, c.Scanned, milliseconds(c.Asking), c.Active.Seconds(), r.Tokens(), r.USD()},
		Spent:    map[runs.Purpose]explorationCost{}, Total: toExplorationCost(r.Total()), Attempt: r.Attempt, CreatedBy: r.By, CreatedAt: r.Created, StartedAt: r.Started, UpdatedAt: r.Updated, CompletedAt: r.Ended}
	for purpose, s := range r.Spent {
		out.Spent[purpose] = toExplorationCost(s)
	}
	return out
}

// milliseconds returns d as the API tells durations.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

type runID struct {
	ID string `path:"id" doc:"id of the run"`
}

type runQuery struct {
	ID     string      `path:"id" doc:"id of the project"`
	Status runs.Status `query:"status" enum:"pending,running,paused,interrupted,completed,failed,cancelled"`
	Cursor string      `query:"cursor" maxLength:"200"`
	Limit  int         `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// newRun orders a run.
type newRun struct {
	ID      string `path:"id" doc:"id of the project"`
	Request string `header:"Idempotency-Key" maxLength:"255" pattern:"^[!-~]*$" doc:"the sender's own id of the request: sent again, it returns the run it made"`
	Body    struct {
		WarehouseID string     `json:"warehouseId,omitempty" format:"uuid" doc:"one of the project's; its default one when left out"`
		Areas       []string   `json:"areas,omitempty" doc:"ids of those to explore; all when left out"`
		MaxSteps    int        `json:"maxSteps,omitempty" minimum:"1" maximum:"1000" doc:"100 when left out"`
		MinSteps    int        `json:"minSteps,omitempty" minimum:"0" maximum:"1000" doc:"before which the analyst may not end"`
		Budget      budgetBody `json:"budget,omitempty"`
	}
}

// startedRun is the answer: 201 with a new run, or 200 with the one that the same
// request made before.
type startedRun struct {
	Status   int
	Location string `header:"Location"`
	Body     ExplorationBody
}

func (s *Handlers) listRuns(ctx context.Context, in *runQuery) (web.Page[ExplorationBody], error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[ExplorationBody]{}, err
	}
	f := runs.Filter{Project: p.ID, Max: in.Limit}
	if in.Status != "" {
		f.Statuses = []runs.Status{in.Status}
	}
	if f.BeforeAt, f.BeforeID, err = web.ParsePlace(in.Cursor); err != nil {
		return web.Page[ExplorationBody]{}, err
	}
	list, err := runs.List(ctx, s.Pool, tenant, f)
	return pageOf(list, in.Limit, toExplorationBody, func(r runs.Run) string { return web.FormatPlace(r.Created, r.ID) }), err
}

// createRun checks its permission itself, as it is registered without [web.Add].
func (s *Handlers) createRun(ctx context.Context, in *newRun) (*startedRun, error) {
	if err := web.Need(web.ActorFrom(ctx), auth.Review); err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	b := in.Body
	r, made, err := s.explore(ctx, runs.Order{Project: in.ID, Areas: b.Areas, MaxSteps: b.MaxSteps, MinSteps: b.MinSteps, Request: in.Request,
		Warehouse: b.WarehouseID, Budget: b.Budget.budget()})
	if err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	out := &startedRun{Status: http.StatusCreated, Location: "/api/v1/runs/" + r.ID, Body: toExplorationBody(r)}
	if !made {
		out.Status = http.StatusOK
	}
	return out, nil
}

// explore starts a run of a project, and reports whether it is new: an order with the
// request of an earlier one returns that one's run. It refuses a project whose pack is
// still being made, and areas that the pack does not have.
func (s *Handlers) explore(ctx context.Context, o runs.Order) (runs.Run, bool, error) {
	a := web.ActorFrom(ctx)
	p, err := s.Projects.Explorable(ctx, a.Tenant, o.Project, o.Areas)
	if err == nil {
		err = p.Explores(o.Warehouse)
	}
	if err != nil {
		return runs.Run{}, false, err
	}
	o.By = a.User
	return s.Commands.Create(ctx, a.Tenant, o)
}

// areasOf returns the areas that a run of a project may look into.
func (s *Handlers) areasOf(ctx context.Context, p projects.Project) ([]warehouse.Area, error) {
	return s.Projects.Areas(ctx, web.ActorFrom(ctx).Tenant, p)
}

// run returns a run of the actor's organisation.
func (s *Handlers) run(ctx context.Context, id string) (runs.Run, error) {
	return runs.Find(ctx, s.Pool, web.ActorFrom(ctx).Tenant, id)
}

func (s *Handlers) getRun(ctx context.Context, in *runID) (ExplorationBody, error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return ExplorationBody{}, err
	}
	out := toExplorationBody(r)
	_, out.Unsearched, err = runs.SearchedTables(ctx, s.Pool, r.Tenant, r.ID)
	return out, err
}

// control is a command to a run, such as [runs.Commands.Pause].
type control func(o runs.Commands, ctx context.Context, tenant, id, by string) (runs.Run, error)

// runControl returns the operation that gives a command to a run.
func (s *Handlers) runControl(do control) func(context.Context, *runID) (ExplorationBody, error) {
	return func(ctx context.Context, in *runID) (ExplorationBody, error) {
		a := web.ActorFrom(ctx)
		r, err := do(s.Commands, ctx, a.Tenant, in.ID, a.User)
		return toExplorationBody(r), err
	}
}

func (s *Handlers) deleteRun(ctx context.Context, in *runID) error {
	return s.Commands.Delete(ctx, web.ActorFrom(ctx).Tenant, in.ID)
}

// describeRuns adds to the description what the registered operations do not tell: the
// stream of events, which is a plain handler, the second status of a new run, and the
// answers to If-Match.
func describeRuns(doc *huma.OpenAPI) {
	id := &huma.Param{Name: "id", In: "path", Required: true, Description: "id of the run", Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	after := &huma.Param{Name: "after", In: "query", Description: "number of the last event the reader has", Schema: &huma.Schema{Type: "integer"}}
	doc.AddOperation(&huma.Operation{OperationID: "run-events", Method: http.MethodGet, Path: "/api/v1/runs/{id}/events", Summary: "The run's events, live; resumes with Last-Event-ID",
		Tags: []string{"runs"}, Parameters: []*huma.Param{id, after}, Responses: map[string]*huma.Response{"default": web.DescribeRefusal(doc, "Refused"),
			"200": {Description: "OK", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: "string"}}}}}})
	made := doc.Paths["/api/v1/projects/{id}/runs"].Post.Responses
	made["200"] = &huma.Response{Description: "OK: the same request made this run before", Headers: made["201"].Headers, Content: made["201"].Content}
	for _, path := range []string{"/api/v1/projects/{id}", "/api/v1/warehouses/{id}"} {
		web.DescribeEdit(doc, doc.Paths[path].Put)
	}
}
