package data

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// runDone says what was just done, by the name that stands in the address.
var runDone = map[string]string{"started": "It is queued and begins by itself.", "paused": "It pauses.", "resumed": "It goes on.", "cancelled": "It is cancelled. What it found stays.", "kept": "Noted."}

// shownSteps are the steps of a run that a page shows at most.
const shownSteps = 200

func (s *Handlers) runPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.runView(r)
	if err != nil {
		return err
	}
	v.Notice = runDone[r.URL.Query().Get("done")]
	return web.Render(w, r, Run(v))
}

// runLive answers with what changed, for the page that shows the run: where it
// stands, and the steps after a number.
func (s *Handlers) runLive(w http.ResponseWriter, r *http.Request) error {
	v, err := s.runView(r)
	if err != nil {
		return err
	}
	since, _ := strconv.Atoi(r.URL.Query().Get("since")) // what is none takes all
	for i, step := range v.Steps {                       // the latest first
		if step.N <= since {
			v.Steps = v.Steps[:i]
			break
		}
	}
	return web.Render(w, r, RunLive(v))
}

// runView takes six round trips, and those for the number of its last event while it
// is not over.
func (s *Handlers) runView(r *http.Request) (RunView, error) {
	ctx := r.Context()
	run, err := s.run(ctx, r.PathValue("id"))
	if err != nil {
		return RunView{}, err
	}
	last, err := s.lastEvent(ctx, run)
	if err != nil {
		return RunView{}, err
	}
	if last > 0 { // what is shown is at least as new as that event
		if run, err = s.run(ctx, run.ID); err != nil {
			return RunView{}, err
		}
	}
	v, err := s.runHead(ctx, run)
	if err != nil {
		return v, err
	}
	v.Last, v.Show = last, ReadRunShow(r.URL.Query().Get("show"))
	return v, s.fillSteps(r, run, &v)
}

// lastEvent returns the number of the last event of a run that is not over; 0 for
// one that is.
func (s *Handlers) lastEvent(ctx context.Context, run runs.Run) (last int64, err error) {
	for more := !run.Status.Over(); more; {
		var list []runs.Event
		if list, more, err = runs.Events(ctx, s.Pool, run.Tenant, run.ID, last); err != nil {
			return 0, err
		}
		if len(list) > 0 {
			last = list[len(list)-1].Seq
		}
	}
	return last, nil
}

// runHead says where a run stands.
func (s *Handlers) runHead(ctx context.Context, run runs.Run) (RunView, error) {
	c := run.Counters
	v := RunView{Nav: web.NavOf(ctx, ui.AtData), ID: run.ID, Status: string(run.Status), Pausing: run.Pausing, Phase: string(run.Phase), Doing: run.Detail, Progress: run.Progress,
		Over: run.Status.Over(), Summary: run.Summary, Outcome: string(run.Outcome), Stop: string(run.Stop), Error: run.Failure, Analyst: run.Analyst, Pack: run.Pack,
		MaxSteps: run.MaxSteps, By: run.By, Created: run.Created, NothingLeft: run.Warehouse == "",
		Counters: RunCounters{Steps: c.Steps, Queries: c.Queries, Failed: c.Failed, Lookups: c.Lookups, Searches: c.Searches, Tokens: run.Tokens(), Scanned: c.Scanned,
			Asking: c.Asking, Active: c.Active, USD: run.USD(), Priced: priced(run)},
		MayPause:  !run.Pausing && (run.Status == runs.Running || run.Status.MayBecome(runs.Paused)),
		MayResume: run.Warehouse != "" && (run.Pausing || run.Status != runs.Running && run.Status != runs.Pending && run.Status.MayBecome(runs.Pending)),
		MayCancel: run.Status.MayBecome(runs.Cancelled), MayDelete: run.Status != runs.Running}
	if run.Ended != nil {
		v.Ended = *run.Ended
	}
	p, err := s.Projects.Find(ctx, run.Tenant, run.Project)
	if err != nil {
		return v, err
	}
	v.Project = LinkRow{Path: "/data/projects/" + p.ID, Name: p.Name}
	return v, errors.Join(s.fillAreas(ctx, p, run, &v), s.fillWarehouse(ctx, run, &v))
}

// priced says whether all that a run spent on a model has a price.
func priced(run runs.Run) bool {
	for purpose, spent := range run.Spent {
		if purpose != runs.Embedding && spent.Unpriced > 0 {
			return false
		}
	}
	return true
}

// fillAreas names the areas of a run.
func (s *Handlers) fillAreas(ctx context.Context, p projects.Project, run runs.Run, v *RunView) error {
	if len(run.Areas) == 0 {
		return nil
	}
	names := map[string]string{}
	areas, err := s.areasOf(ctx, p)
	if err != nil && !fault.Is(err, fault.Unprocessable) { // a pack that is gone names nothing
		return err
	}
	for _, a := range areas {
		names[a.ID] = a.Name
	}
	for _, id := range run.Areas {
		name := names[id]
		if name == "" {
			name = id
		}
		v.Areas = append(v.Areas, name)
	}
	return nil
}

