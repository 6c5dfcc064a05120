package data

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/web"
	"quaestor/web/ui"
)

// homeNotices are what the home page tells after a form, by the value of done in its
// address.
var homeNotices = map[string]string{"forgotten": "The warehouse is forgotten.", "deleted": "The project is deleted."}

// Limits of the home page. Each project and each running run costs a query of its own,
// so both lists are short; projects have more pages.
const (
	shownProjects = 24
	shownRunning  = 12
)

// unfinished are the statuses of runs that go on without a person.
var unfinished = []runs.Status{runs.Pending, runs.Running, runs.Interrupted}

// homeView takes four round trips, and one for each project and each running run.
func (s *Handlers) homeView(r *http.Request) (DataView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	state, reason := s.SampleData.Status()
	v := DataView{Nav: web.NavOf(ctx, ui.AtData), Notice: homeNotices[r.URL.Query().Get("done")], Sample: SampleView{State: state, Reason: reason}, Manages: a.May(auth.Manage)}
	connected, errWarehouses := s.Connections.List(ctx, a.Tenant)
	at, id, errCursor := web.ParsePlace(r.URL.Query().Get("cursor"))
	if err := cmp.Or(errWarehouses, errCursor); err != nil {
		return v, err
	}
	v.Warehouses = connected
	list, err := s.Projects.List(ctx, a.Tenant, projects.Cursor{At: at, ID: id}, shownProjects+1)
	if err != nil {
		return v, err
	}
	if len(list) > shownProjects {
		list = list[:shownProjects]
		v.Next = "/data?cursor=" + web.FormatPlace(list[shownProjects-1].CreatedAt, list[shownProjects-1].ID) + "#projects"
	}
	if v.Unread, err = runs.UnreadAlerts(ctx, s.Pool, a.Tenant, a.User); err != nil {
		return v, err
	}
	return v, errors.Join(s.fillProjects(ctx, a, list, &v), s.fillRunning(ctx, a, &v))
}

// fillProjects adds a card with the last run for each project.
func (s *Handlers) fillProjects(ctx context.Context, a auth.Actor, list []projects.Project, v *DataView) error {
	connected := map[string]connections.Warehouse{}
	for _, w := range v.Warehouses {
		connected[w.ID] = w
	}
	for _, p := range list {
		w := connected[p.Warehouse]
		v.Sampled = v.Sampled || isSample(w)
		card := ProjectCard{Project: p, Warehouse: w.Name, Pack: packName(p.Pack)}
		last, err := runs.List(ctx, s.Pool, a.Tenant, runs.Filter{Project: p.ID, Max: 1})
		if err != nil {
			return err
		}
		if len(last) > 0 {
			card.Last = &RunCard{last[0], p.Name}
		}
		v.Projects = append(v.Projects, card)
	}
	return nil
}

// isSample reports whether a warehouse holds the sample data.
func isSample(w connections.Warehouse) bool {
	return w.Kind == warehouse.DuckDB && w.Options["path"] == "sample"
}

// packName returns the name of a pack that comes with the server, and the slug of an
// imported one, whose name would take a query.
func packName(v packs.Version) string {
	if p, ok := packs.BuiltinBySlug(v.Slug); ok {
		return p.Name
	}
	return v.Slug
}

// fillRunning adds a card for each run that is under way.
func (s *Handlers) fillRunning(ctx context.Context, a auth.Actor, v *DataView) error {
	list, err := runs.List(ctx, s.Pool, a.Tenant, runs.Filter{Statuses: unfinished, Max: shownRunning})
	if err != nil {
		return err
	}
	for _, run := range list {
		p, err := s.Projects.Find(ctx, a.Tenant, run.Project)
		if fault.Is(err, fault.NotFound) { // deleted since the list was read
			continue
		}
		if err != nil {
			return err
		}
		v.Running = append(v.Running, RunCard{run, p.Name})
	}
	return nil
}

// sampleSteps is the number of steps of a run over the sample data. The form for runs
// offers the same first; see [efforts].
const sampleSteps = 40

// submitSample explores the sample data and leads to the run.
func (s *Handlers) submitSample(w http.ResponseWriter, r *http.Request) error {
	run, err := s.exploreSample(r.Context())
	if err != nil {
		return s.homeAgain(w, r, err)
	}
	return web.EndForm(w, r, runPath(run))
}

// exploreSample returns the id of a run over the sample data: one that is under way,
// else a new one.
func (s *Handlers) exploreSample(ctx context.Context) (string, error) {
	a := web.ActorFrom(ctx)
	if state, _ := s.SampleData.Status(); state != sampledata.Ready {
		return "", fault.New(fault.Unprocessable, "the sample data is not on this server")
	}
	project, err := s.Sample(ctx, a.Tenant, a.User)
	if err != nil {
		return "", err
	}
	open, err := runs.List(ctx, s.Pool, a.Tenant, runs.Filter{Project: project, Statuses: unfinished, Max: 1})
	if err != nil {
		return "", err
	}
	if len(open) > 0 {
		return open[0].ID, nil
	}
	run, _, err := s.explore(ctx, runs.Order{Project: project, MaxSteps: sampleSteps})
	return run.ID, err
}

// submitSampleFetch starts to fetch the sample data. The home page shows the progress.
func (s *Handlers) submitSampleFetch(w http.ResponseWriter, r *http.Request) error {
	if err := s.SampleData.Fetch(); err != nil {
		return s.homeAgain(w, r, err)
	}
	return web.EndForm(w, r, "/data")
}

// homeAgain shows the home page with the reason why something could not be done.
func (s *Handlers) homeAgain(w http.ResponseWriter, r *http.Request, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, err := s.homeView(r)
		v.Failure = reason
		return Data(v), err
	})
}
