package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// maxResult bounds what one finding tells of its result, in bytes.
const maxResult = 3_000

type projectList struct {
	Projects []projectItem `json:"projects" jsonschema:"the newest first"`
	More     bool          `json:"more" jsonschema:"there are more than are listed"`
}

type projectItem struct {
	ID          string `json:"id" jsonschema:"for start_run"`
	Name        string `json:"name"`
	WarehouseID string `json:"warehouseId"`
	Pack        string `json:"pack" jsonschema:"what an analyst of its field knows, as slug@version"`
	State       string `json:"state" jsonschema:"it can be explored once it is ready"`
}

type runArgs struct {
	ProjectID string   `json:"projectId" jsonschema:"from list_projects"`
	Areas     []string `json:"areas,omitempty" jsonschema:"ids of areas of its pack; all without them"`
	MaxSteps  int      `json:"maxSteps,omitempty" jsonschema:"1 to 1000; 100 without it"`
	Minutes   int      `json:"minutes,omitempty" jsonschema:"longest time of work, 1 to 1440; no limit without it"`
	RequestID string   `json:"requestId,omitempty" jsonschema:"an id of your own: called again with it, the same run is returned"`
}

type runIDArgs struct {
	RunID string `json:"runId" jsonschema:"from start_run"`
}

type findingArgs struct {
	RunID string `json:"runId" jsonschema:"from start_run"`
	After int    `json:"after,omitempty" jsonschema:"only findings of later steps; next of the call before"`
	Limit int    `json:"limit,omitempty" jsonschema:"1 to 50; 20 without it"`
}

// runState is where a run stands.
type runState struct {
	RunID     string     `json:"runId"`
	ProjectID string     `json:"projectId"`
	Status    string     `json:"status" jsonschema:"pending, running, paused, interrupted, completed, failed or cancelled"`
	Phase     string     `json:"phase"`
	Detail    string     `json:"detail,omitempty" jsonschema:"what it does or waits for"`
	Progress  int        `json:"progress" jsonschema:"percent"`
	Over      bool       `json:"over" jsonschema:"nothing more comes of it"`
	Steps     int        `json:"steps"`
	MaxSteps  int        `json:"maxSteps"`
	Succeeded int        `json:"successfulQueries"`
	Failed    int        `json:"failedQueries"`
	Summary   string     `json:"summary,omitempty" jsonschema:"of the findings, once it is completed"`
	Failure   string     `json:"error,omitempty"`
	CreatedAt time.Time  `json:"createdAt"`
	EndedAt   *time.Time `json:"endedAt,omitempty"`
}

// findingList is what queries of a run found.
type findingList struct {
	RunID    string    `json:"runId"`
	Findings []finding `json:"findings" jsonschema:"in the order they were made"`
	Next     int       `json:"next,omitempty" jsonschema:"give it as after for what follows; absent at the end"`
}

type finding struct {
	Step    int      `json:"step"`
	Purpose string   `json:"purpose" jsonschema:"what was to be learnt"`
	Tables  []string `json:"tables" jsonschema:"that were read"`
	SQL     string   `json:"sql" jsonschema:"as it was sent"`
	Rows    int      `json:"rows"`
	More    bool     `json:"more,omitempty" jsonschema:"the result was cut at a limit"`
	Result  string   `json:"result" jsonschema:"JSON: every row, or a summary of each column"`
}

func (s *Handlers) addRunTools(server *sdk.Server) {
	add(s, server, tool{name: "list_projects", title: "List projects", needs: auth.Review,
		description: "What the organisation wants to know of its warehouses: each project can be explored by a run."}, s.listProjects)
	add(s, server, tool{name: "start_run", title: "Start a discovery run", needs: auth.Review, writes: true,
		description: "Starts a run that explores the warehouse of a project with read-only queries. It goes on by itself; ask run_status."}, s.startRun)
	add(s, server, tool{name: "run_status", title: "Status of a run", needs: auth.Review,
		description: "Where a discovery run stands, what it did so far, and its summary at the end."}, s.runStatus)
	add(s, server, tool{name: "list_findings", title: "List findings of a run", needs: auth.Review,
		description: "What the queries of a run found: purpose, SQL and result of each."}, s.listFindings)
}

func (s *Handlers) listProjects(ctx context.Context, _ noArgs) (projectList, error) {
	list, err := s.Projects.List(ctx, web.ActorFrom(ctx).Tenant, projects.Cursor{}, maxRows+1)
	if err != nil {
		return projectList{}, err
	}
	out := projectList{More: len(list) > maxRows}
	out.Projects = web.Map(list[:min(len(list), maxRows)], func(p projects.Project) projectItem {
		return projectItem{p.ID, p.Name, p.Warehouse, p.Pack.String(), string(p.State)}
	})
	return out, nil
}

func (v projectList) text() string {
	out := []string{fmt.Sprintf("%d projects:", len(v.Projects))}
	for _, p := range v.Projects {
		out = append(out, fmt.Sprintf("- %s, id %s (%s)", p.Name, p.ID, p.State))
	}
	return lines(out)
}

