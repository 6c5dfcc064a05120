package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// boardPath is the address of the recommendations of a project.
func boardPath(project string) string { return projectPath(project) + "/recommendations" }

// findingsFile is the address of the findings of a run as a file.
func findingsFile(run, format string) string {
	return "/api/v1/runs/" + run + "/findings?format=" + format
}

// fillInsights adds the insights of a run that stand, or are not checked yet, and its areas.
func (s *Handlers) fillInsights(ctx context.Context, v *RunView) error {
	all, errInsights := runs.Insights(ctx, s.Pool, v.Tenant, runs.Selection{Run: v.ID})
	areas, errAreas := runs.Areas(ctx, s.Pool, v.Tenant, v.ID)
	for _, i := range all {
		if !i.Survives && i.Review.Status != "" {
			v.Fallen++
			continue
		}
		v.Insights = append(v.Insights, InsightView{Insight: i})
	}
	v.Areas = areas
	return cmp.Or(errInsights, errAreas, s.fillExtent(ctx, v, all))
}

// insightsPage lists all insights of a run, those last that fell.
func (s *Handlers) insightsPage(w http.ResponseWriter, r *http.Request) error {
	v, all, err := s.insightList(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, Insights(v, all))
}

func (s *Handlers) insightList(r *http.Request) (RunView, []InsightView, error) {
	ctx := r.Context()
	run, err := s.run(ctx, r.PathValue("id"))
	if err != nil {
		return RunView{}, nil, err
	}
	v, errHead := s.runHead(ctx, run)
	all, errList := runs.Insights(ctx, s.Pool, run.Tenant, runs.Selection{Run: run.ID})
	areas, errAreas := runs.Areas(ctx, s.Pool, run.Tenant, run.ID)
	v.Areas = areas
	out := web.Map(all, func(i runs.Insight) InsightView { return InsightView{Insight: i} })
	slices.SortStableFunc(out, func(a, b InsightView) int { return cmp.Compare(fell(&a), fell(&b)) })
	for i := range all {
		if !all[i].Survives && all[i].Review.Status != "" {
			v.Fallen++
		}
	}
	return v, out, cmp.Or(errHead, errList, errAreas, s.fillExtent(ctx, &v, all))
}

// fell is 1 for an insight that did not stand up to its check.
func fell(i *InsightView) int {
	if i.Survives || i.Review.Status == "" {
		return 0
	}
	return 1
}

// insightPage shows one insight.
func (s *Handlers) insightPage(w http.ResponseWriter, r *http.Request) error {
	v, i, err := s.insightView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, InsightPage(v, i))
}

func (s *Handlers) insightView(r *http.Request) (RunView, InsightView, error) {
	ctx := r.Context()
	run, err := s.run(ctx, r.PathValue("id"))
	if err != nil {
		return RunView{}, InsightView{}, err
	}
	found, err := runs.FindInsight(ctx, s.Pool, run.Tenant, run.ID, r.PathValue("ref"))
	if err != nil {
		return RunView{}, InsightView{}, err
	}
	v, errHead := s.runHead(ctx, run)
	list, errList := runs.Recommendations(ctx, s.Pool, run.Tenant, runs.Selection{Project: run.Project})
	measured, errMeasured := s.measured(ctx, run.Tenant, run.Project)
	out := InsightView{Insight: found, Again: map[string]recomputed{}}
	for _, c := range list { // those of earlier runs were not repeated
		if c.Run == run.ID && slices.Contains(c.Insights, found.ID) || c.Subject == found.Subject() {
			out.Related = append(out.Related, RecommendationView{c, measured[c.Run+c.ID]})
		}
	}
	var errWatch error
	out.Watched, out.Watchers, errWatch = s.watches(ctx, &found)
	return v, out, cmp.Or(errHead, errList, errMeasured, errWatch)
}

// measured returns what later runs measured of the recommendations of a project, by run and id.
func (s *Handlers) measured(ctx context.Context, tenant, project string) (map[string][]runs.Measurement, error) {
	list, err := runs.Measurements(ctx, s.Pool, tenant, project)
	out := map[string][]runs.Measurement{}
	for _, m := range list {
		out[m.Run+m.Recommendation] = append(out[m.Run+m.Recommendation], m)
	}
	return out, err
}

// submitFigure computes a figure again and shows whether it is the same.
func (s *Handlers) submitFigure(w http.ResponseWriter, r *http.Request) error {
	v, i, err := s.insightView(r)
	if err != nil {
		return err
	}
	id := r.PathValue("figure")
	again, err := s.recompute(r.Context(), v.Run, i.Insight.Insight, id)
	if err != nil {
		return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
			v.Failure = reason
			return InsightPage(v, i), nil
		})
	}
	i.Again[id] = recomputed{again.Same, again.words()}
	return web.Render(w, r, InsightPage(v, i))
}

