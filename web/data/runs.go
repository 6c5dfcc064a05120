package data

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// runNotices are what the page of a run tells after a form, by the value of done in its
// address.
var runNotices = map[string]string{"started": "It is queued and begins by itself.", "paused": "It pauses.", "resumed": "It goes on.", "cancelled": "It is cancelled. What it found stays."}

// shownSteps is how many steps of a run a page lists: all steps of an order that names no
// number, twice over. [FoldSteps] keeps long lists light.
const shownSteps = 200

// changesView reads for the page that shows a run the parts that changed: its state, and
// the steps after number since. Without a number it reads all steps.
func (s *Handlers) changesView(r *http.Request) (RunView, error) {
	v, err := s.runView(r)
	since, _ := strconv.Atoi(r.URL.Query().Get("since"))
	for i, step := range v.Steps { // the latest first
		if step.N <= since {
			v.Steps = v.Steps[:i]
			break
		}
	}
	return v, err
}

// runView takes six round trips, and some more to find the last event of a run that is
// not over. That event is found before the run is read: a page that follows the events
// after it then misses nothing, though it may be told of something that it shows already.
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
	if last > 0 {
		if run, err = s.run(ctx, run.ID); err != nil {
			return RunView{}, err
		}
	}
	v, err := s.runHead(ctx, run)
	if err != nil {
		return v, err
	}
	v.Notice, v.Last, v.Show = runNotices[r.URL.Query().Get("done")], last, parseStepFilter(r.URL.Query().Get("show"))
	return v, cmp.Or(s.fillSteps(r, &v), s.fillInsights(ctx, &v))
}

// lastEvent returns the number of the last event of a run, and 0 for a run that is
// over, which nobody follows.
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

// runHead returns the view of a run without its steps.
func (s *Handlers) runHead(ctx context.Context, run runs.Run) (RunView, error) {
	v := RunView{Nav: web.NavOf(ctx, ui.AtData), RunCard: RunCard{Run: run}}
	p, err := s.Projects.Find(ctx, run.Tenant, run.Project)
	if err != nil {
		return v, err
	}
	v.ProjectName = p.Name
	return v, errors.Join(s.fillAreas(ctx, p, &v), s.fillWarehouse(ctx, &v))
}

// fillAreas adds the names of the areas that a run is limited to. Where the pack is
// gone, their ids have to do.
func (s *Handlers) fillAreas(ctx context.Context, p projects.Project, v *RunView) error {
	if len(v.Run.Areas) == 0 {
		return nil
	}
	areas, err := s.areasOf(ctx, p)
	if err != nil && !fault.Is(err, fault.Unprocessable) {
		return err
	}
	names := map[string]string{}
	for _, a := range areas {
		names[a.ID] = a.Name
	}
	v.AreaNames = web.Map(v.Run.Areas, func(id string) string { return ui.NameOr(names[id], id) })
	return nil
}

// fillWarehouse adds the name of the warehouse, if it is still connected.
func (s *Handlers) fillWarehouse(ctx context.Context, v *RunView) error {
	if v.Run.Warehouse == "" {
		return nil
	}
	w, err := s.Connections.Find(ctx, v.Tenant, v.Run.Warehouse)
	if fault.Is(err, fault.NotFound) { // forgotten since the run was read
		return nil
	}
	v.WarehouseName = warehouseName(w)
	return err
}

// warehouseName returns the name of a warehouse with its make.
func warehouseName(w connections.Warehouse) string {
	return w.Name + " (" + makes[w.Kind].Name + ")"
}

// fillSteps adds the steps up to ?to= that the chosen filter shows, latest first. The
// counts beside the filters are of these at most 200 steps.
func (s *Handlers) fillSteps(r *http.Request, v *RunView) error {
	ctx, q := r.Context(), r.URL.Query()
	end, _ := strconv.Atoi(q.Get("to"))
	if end <= 0 || end > v.Counters.Steps {
		end = v.Counters.Steps + 1 // the counters do not count a step that is under way
	}
	list, errSteps := runs.Steps(ctx, s.Pool, v.Tenant, v.ID, max(end-shownSteps, 0), shownSteps)
	given, errFeedback := s.feedback(ctx, v.Run)
	if err := cmp.Or(errSteps, errFeedback); err != nil {
		return err
	}
	for i := len(list) - 1; i >= 0; i-- {
		step := toStepView(v.ID, list[i])
		if step.N > end {
			continue
		}
		given.fill(&step)
		v.count(&step)
		if v.Show.includes(&step) {
			v.Steps = append(v.Steps, step)
		}
		if step.State == runs.Asked && v.Status == runs.Running {
			v.Detail = "Step " + strconv.Itoa(step.N) + ": " + step.Title()
		}
	}
	if end > shownSteps {
		v.MoreSteps = runPath(v.ID) + "?to=" + strconv.Itoa(end-shownSteps)
	}
	open, _ := strconv.Atoi(q.Get("open")) // 0 is no step
	FoldSteps(v.Steps, open)
	return nil
}

