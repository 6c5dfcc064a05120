package data

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions/settings/models"
	"quaestor/web"
	"quaestor/web/ui"
)

// fillPlan adds the schedule, the model and the spending of a project.
func (s *Handlers) fillPlan(ctx context.Context, tenant string, v *ProjectView) error {
	v.Manages = web.ActorFrom(ctx).May(auth.Manage)
	schedule, err := s.Projects.Schedule(ctx, tenant, v.ID)
	switch {
	case err == nil:
		v.Scheduled = &schedule
		if !schedule.Paused {
			v.Next = schedule.After(time.Now(), projects.ShownTimes)
		}
	case !fault.Is(err, fault.NotFound):
		return err
	}
	if v.Project.Model != "" {
		m, err := s.Models.Find(ctx, tenant, v.Project.Model)
		if err != nil {
			return err
		}
		v.PlanView.Model = &m
	}
	list, errModels := s.Models.List(ctx, tenant)
	months, errMonths := runs.Months(ctx, s.Pool, tenant, v.ID)
	v.Months = months
	v.Models = append([]ui.Choice{{Value: "", Name: "The one that the organisation uses"}}, web.Map(list, func(m models.Model) ui.Choice { return ui.Choice{Value: m.ID, Name: m.Name} })...)
	return cmp.Or(errModels, errMonths)
}

// submitEstimate shows the page of a project with the estimate of a run, whose form stays as it was
// filled in.
func (s *Handlers) submitEstimate(w http.ResponseWriter, r *http.Request) error {
	o, err := s.postedOrder(r)
	if err != nil {
		return s.projectAgain(w, r, "run", err)
	}
	e, err := s.Estimate(r.Context(), web.ActorFrom(r.Context()).Tenant, o)
	if err != nil {
		return s.projectAgain(w, r, "run", err)
	}
	v, err := s.projectView(r)
	if err != nil {
		return err
	}
	v.Form = web.FormOf(r, "run", nil)
	v.Estimate = &e
	return web.Render(w, r, Project(v))
}

// submitSchedule sets, pauses, resumes or removes the schedule of a project, by the button that was
// pressed.
func (s *Handlers) submitSchedule(w http.ResponseWriter, r *http.Request) error {
	a, id := web.ActorFrom(r.Context()), r.PathValue("id")
	err := s.changeSchedule(r.Context(), a, id, r)
	if err != nil {
		return s.projectAgain(w, r, "schedule", err)
	}
	return web.EndForm(w, r, projectPath(id)+"?done=scheduled#schedule")
}

func (s *Handlers) changeSchedule(ctx context.Context, a auth.Actor, id string, r *http.Request) error {
	act := r.PostFormValue("act")
	version, _ := strconv.Atoi(r.PostForm.Get("version")) // 0 where there was none, and refused where there is one
	if act == "remove" {
		return s.Projects.DeleteSchedule(ctx, a.Tenant, id, a.User)
	}
	if act == "pause" || act == "resume" {
		old, err := s.Projects.Schedule(ctx, a.Tenant, id)
		if err != nil {
			return err
		}
		old.Paused = act == "pause"
		_, err = s.Projects.SetSchedule(ctx, a.Tenant, id, a.User, version, old.Timing, time.Now())
		return err
	}
	steps, err := wholeNumber(r.PostForm, "maxSteps", "is a whole number")
	if err != nil {
		return err
	}
	_, err = s.Projects.SetSchedule(ctx, a.Tenant, id, a.User, version, projects.Timing{Cron: r.PostForm.Get("cron"), Zone: r.PostForm.Get("zone"), Warehouse: r.PostForm.Get("warehouseId"), MaxSteps: int(steps)}, time.Now())
	return err
}

// submitProjectModel chooses the model of a project, gives it one of its own, or takes that away.
func (s *Handlers) submitProjectModel(w http.ResponseWriter, r *http.Request) error {
	ctx, id, form := r.Context(), r.PathValue("id"), r.PostForm
	var err error
	switch form.Get("act") {
	case "own":
		in := &projectModelChange{ID: id}
		in.Body.Name, in.Body.BaseURL, in.Body.Key = form.Get("name"), form.Get("baseUrl"), secret.New(form.Get("key")).Reveal()
		_, err = s.putProjectModel(ctx, in)
	default:
		if choice := form.Get("modelId"); choice == "" {
			err = s.deleteProjectModel(ctx, &projectID{id})
		} else {
			in := &projectModelChange{ID: id}
			in.Body.ModelID = choice
			_, err = s.putProjectModel(ctx, in)
		}
	}
	if err != nil {
		return s.projectAgain(w, r, "model", err)
	}
	return web.EndForm(w, r, projectPath(id)+"?done=model#model")
}

// postedBudget reads the budget of a project from its form.
func postedBudget(r *http.Request) (b budgetBody, err error) {
	usd, errUSD := decimalNumber(r, "budget.usd")
	tokens, errTokens := wholeNumber(r.PostForm, "budget.tokens", "is a whole number, or empty")
	gigabytes, errBytes := decimalNumber(r, "budget.bytes")
	minutes, errTime := wholeNumber(r.PostForm, "budget.time", "is a whole number of minutes, or empty")
	return budgetBody{USD: usd, Tokens: tokens, Bytes: int64(gigabytes * 1e9), Seconds: minutes * 60}, cmp.Or(errUSD, errTokens, errBytes, errTime)
}

// decimalNumber reads a field that takes a number of at least 0; empty is 0.
func decimalNumber(r *http.Request, field string) (float64, error) {
	text := strings.TrimSpace(r.PostForm.Get(field))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
	if err != nil || !(n >= 0 && n <= 1e9) {
		return 0, fault.New(fault.Unprocessable, "is a number such as 12.5, or empty").At(field)
	}
	return n, nil
}

// pricesAgain shows the page of prices with what was typed and what is wrong with it.
func (s *Handlers) pricesAgain(w http.ResponseWriter, r *http.Request, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.pricesView(r)
		v.Form = web.FormOf(r, r.PostFormValue("of"), err)
		v.Failure = v.Form.FailureOr(reason)
		return Prices(v), bad
	})
}
