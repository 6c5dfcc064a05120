package data

import (
	"context"
	"net/http"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// comparePath is the address of the comparison of two runs of a project.
func comparePath(project string) string { return projectPath(project) + "/compare" }

// CompareView is what [Compare] shows.
type CompareView struct {
	Nav         ui.Nav
	Failure     string // why nothing is compared; may be empty
	Project     string
	ProjectName string
	Runs        []runs.Run // that can be chosen, newest first
	Comparison  *runs.Comparison
	Groups      []compareGroup
}

// compareGroup are the findings with which the same happened.
type compareGroup struct {
	Change insight.Change
	List   []comparedView
}

// comparedView is a finding in two runs.
type comparedView struct {
	insight.Compared
	before, after string // ids of the runs
}

// becameWords are what became of findings; becameHints explain it.
var (
	becameWords = map[insight.Change]string{insight.Turned: "Reversed", insight.Moved: "Changed", insight.Appeared: "New", insight.Vanished: "Gone", insight.Unsearched: "Not looked into again", insight.Stayed: "Confirmed again"}
	becameHints = map[insight.Change]string{insight.Turned: "The opposite is seen now.", insight.Moved: "Seen in both runs, with another effect.", insight.Appeared: "The earlier run did not see them.",
		insight.Vanished: "The later run searched the same table and did not see them.", insight.Unsearched: "The later run did not search their tables, or could not read them.", insight.Stayed: "Seen in both runs with much the same effect."}
)

// headline is the finding as it is now, or as it was if it is not seen any more.
func (c comparedView) headline() string {
	if c.After != nil {
		return c.After.Title()
	}
	return c.Before.Title()
}

// path is the address of the finding.
func (c comparedView) path() string {
	if c.After != nil {
		return runPath(c.after) + "/insights/" + c.After.ID
	}
	return c.beforePath()
}

// beforePath is the address of the finding of the earlier run.
func (c comparedView) beforePath() string { return runPath(c.before) + "/insights/" + c.Before.ID }

// figures are the figure of the finding as it was and as it is, in words; empty where there is none.
func (c comparedView) figures() (name, was, now string) {
	before, after := c.Figures()
	if before != nil {
		name, was = before.Name, before.String()
	}
	if after != nil {
		name, now = after.Name, after.String()
	}
	return name, was, now
}

// compareView compares two runs of a project: those that the address names, else the latest two.
func (s *Handlers) compareView(r *http.Request) (CompareView, error) {
	ctx, tenant, q := r.Context(), web.ActorFrom(r.Context()).Tenant, r.URL.Query()
	v := CompareView{Nav: web.NavOf(ctx, ui.AtData), Project: r.PathValue("id")}
	p, err := s.Projects.Find(ctx, tenant, v.Project)
	if err != nil {
		return v, err
	}
	v.ProjectName = p.Name
	if v.Runs, err = runs.List(ctx, s.Pool, tenant, runs.Filter{Project: p.ID, Statuses: []runs.Status{runs.Completed}, Max: 100}); err != nil {
		return v, err
	}
	c, err := runs.Compare(ctx, s.Pool, tenant, p.ID, q.Get("before"), q.Get("after"))
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Unprocessable) {
		v.Failure = refusal(err)
		return v, nil
	}
	if err != nil {
		return v, err
	}
	v.Comparison = &c
	for _, f := range c.Findings {
		if n := len(v.Groups); n == 0 || v.Groups[n-1].Change != f.Change {
			v.Groups = append(v.Groups, compareGroup{Change: f.Change})
		}
		g := &v.Groups[len(v.Groups)-1]
		g.List = append(g.List, comparedView{f, c.Before.ID, c.After.ID})
	}
	return v, nil
}

// comparisonBody is a comparison in the API.
type comparisonBody struct {
	Before   string         `json:"beforeRunId"`
	After    string         `json:"afterRunId"`
	Findings []comparedBody `json:"findings" nullable:"false"`
}

type comparedBody struct {
	Change insight.Change `json:"change" enum:"reversed,changed,new,gone,not_searched,confirmed"`
	Before *insightBody   `json:"before,omitempty" doc:"absent for a new one"`
	After  *insightBody   `json:"after,omitempty" doc:"absent for one that is not seen any more"`
	Was    *insightFigure `json:"was,omitempty" doc:"the figure that shows the change, as it was"`
	Now    *insightFigure `json:"now,omitempty" doc:"the same figure as it is"`
}

type compareQuery struct {
	ID     string `path:"id" doc:"id of the project"`
	Before string `query:"before" doc:"id of a completed run; the latest but one when left out"`
	After  string `query:"after" doc:"id of another; the latest when left out"`
}

func (s *Handlers) compareRuns(ctx context.Context, in *compareQuery) (comparisonBody, error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return comparisonBody{}, err
	}
	c, err := runs.Compare(ctx, s.Pool, tenant, p.ID, in.Before, in.After)
	if err != nil {
		return comparisonBody{}, err
	}
	side := func(i *insight.Insight, r *runs.Run) *insightBody {
		if i == nil {
			return nil
		}
		b := toInsightBody(runs.Insight{Insight: *i, Run: r.ID, Project: r.Project, Title: i.Title(), Prose: i.Prose(), Survives: true, At: r.Created})
		return &b
	}
	figure := func(f *insight.Figure) *insightFigure {
		if f == nil {
			return nil
		}
		return &insightFigure{f.ID, f.Name, f.SQL, f.Value, f.Unit, f.String()}
	}
	out := comparisonBody{Before: c.Before.ID, After: c.After.ID, Findings: []comparedBody{}}
	for _, f := range c.Findings {
		was, now := f.Figures()
		out.Findings = append(out.Findings, comparedBody{f.Change, side(f.Before, &c.Before), side(f.After, &c.After), figure(was), figure(now)})
	}
	return out, nil
}

// chosen is the id of the later or the earlier run that is compared.
func (v CompareView) chosen(later bool) string {
	switch {
	case v.Comparison != nil && later:
		return v.Comparison.After.ID
	case v.Comparison != nil:
		return v.Comparison.Before.ID
	}
	return ""
}