// stepPage shows one step; with part, only its markup, for the page that unfolds it.
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

// stepView returns the whole step that an address names, and the head of its run.
func (s *Handlers) stepView(r *http.Request) (RunView, StepView, error) {
	ctx := r.Context()
	run, err := s.run(ctx, r.PathValue("id"))
	if err != nil {
		return RunView{}, StepView{}, err
	}
	n, _ := strconv.Atoi(r.PathValue("n")) // 0 is no step
	stored, errStep := s.step(ctx, run, n)
	given, errFeedback := s.feedback(ctx, run)
	v, errHead := s.runHead(ctx, run)
	step := toStepView(run.ID, stored)
	step.Whole = true
	given.fill(&step)
	return v, step, cmp.Or(errStep, errFeedback, errHead)
}

// feedbackByStep is the feedback on the steps of a run, by their numbers.
type feedbackByStep struct {
	user   string // the reader
	byStep map[string][]projects.Feedback
}

func (s *Handlers) feedback(ctx context.Context, run runs.Run) (feedbackByStep, error) {
	out := feedbackByStep{web.ActorFrom(ctx).User, map[string][]projects.Feedback{}}
	list, err := s.Projects.Feedback(ctx, run.Tenant, run.Project, run.ID)
	for _, f := range list {
		if f.Target == projects.OfStep {
			out.byStep[f.Ref] = append(out.byStep[f.Ref], f)
		}
	}
	return out, err
}

// fill adds the votes on a step, and the reader's own vote and comment.
func (f feedbackByStep) fill(step *StepView) {
	for _, one := range f.byStep[strconv.Itoa(step.N)] {
		switch one.Vote {
		case projects.Like:
			step.Likes++
		case projects.Dislike:
			step.Dislikes++
		case projects.NoVote:
		}
		if one.User == f.user {
			step.Vote, step.Comment = one.Vote, one.Comment
		}
	}
}

// submitControl returns the handler of a button that gives a command to a run.
func (s *Handlers) submitControl(do control, done string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		a, id := web.ActorFrom(r.Context()), r.PathValue("id")
		if _, err := do(s.Commands, r.Context(), a.Tenant, id, a.User); err != nil {
			return s.runAgain(w, r, err)
		}
		return web.EndForm(w, r, runPath(id)+"?done="+done)
	}
}

// runAgain shows the page of a run with the reason why something could not be done.
func (s *Handlers) runAgain(w http.ResponseWriter, r *http.Request, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, err := s.runView(r)
		v.Failure = reason
		return Run(v), err
	})
}

// submitRunDelete deletes a run if the box beside the button is ticked.
func (s *Handlers) submitRunDelete(w http.ResponseWriter, r *http.Request) error {
	run, err := s.run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if err = confirmed(r, "tick the box beside the button to delete it"); err == nil {
		err = s.Commands.Delete(r.Context(), run.Tenant, run.ID)
	}
	if err != nil {
		return s.runAgain(w, r, err)
	}
	return web.EndForm(w, r, projectPath(run.Project)+"?done=deleted#runs")
}

// submitFeedback stores what a person thinks of a step. Feedback that is refused is
// shown again on the step's own page, where its form is open.
func (s *Handlers) submitFeedback(w http.ResponseWriter, r *http.Request) error {
	id, n := r.PathValue("id"), r.PathValue("n")
	number, _ := strconv.Atoi(n) // 0 is no step
	err := s.judge(r.Context(), id, number, projects.Vote(r.PostFormValue("vote")), r.PostFormValue("comment"))
	if err == nil {
		return web.EndForm(w, r, runPath(id)+"?open="+n+"#step-"+n)
	}
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, step, bad := s.stepView(r)
		v.Failure, step.Form = reason, web.FormOf(r, step.form(), err)
		return StepPage(v, step), bad
	})
}