func (s *Handlers) startRun(ctx context.Context, in runArgs) (runState, error) {
	if err := checkOrder(in); err != nil {
		return runState{}, err
	}
	a := web.ActorFrom(ctx)
	if _, err := s.Projects.Explorable(ctx, a.Tenant, in.ProjectID, in.Areas); err != nil {
		return runState{}, err
	}
	r, _, err := s.Commands.Create(ctx, a.Tenant, runs.Order{Project: in.ProjectID, Areas: in.Areas, MaxSteps: in.MaxSteps,
		Budget: runs.Budget{Time: time.Duration(in.Minutes) * time.Minute}, By: a.User, Request: in.RequestID})
	return toRunState(r), err
}

// checkOrder refuses what the API refuses of an order by its schema.
func checkOrder(in runArgs) error {
	switch {
	case in.MaxSteps < 0 || in.MaxSteps > runs.MaxSteps:
		return fault.New(fault.Unprocessable, "is 1 to %d, not %d", runs.MaxSteps, in.MaxSteps).At("maxSteps")
	case in.Minutes < 0 || in.Minutes > 24*60:
		return fault.New(fault.Unprocessable, "is 1 to %d, not %d", 24*60, in.Minutes).At("minutes")
	case !isRequestID(in.RequestID):
		return fault.New(fault.Unprocessable, "has at most 255 visible ASCII characters").At("requestId")
	case len(in.Areas) > maxRows:
		return fault.New(fault.Unprocessable, "has at most %d ids; leave it out for all areas", maxRows).At("areas")
	}
	return nil
}

func isRequestID(id string) bool {
	for i := range len(id) {
		if id[i] < '!' || id[i] > '~' {
			return false
		}
	}
	return len(id) <= 255
}

func (s *Handlers) runStatus(ctx context.Context, in runIDArgs) (runState, error) {
	r, err := runs.Find(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.RunID)
	return toRunState(r), err
}

func toRunState(r runs.Run) runState {
	return runState{RunID: r.ID, ProjectID: r.Project, Status: string(r.Status), Phase: string(r.Phase), Detail: clip(r.Detail, maxText), Progress: r.Progress, Over: r.Status.Over(),
		Steps: r.Counters.Steps, MaxSteps: r.MaxSteps, Succeeded: r.Counters.Successful, Failed: r.Counters.Failed, Summary: clip(r.Summary, maxReply), Failure: clip(r.Failure, maxText),
		CreatedAt: r.Created, EndedAt: r.Ended}
}

func (v runState) text() string {
	out := []string{fmt.Sprintf("Run %s: %s, %d %%, step %d of at most %d.", v.RunID, v.Status, v.Progress, v.Steps, v.MaxSteps)}
	for _, more := range []string{v.Detail, v.Failure, v.Summary} {
		if more != "" {
			out = append(out, more)
		}
	}
	return lines(out)
}

// listFindings looks at as many steps as a page may show; those that found nothing make it
// shorter.
func (s *Handlers) listFindings(ctx context.Context, in findingArgs) (findingList, error) {
	out := findingList{RunID: in.RunID, Findings: []finding{}}
	limit, err := limitOf(in.Limit)
	if err != nil {
		return out, err
	}
	if in.Limit == 0 {
		limit = 20
	}
	if in.After < 0 || in.After > runs.MaxSteps {
		return out, fault.New(fault.Unprocessable, "is the number of a step, 0 to %d, not %d", runs.MaxSteps, in.After).At("after")
	}
	r, err := runs.Find(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.RunID)
	if err != nil {
		return out, err
	}
	for after := in.After; len(out.Findings) < limit; {
		list, err := runs.Steps(ctx, s.Pool, r.Tenant, r.ID, after, limit)
		if err != nil {
			return out, err
		}
		for _, step := range list {
			after = step.N
			if step.State == runs.Done && step.Type == warehouse.QueryStep && step.Rows > 0 && len(out.Findings) < limit {
				out.Findings, out.Next = append(out.Findings, toFinding(step.Step)), step.N
			}
		}
		if len(list) < limit {
			break
		}
	}
	if len(out.Findings) < limit {
		out.Next = 0
	}
	return out, nil
}

func toFinding(t warehouse.Step) finding {
	out := finding{Step: t.N, Purpose: clip(t.Purpose, maxText), Tables: append([]string{}, t.Tables[:min(len(t.Tables), maxRows)]...), SQL: clip(t.SQL, 2*maxText), Rows: t.Rows, More: t.More}
	var d digest.CompactResult
	if json.Unmarshal(t.Digest, &d) == nil {
		out.Result, _ = d.PromptWithin(maxResult, func(s string) int { return len(s) })
	}
	return out
}

func (v findingList) text() string {
	out := []string{fmt.Sprintf("%d findings of run %s:", len(v.Findings), v.RunID)}
	for _, f := range v.Findings {
		out = append(out, fmt.Sprintf("- Step %d, %s: %s", f.Step, f.Purpose, f.Result))
	}
	if v.Next > 0 {
		out = append(out, fmt.Sprintf("For what follows, call list_findings with after=%d.", v.Next))
	}
	return lines(out)
}
