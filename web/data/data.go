package data

import (
	"context"
	"errors"
	"net/http"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/web"
	"quaestor/web/ui"
)

// dataDone says what was just done, by the name that stands in the address.
var dataDone = map[string]string{"forgotten": "The warehouse is forgotten.", "deleted": "The project is deleted."}

// Bounds of the home of data.
const (
	shownProjects = 24
	shownRunning  = 12
)

func (s *Handlers) dataPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.dataView(r)
	if err != nil {
		return err
	}
	v.Notice = dataDone[r.URL.Query().Get("done")]
	return web.Render(w, r, Data(v))
}

// dataView takes three round trips, and one for each project.
func (s *Handlers) dataView(r *http.Request) (DataView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	v := DataView{Nav: web.NavOf(ctx, ui.AtData), Sample: s.sampleView(), Manages: a.May(auth.Manage)}
	if err := web.Need(a, auth.Review); err != nil {
		return v, err
	}
	houses, err := s.Connections.List(ctx, a.Tenant)
	if err != nil {
		return v, err
	}
	v.Warehouses = web.Map(houses, toWarehouseCard)
	at, id, err := web.ParsePlace(r.URL.Query().Get("cursor"))
	if err != nil {
		return v, err
	}
	list, err := s.Projects.List(ctx, a.Tenant, projects.Cursor{At: at, ID: id}, shownProjects+1)
	if err != nil {
		return v, err
	}
	if len(list) > shownProjects {
		list = list[:shownProjects]
		v.Next = "/data?cursor=" + web.FormatPlace(list[shownProjects-1].CreatedAt, list[shownProjects-1].ID) + "#projects"
	}
	return v, errors.Join(s.fillProjects(ctx, a, list, houses, &v), s.fillRunning(ctx, a, &v))
}

// toWarehouseCard says what came of the last test of a warehouse.
func toWarehouseCard(h connections.Warehouse) WarehouseCard {
	out := WarehouseCard{ID: h.ID, Name: h.Name, Make: makeWords[h.Kind].Name, State: "It was not tried since it was changed."}
	if h.Test == nil {
		return out
	}
	out.Tested = h.Test.At
	switch {
	case !h.Test.Well:
		out.State, out.Ill = "It does not answer: "+h.Test.Says, true
	case h.Test.CanWrite:
		out.State, out.Ill = "It answers, but the role can write.", true
	default:
		out.State = "It answers, and only reads."
	}
	return out
}

// fillProjects lists projects, each with its last run.
func (s *Handlers) fillProjects(ctx context.Context, a auth.Actor, list []projects.Project, houses []connections.Warehouse, v *DataView) error {
	names, sample := map[string]string{}, ""
	for _, h := range houses {
		names[h.ID] = h.Name
		if sampled(h) {
			sample = h.ID
		}
	}
	for _, p := range list {
		card := ProjectCard{ID: p.ID, Name: p.Name, Warehouse: names[p.Warehouse], Pack: packName(p.Pack)}
		last, err := runs.List(ctx, s.Pool, a.Tenant, runs.Filter{Project: p.ID, Max: 1})
		if err != nil {
			return err
		}
		if len(last) > 0 {
			one := toRunCard(last[0], p.Name)
			card.Last = &one
		}
		v.Projects = append(v.Projects, card)
		v.Sampled = v.Sampled || p.Warehouse == sample
	}
	return nil
}

// packName is what a pack is called: the name of one that comes along, else its slug.
func packName(v packs.Version) string {
	if p, ok := packs.BuiltinBySlug(v.Slug); ok {
		return p.Name
	}
	return v.Slug
}

// fillRunning lists the runs that are under way.
func (s *Handlers) fillRunning(ctx context.Context, a auth.Actor, v *DataView) error {
	list, err := runs.List(ctx, s.Pool, a.Tenant, runs.Filter{Statuses: []runs.Status{runs.Pending, runs.Running, runs.Interrupted}, Max: shownRunning})
	if err != nil {
		return err
	}
	for _, run := range list {
		p, err := s.Projects.Find(ctx, a.Tenant, run.Project)
		if fault.Is(err, fault.NotFound) { // deleted meanwhile
			continue
		}
		if err != nil {
			return err
		}
		v.Running = append(v.Running, toRunCard(run, p.Name))
	}
	return nil
}

func toRunCard(r runs.Run, project string) RunCard {
	return RunCard{ID: r.ID, Project: project, Status: string(r.Status), Pausing: r.Pausing, Doing: r.Detail, Progress: r.Progress, Steps: r.Counters.Steps, MaxSteps: r.MaxSteps,
		Queries: r.Counters.Queries, Over: r.Status.Over(), At: r.Created, Took: r.Counters.Active, Summary: r.Summary}
}

// sampleSteps is how many steps an exploration of the sample data takes.
const sampleSteps = 40

// sampleHere explores the sample data: its project is made when it is not there,
// and a run that is under way is shown instead of a second one.
func (s *Handlers) sampleHere(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Review); err != nil {
		return err
	}
	if state, _ := s.SampleData.Status(); state != sampledata.Ready {
		return s.dataAgain(w, r, fault.New(fault.Unprocessable, "the sample data is not on this server"))
	}
	id, err := s.Sample(ctx, a.Tenant, a.User)
	if err != nil {
		return s.dataAgain(w, r, err)
	}
	open, err := runs.List(ctx, s.Pool, a.Tenant, runs.Filter{Project: id, Statuses: []runs.Status{runs.Pending, runs.Running, runs.Interrupted}, Max: 1})
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return web.EndForm(w, r, "/data/runs/"+open[0].ID)
	}
	run, _, err := s.explore(ctx, runs.Order{Project: id, MaxSteps: sampleSteps})
	if err != nil {
		return s.dataAgain(w, r, err)
	}
	return web.EndForm(w, r, "/data/runs/"+run.ID)
}

// fetchSampleHere begins to fetch the sample data; the page tells how it goes.
func (s *Handlers) fetchSampleHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.Need(web.ActorFrom(r.Context()), auth.Manage); err != nil {
		return err
	}
	if err := s.SampleData.Fetch(); err != nil {
		return s.dataAgain(w, r, err)
	}
	return web.EndForm(w, r, "/data")
}

// sampleView is what the page says of the sample data.
func (s *Handlers) sampleView() SampleView {
	state, reason := s.SampleData.Status()
	return SampleView{State: state, Reason: reason}
}

// dataAgain shows the home of data with why something could not be done.
func (s *Handlers) dataAgain(w http.ResponseWriter, r *http.Request, err error) error {
	if !web.WantsPage(r) || fault.KindOf(err) == fault.Internal {
		return err
	}
	v, bad := s.dataView(r)
	if bad != nil {
		return bad
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Failure = web.Sentence(p.Detail)
	return renderRefused(w, r, p.Status, Data(v))
}