func (s *Handlers) fillWarehouse(ctx context.Context, run runs.Run, v *RunView) error {
	if run.Warehouse == "" {
		return nil
	}
	w, err := s.Connections.Find(ctx, run.Tenant, run.Warehouse)
	if fault.Is(err, fault.NotFound) { // forgotten meanwhile
		return nil
	}
	v.Warehouse = nameOfWarehouse(w)
	return err
}

// nameOfWarehouse is its name with its make.
func nameOfWarehouse(w connections.Warehouse) string {
	return w.Name + " (" + makeWords[w.Kind].Name + ")"
}

// fillSteps lists the steps of a run that are wanted, the latest first.
func (s *Handlers) fillSteps(r *http.Request, run runs.Run, v *RunView) error {
	ctx, q := r.Context(), r.URL.Query()
	end, _ := strconv.Atoi(q.Get("to")) // what is none ends with the latest
	if end <= 0 || end > run.Counters.Steps {
		end = run.Counters.Steps + 1 // one that is under way
	}
	list, err := runs.Steps(ctx, s.Pool, run.Tenant, run.ID, max(end-shownSteps, 0), shownSteps)
	if err != nil {
		return err
	}
	judged, err := s.opinions(ctx, run)
	if err != nil {
		return err
	}
	for i := len(list) - 1; i >= 0; i-- {
		step := toStepView(run.ID, &list[i])
		if step.N > end {
			continue
		}
		judged.fill(&step)
		v.Total++
		for _, show := range []struct {
			which RunShow
			count *int
		}{{ShowFindings, &v.Findings}, {ShowErrors, &v.Errors}} {
			if show.which.Wants(&step) {
				*show.count++
			}
		}
		if v.Show.Wants(&step) {
			v.Steps = append(v.Steps, step)
		}
		if step.Asked && run.Status == runs.Running {
			v.Doing = "Step " + strconv.Itoa(step.N) + ": " + step.Title()
		}
	}
	if end > shownSteps {
		v.MoreSteps = v.Path() + "?to=" + strconv.Itoa(end-shownSteps)
	}
	open, _ := strconv.Atoi(q.Get("open")) // what is none opens none more
	FoldSteps(v.Steps, open)
	return nil
}

func (s *Handlers) stepPage(w http.ResponseWriter, r *http.Request) error {
	v, step, err := s.stepView(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("part") != "" {
		step.Whole = false
		return web.Render(w, r, Step(&step))
	}
	return web.Render(w, r, StepPage(v, step))
}

// stepView returns the step that an address names, with its run's head.
func (s *Handlers) stepView(r *http.Request) (RunView, StepView, error) {
	ctx := r.Context()
	run, err := s.run(ctx, r.PathValue("id"))
	if err != nil {
		return RunView{}, StepView{}, err
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > runs.MaxSteps {
		return RunView{}, StepView{}, noStep(r.PathValue("n"))
	}
	list, err := runs.Steps(ctx, s.Pool, run.Tenant, run.ID, n-1, 1)
	if err != nil {
		return RunView{}, StepView{}, err
	}
	if len(list) == 0 || list[0].N != n {
		return RunView{}, StepView{}, noStep(strconv.Itoa(n))
	}
	judged, err := s.opinions(ctx, run)
	if err != nil {
		return RunView{}, StepView{}, err
	}
	v, err := s.runHead(ctx, run)
	step := toStepView(run.ID, &list[0])
	step.Whole = true
	judged.fill(&step)
	return v, step, err
}

func noStep(n string) error {
	return fault.New(fault.NotFound, "this run has no step %s", n).Coded("step_not_found")
}

// opinions are what people think of the steps of a run, by their numbers.
type opinions struct {
	user string
	of   map[string][]projects.Feedback
}

func (s *Handlers) opinions(ctx context.Context, run runs.Run) (opinions, error) {
	o := opinions{web.ActorFrom(ctx).User, map[string][]projects.Feedback{}}
	list, err := s.Projects.Feedback(ctx, run.Tenant, run.Project, run.ID)
	for _, f := range list {
		if f.Target == projects.OfStep {
			o.of[f.Ref] = append(o.of[f.Ref], f)
		}
	}
	return o, err
}

// fill says what is thought of a step.
func (o opinions) fill(step *StepView) {
	for _, f := range o.of[strconv.Itoa(step.N)] {
		switch f.Vote {
		case projects.Like:
			step.Likes++
		case projects.Dislike:
			step.Dislike++
		case projects.NoVote:
		}
		if f.User == o.user {
			step.Vote, step.Comment = string(f.Vote), f.Comment
		}
	}
}