// figureAgain is a figure that was computed again.
type figureAgain struct {
	Figure insight.Figure
	Value  float64
	Same   bool
}

// words tell whether the figure is the same.
func (f figureAgain) words() string {
	now := f.Figure
	now.Value = f.Value
	if f.Same {
		return "Computed again, it is the same: " + now.String() + "."
	}
	return "Computed again, it is " + now.String() + " now, not " + f.Figure.String() + ". The data have changed since."
}

// recompute asks the warehouse for a figure again, as the run would: by its project's view, through
// the guard, and recorded in the audit.
func (s *Handlers) recompute(ctx context.Context, run runs.Run, i insight.Insight, id string) (out figureAgain, err error) {
	at := slices.IndexFunc(i.Figures, func(f insight.Figure) bool { return f.ID == id })
	if at < 0 {
		return out, fault.New(fault.NotFound, "this insight has no figure %.60q", id).Coded("figure_not_found")
	}
	if run.Warehouse == "" {
		return out, fault.New(fault.Conflict, "the warehouse of this run is not connected any more")
	}
	gateway, err := s.Open(ctx, run.Tenant, run.Warehouse, run.ID)
	if away := (*warehouse.QueryError)(nil); errors.As(err, &away) {
		return out, fault.New(fault.Unavailable, "the warehouse does not answer: %s", away.Message).Coded("warehouse_away").Because(err)
	}
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, gateway.Close()) }()
	out.Figure = i.Figures[at]
	value, err := insight.Recompute(ctx, out.Figure, func(ctx context.Context, _, sql string) (*warehouse.Result, error) {
		a, err := gateway.Ask(ctx, warehouse.Query{SQL: sql, Run: run.ID})
		return a.Result, err
	})
	if err != nil {
		var asked *warehouse.QueryError
		if errors.As(err, &asked) {
			return out, fault.New(fault.Unprocessable, "the warehouse did not answer: %s", asked.Message)
		}
		return out, fmt.Errorf("compute figure %s of %s again: %w", id, i.ID, err)
	}
	out.Value = value
	out.Same = math.Abs(value-out.Figure.Value) <= 1e-9*math.Max(1, math.Abs(value))
	return out, nil
}

// boardView reads the recommendations of a project.
func (s *Handlers) boardView(r *http.Request) (BoardView, error) {
	return s.board(r, r.PathValue("id"))
}

func (s *Handlers) board(r *http.Request, project string) (BoardView, error) {
	ctx := r.Context()
	tenant := web.ActorFrom(ctx).Tenant
	v := BoardView{Nav: web.NavOf(ctx, ui.AtData), Project: project}
	p, err := s.Projects.Find(ctx, tenant, project)
	if err != nil {
		return v, err
	}
	v.ProjectName = p.Name
	if r.URL.Query().Get("done") == "changed" {
		v.Notice = "It is changed."
	}
	list, errList := runs.Recommendations(ctx, s.Pool, tenant, runs.Selection{Project: p.ID})
	measured, errMeasured := s.measured(ctx, tenant, p.ID)
	v.Ledger, err = runs.Ledger(ctx, s.Pool, tenant, p.ID)
	for _, status := range runs.RecommendationStatuses {
		column := boardColumn{Status: status}
		for _, c := range list {
			if c.Status == status {
				column.List = append(column.List, RecommendationView{c, measured[c.Run+c.ID]})
			}
		}
		v.Columns = append(v.Columns, column)
	}
	return v, cmp.Or(errList, errMeasured, err)
}

// submitStatus changes the status of a recommendation.
func (s *Handlers) submitStatus(w http.ResponseWriter, r *http.Request) error {
	run, err := s.run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	version, _ := strconv.Atoi(r.PostFormValue("version")) // 0 is any
	if err := s.setStatus(r.Context(), run, r.PathValue("ref"), runs.RecommendationStatus(r.PostFormValue("status")), version); err != nil {
		return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
			v, err := s.board(r, run.Project)
			v.Failure = reason
			return Board(v), err
		})
	}
	return web.EndForm(w, r, boardPath(run.Project)+"?done=changed#"+r.PathValue("ref")+"-"+run.ID)
}

func (s *Handlers) setStatus(ctx context.Context, run runs.Run, ref string, to runs.RecommendationStatus, version int) error {
	if !slices.Contains(runs.RecommendationStatuses, to) {
		return fault.New(fault.Unprocessable, "status is open, accepted, done or dismissed, not %q", web.Clip(string(to))).At("status")
	}
	_, err := s.Commands.SetStatus(ctx, run.Tenant, run.ID, ref, to, version, web.ActorFrom(ctx).User)
	return err
}
