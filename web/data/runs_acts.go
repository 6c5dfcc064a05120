package data

import (
	"context"
	"net/http"

	"github.com/a-h/templ"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// controlHere does one thing to a run. What cannot be done is told on its page.
func (s *Handlers) controlHere(do func(o runs.Commands, ctx context.Context, tenant, id, by string) (runs.Run, error), done string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		a := web.ActorFrom(r.Context())
		if err := web.Need(a, auth.Review); err != nil {
			return err
		}
		if _, err := do(s.Commands, r.Context(), a.Tenant, r.PathValue("id"), a.User); err != nil {
			return s.runAgain(w, r, err)
		}
		return web.EndForm(w, r, "/data/runs/"+r.PathValue("id")+"?done="+done)
	}
}

// runAgain shows the run's page with why something could not be done.
func (s *Handlers) runAgain(w http.ResponseWriter, r *http.Request, err error) error {
	if !web.WantsPage(r) || fault.Is(err, fault.Internal) || fault.Is(err, fault.NotFound) {
		return err
	}
	v, bad := s.runView(r)
	if bad != nil {
		return bad
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Failure = web.Sentence(p.Detail)
	return renderRefused(w, r, p.Status, Run(v))
}

func (s *Handlers) deleteRunHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	run, err := s.run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if r.PostFormValue("sure") != "yes" {
		return s.runAgain(w, r, fault.New(fault.Unprocessable, "tick the box beside the button to delete it"))
	}
	if err := s.Commands.Delete(r.Context(), run.Tenant, run.ID); err != nil {
		return s.runAgain(w, r, err)
	}
	return web.EndForm(w, r, "/data/projects/"+run.Project+"?done=deleted#runs")
}

// judgeHere keeps what somebody thinks of a step. A comment that is refused is shown
// again on the step's own page.
func (s *Handlers) judgeHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	_, step, err := s.stepView(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	err = s.judge(r.Context(), id, step.N, projects.Vote(r.PostFormValue("vote")), r.PostFormValue("comment"))
	if err != nil {
		return s.stepAgain(w, r, err)
	}
	return web.EndForm(w, r, "/data/runs/"+id+"?open="+r.PathValue("n")+"#step-"+r.PathValue("n"))
}

func (s *Handlers) stepAgain(w http.ResponseWriter, r *http.Request, err error) error {
	if !web.WantsPage(r) || fault.Is(err, fault.Internal) || fault.Is(err, fault.NotFound) {
		return err
	}
	v, step, bad := s.stepView(r)
	if bad != nil {
		return bad
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Failure = web.Sentence(p.Detail)
	step.Form = web.FormOf(r, "feedback-"+r.PathValue("n"), err)
	return renderRefused(w, r, p.Status, StepPage(v, step))
}

// renderRefused shows a page again whose form was refused.
func renderRefused(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return page.Render(r.Context(), w)
}
