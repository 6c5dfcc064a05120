package research

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

func (s *Handlers) reportPage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	v, err := s.reportView(r.Context(), t)
	if err != nil {
		return err
	}
	v.Base, v.Nav = baseOfTask(r, t), web.NavOf(r.Context(), placeOf(t))
	_, err = s.changeable(web.AsWrite(r.Context()), t.ID)
	v.Acts = err == nil
	return web.Render(w, r, Report(v))
}

// baseOfTask is the address of a task's page that its reader is at.
func baseOfTask(r *http.Request, t research.Task) string {
	if strings.HasPrefix(r.URL.Path, "/research/") {
		return "/research/" + t.ID
	}
	return tasks.Path(t)
}

// placeOf is the part of the product a task belongs to.
func placeOf(t research.Task) ui.Place {
	if t.Scope.Session != "" {
		return ui.AtInterviews
	}
	return ui.AtResearch
}

func (s *Handlers) sourcePage(w http.ResponseWriter, r *http.Request) error {
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
	v := SourceView{Document: d, Base: baseOfTask(r, t), Nav: web.NavOf(r.Context(), placeOf(t))}
	v.Claims = slices.DeleteFunc(report.Claims, func(c research.Claim) bool { return c.Source != d.N })
	if v.Page, err = strconv.Atoi(r.URL.Query().Get("page")); err != nil {
		v.Page = 1
	}
	return web.Render(w, r, Source(v))
}

// backOf is where a form about a task came from: the interview's page, or the
// task's own.
func backOf(r *http.Request, t research.Task) string {
	if t.Scope.Session != "" && !strings.HasPrefix(r.URL.Path, "/research/") {
		return "/s/" + t.Scope.Session + "#research"
	}
	return "/research/" + t.ID
}

func (s *Handlers) lookUpHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	request := r.PostFormValue("requestId")
	if request != "" && web.CanonicalID(request) == "" {
		return fault.New(fault.Unprocessable, "must be a UUID").At("requestId")
	}
	if _, _, err := s.lookUp(r.Context(), research.TaskRequest{Session: session.Scope(), Request: request, Query: r.PostFormValue("query")}); err != nil {
		return err
	}
	return web.EndForm(w, r, "/s/"+session.ID+"#research")
}

func (s *Handlers) cancelHere(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(ctx context.Context, t research.Task, by string) error {
		_, err := s.Commands.Cancel(ctx, t.Scope.Tenant, t.ID, by)
		return err
	})
}

func (s *Handlers) steerHere(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(ctx context.Context, t research.Task, by string) error {
		_, err := s.Commands.Steer(ctx, t.Scope.Tenant, t.ID, by, r.PostFormValue("text"))
		return err
	})
}

// change does what a page's form asks for with the task it names.
func (s *Handlers) change(w http.ResponseWriter, r *http.Request, do func(ctx context.Context, t research.Task, by string) error) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	a := web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Talk); err != nil {
		return err
	}
	if err := do(r.Context(), t, a.User); err != nil {
		return err
	}
	return web.EndForm(w, r, backOf(r, t))
}

func (s *Handlers) confirmHere(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, func(ctx context.Context, sc obligations.Scope, p chat.Actor, proposal research.Proposal) error {
		_, err := s.Engine.Confirm(ctx, sc, p, proposal.Key, proposal.Value)
		return err
	})
}

func (s *Handlers) disputeHere(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, func(ctx context.Context, sc obligations.Scope, p chat.Actor, proposal research.Proposal) error {
		_, err := s.Engine.StartNegotiation(ctx, sc, p, proposal.Key, proposal.Value, r.PostFormValue("reason"))
		return err
	})
}

// decide accepts or rejects what a task proposed, in the name of the actor.
func (s *Handlers) decide(w http.ResponseWriter, r *http.Request, do func(context.Context, obligations.Scope, chat.Actor, research.Proposal) error) error {
	return s.change(w, r, func(ctx context.Context, t research.Task, _ string) error {
		if t.Proposal == nil {
			return fault.New(fault.Conflict, "this research proposes nothing").Coded("nothing_proposed")
		}
		found, reviewer, err := s.Party(ctx, t.Scope.Session, "")
		if err != nil {
			return err
		}
		return do(ctx, found.Scope(), chat.Actor{User: web.ActorFrom(ctx).User, Reviewer: reviewer}, *t.Proposal)
	})
}

// asked lists what the actor had looked up, a page at a time.
func (s *Handlers) asked(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Read); err != nil {
		return err
	}
	f := research.Filter{User: a.User, Max: web.ListRows + 1}
	var err error
	if f.BeforeAt, f.BeforeID, err = web.ParsePlace(r.URL.Query().Get("cursor")); err != nil {
		return err
	}
	v := ResearchView{Nav: web.NavOf(ctx, ui.AtResearch), Asks: a.May(auth.Talk), Request: uuid.NewString(), Later: f.BeforeID != "",
		Sourceless: s.Researchable != nil && !s.Researchable()}
	if v.Tasks, err = research.Page(ctx, s.Pool, a.Tenant, f); err != nil {
		return err
	}
	if len(v.Tasks) > web.ListRows {
		v.Tasks = v.Tasks[:web.ListRows]
		last := v.Tasks[web.ListRows-1]
		v.Older = web.FormatPlace(last.Created, last.ID)
	}
	return web.Render(w, r, Research(v))
}

// ask takes a question that belongs to no interview, and shows what comes of it.
func (s *Handlers) ask(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	request := r.PostFormValue("requestId")
	if request != "" && web.CanonicalID(request) == "" {
		return fault.New(fault.Unprocessable, "must be a UUID").At("requestId")
	}
	t, _, err := s.lookUp(r.Context(), research.TaskRequest{Request: request, Query: r.PostFormValue("query")})
	if err != nil {
		return err
	}
	return web.EndForm(w, r, tasks.Path(t))
}
