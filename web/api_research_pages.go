package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web/ui"
)

// researchPages registers the pages of what was found, and what their forms are
// sent to. Those below a session are for its guests too.
func (s *Server) researchPages(r chi.Router) {
	for _, base := range []string{"/research/{task}", "/s/{id}/research/{task}"} {
		r.Get(base, s.handle(s.reportPage))
		r.Get(base+"/sources/{n}", s.handle(s.sourcePage))
		r.Post(base+"/cancel", s.handle(s.cancelHere))
		r.Post(base+"/steer", s.handle(s.steerHere))
		s.reportRoutes(r, base)
	}
	r.Post("/s/{id}/research", s.handle(s.lookUpHere))
	r.Get("/s/{id}/research/{task}/card", s.handle(s.taskCard))
	r.Post("/s/{id}/research/{task}/confirm", s.handle(s.confirmHere))
	r.Post("/s/{id}/research/{task}/dispute", s.handle(s.disputeHere))
}

func (s *Server) reportPage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	v, err := s.reportView(r.Context(), t)
	if err != nil {
		return err
	}
	v.Base, v.Nav = baseOfTask(r, t), navOf(r.Context(), placeOf(t))
	_, err = s.changeable(speaking(r.Context()), t.ID)
	v.Acts = err == nil
	return render(w, r, ui.Report(v))
}

// baseOfTask is the address of a task's page that its reader is at.
func baseOfTask(r *http.Request, t research.Task) string {
	if strings.HasPrefix(r.URL.Path, "/research/") {
		return "/research/" + t.ID
	}
	return ui.TaskPath(t)
}

// placeOf is the part of the product a task belongs to.
func placeOf(t research.Task) ui.Place {
	if t.Scope.Session != "" {
		return ui.AtInterviews
	}
	return ui.AtResearch
}

func (s *Server) sourcePage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	d, err := s.routedSource(r, t)
	if err != nil {
		return err
	}
	report, err := research.LoadReport(r.Context(), s.Pool, t.Scope.Tenant, t.ID)
	if err != nil {
		return err
	}
	v := ui.SourceView{Document: d, Base: baseOfTask(r, t), Nav: navOf(r.Context(), placeOf(t))}
	v.Claims = slices.DeleteFunc(report.Claims, func(c research.Claim) bool { return c.Source != d.N })
	if v.Page, err = strconv.Atoi(r.URL.Query().Get("page")); err != nil {
		v.Page = 1
	}
	return render(w, r, ui.Source(v))
}

// taskCard answers with the card of one task, for the page that shows it.
func (s *Server) taskCard(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	t, err := research.Find(r.Context(), s.Pool, session.Tenant, r.PathValue("task"))
	if err == nil && t.Scope.Session != session.ID {
		err = noTask()
	}
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	if v.Reports == nil || v.Reports[t.ID].Task.ID == "" {
		report, err := research.LoadReport(r.Context(), s.Pool, t.Scope.Tenant, t.ID)
		if err != nil {
			return err
		}
		v.Reports = map[string]research.Report{t.ID: report}
	}
	return render(w, r, ui.TaskCard(t, v))
}

// posted reads the form of a page.
func posted(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "the form cannot be read").Because(err)
	}
	for name, values := range r.PostForm {
		for _, v := range values {
			if strings.ContainsRune(v, 0) {
				return fault.New(fault.Invalid, "holds a NUL character").At(name).Coded("nul_character")
			}
		}
	}
	return nil
}

// heard ends the request of a form: a page without scripts goes back to where it
// was, a script needs no answer.
func heard(w http.ResponseWriter, r *http.Request, back string) error {
	if wantsPage(r) {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// backOf is where a form about a task came from: the interview's page, or the
// task's own.
func backOf(r *http.Request, t research.Task) string {
	if t.Scope.Session != "" && !strings.HasPrefix(r.URL.Path, "/research/") {
		return "/s/" + t.Scope.Session + "#research"
	}
	return "/research/" + t.ID
}

func (s *Server) lookUpHere(w http.ResponseWriter, r *http.Request) error {
	if err := posted(w, r); err != nil {
		return err
	}
	session, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	request := r.PostFormValue("requestId")
	if request != "" && canonical(request) == "" {
		return fault.New(fault.Unprocessable, "must be a UUID").At("requestId")
	}
	if _, _, err := s.lookUp(r.Context(), research.TaskRequest{Session: session.Scope(), Request: request, Query: r.PostFormValue("query")}); err != nil {
		return err
	}
	return heard(w, r, "/s/"+session.ID+"#research")
}

func (s *Server) cancelHere(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(ctx context.Context, t research.Task, by string) error {
		_, err := s.Office.Cancel(ctx, t.Scope.Tenant, t.ID, by)
		return err
	})
}

func (s *Server) steerHere(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(ctx context.Context, t research.Task, by string) error {
		_, err := s.Office.Steer(ctx, t.Scope.Tenant, t.ID, by, r.PostFormValue("text"))
		return err
	})
}

// change does what a page's form asks for with the task it names.
func (s *Server) change(w http.ResponseWriter, r *http.Request, do func(ctx context.Context, t research.Task, by string) error) error {
	if err := posted(w, r); err != nil {
		return err
	}
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	a := actorFrom(r.Context())
	if err := need(a, auth.Talk); err != nil {
		return err
	}
	if err := do(r.Context(), t, a.User); err != nil {
		return err
	}
	return heard(w, r, backOf(r, t))
}

func (s *Server) confirmHere(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, func(ctx context.Context, sc obligations.Scope, p chat.Actor, proposal research.Proposal) error {
		_, err := s.Engine.Confirm(ctx, sc, p, proposal.Key, proposal.Value)
		return err
	})
}

func (s *Server) disputeHere(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, func(ctx context.Context, sc obligations.Scope, p chat.Actor, proposal research.Proposal) error {
		_, err := s.Engine.StartNegotiation(ctx, sc, p, proposal.Key, proposal.Value, r.PostFormValue("reason"))
		return err
	})
}

// decide accepts or rejects what a task proposed, in the name of the actor.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, do func(context.Context, obligations.Scope, chat.Actor, research.Proposal) error) error {
	return s.change(w, r, func(ctx context.Context, t research.Task, _ string) error {
		if t.Proposal == nil {
			return fault.New(fault.Conflict, "this research proposes nothing").Coded("nothing_proposed")
		}
		found, reviewer, err := s.party(ctx, t.Scope.Session, "")
		if err != nil {
			return err
		}
		return do(ctx, found.Scope(), chat.Actor{User: actorFrom(ctx).User, Reviewer: reviewer}, *t.Proposal)
	})
}

// maxReports bounds the tasks whose findings a conversation's page shows: the
// latest. Of older ones it shows what came of them.
const maxReports = 6

// reports reads what was found by the latest of a session's tasks that began.
func (s *Server) reports(ctx context.Context, list []research.Task) (map[string]research.Report, error) {
	out := map[string]research.Report{}
	for _, t := range slices.Backward(list) {
		if t.Started == nil || len(out) == maxReports {
			continue
		}
		r, err := research.LoadReport(ctx, s.Pool, t.Scope.Tenant, t.ID)
		if err != nil {
			return nil, err
		}
		out[t.ID] = r
	}
	return out, nil
}
