package research

import (
	"cmp"
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

// reportPage shows what a task found. Acts is worked out as for a write, so that a person
// who may only read along is not offered what would be refused.
func (s *Handlers) reportPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.reportView(r)
	if err != nil {
		return err
	}
	t := v.Report.Task
	v.Base, v.Nav = baseOfTask(r, t), web.NavOf(r.Context(), placeOf(t))
	_, err = s.changeable(web.AsWrite(r.Context()), t.ID)
	v.Acts = err == nil
	return web.Render(w, r, Report(v))
}

// baseOfTask returns the address of the task's page that the request is for, of the two
// there may be.
func baseOfTask(r *http.Request, t research.Task) string {
	if strings.HasPrefix(r.URL.Path, "/research/") {
		return "/research/" + t.ID
	}
	return tasks.Path(t)
}

// placeOf returns the part of the product that a task belongs to.
func placeOf(t research.Task) ui.Place {
	if t.Scope.Session != "" {
		return ui.AtInterviews
	}
	return ui.AtResearch
}

// sourceView shows a page of a source's text, with the claims that quote it.
func (s *Handlers) sourceView(r *http.Request) (SourceView, error) {
	t, d, err := s.routedSource(r)
	if err != nil {
		return SourceView{}, err
	}
	report, err := research.LoadReport(r.Context(), s.Pool, t.Scope.Tenant, t.ID)
	v := SourceView{Document: d, Base: baseOfTask(r, t), Nav: web.NavOf(r.Context(), placeOf(t))}
	v.Claims = slices.DeleteFunc(report.Claims, func(c research.Claim) bool { return c.Source != d.N })
	v.Page, _ = strconv.Atoi(r.URL.Query().Get("page")) // what is not a number is the first page
	return v, err
}

// backOf returns where a form about a task came from: the interview's page, or the page of
// the task itself.
func backOf(r *http.Request, t research.Task) string {
	if t.Scope.Session != "" && !strings.HasPrefix(r.URL.Path, "/research/") {
		return "/s/" + t.Scope.Session + "#research"
	}
	return "/research/" + t.ID
}

// postedQuestion reads the form that asks a question. Its request id, which the page was
// made with, keeps a form that is sent twice from asking twice.
func postedQuestion(r *http.Request) (research.TaskRequest, error) {
	q := research.TaskRequest{Request: r.PostFormValue("requestId"), Query: r.PostFormValue("query")}
	if q.Request != "" && web.CanonicalID(q.Request) == "" {
		return q, fault.New(fault.Unprocessable, "must be a UUID").At("requestId")
	}
	return q, nil
}

// askInSession takes a question that belongs to an interview.
func (s *Handlers) askInSession(w http.ResponseWriter, r *http.Request) error {
	q, errQuestion := postedQuestion(r)
	session, errSession := s.Session(r.Context(), r.PathValue("id"))
	if err := cmp.Or(errQuestion, errSession); err != nil {
		return err
	}
	q.Session = session.Scope()
	if _, _, err := s.ask(r.Context(), q); err != nil {
		return err
	}
	return web.EndForm(w, r, "/s/"+session.ID+"#research")
}

// askAlone takes a question that belongs to no interview, and leads to its task.
func (s *Handlers) askAlone(w http.ResponseWriter, r *http.Request) error {
	q, err := postedQuestion(r)
	if err != nil {
		return err
	}
	t, _, err := s.ask(r.Context(), q)
	if err != nil {
		return err
	}
	return web.EndForm(w, r, tasks.Path(t))
}

// cancelByForm ends an open task.
func (s *Handlers) cancelByForm(r *http.Request, t research.Task, by string) error {
	_, err := s.Commands.Cancel(r.Context(), t.Scope.Tenant, t.ID, by)
	return err
}

// steerByForm tells an open task where to look.
func (s *Handlers) steerByForm(r *http.Request, t research.Task, by string) error {
	_, err := s.Commands.Steer(r.Context(), t.Scope.Tenant, t.ID, by, r.PostFormValue("text"))
	return err
}

// submitChange returns the handler of a form that changes the task its address names, in
// the name of the actor, who must be allowed to talk.
func (s *Handlers) submitChange(do func(r *http.Request, t research.Task, by string) error) http.HandlerFunc {
	return s.HandleForm(func(w http.ResponseWriter, r *http.Request) error {
		a := web.ActorFrom(r.Context())
		t, err := s.routedTask(r)
		if err == nil {
			err = web.Need(a, auth.Talk)
		}
		if err == nil {
			err = do(r, t, a.User)
		}
		if err != nil {
			return err
		}
		return web.EndForm(w, r, backOf(r, t))
	})
}

// confirmByForm takes the proposed value as it is.
func (s *Handlers) confirmByForm(r *http.Request, sc obligations.Scope, p chat.Actor, proposal *research.Proposal) error {
	_, err := s.Engine.Confirm(r.Context(), sc, p, proposal.Key, proposal.Value)
	return err
}

// disputeByForm opens a negotiation about the proposed value.
func (s *Handlers) disputeByForm(r *http.Request, sc obligations.Scope, p chat.Actor, proposal *research.Proposal) error {
	_, err := s.Engine.StartNegotiation(r.Context(), sc, p, proposal.Key, proposal.Value, r.PostFormValue("reason"))
	return err
}

// submitDecision returns the handler of a form that accepts or rejects what a task
// proposed. The engine is told whether the actor takes part in the session or reviews it.
func (s *Handlers) submitDecision(do func(*http.Request, obligations.Scope, chat.Actor, *research.Proposal) error) http.HandlerFunc {
	return s.submitChange(func(r *http.Request, t research.Task, by string) error {
		if t.Proposal == nil {
			return fault.New(fault.Conflict, "this research proposes nothing").Coded("nothing_proposed")
		}
		found, reviewer, err := s.Party(r.Context(), t.Scope.Session, "")
		if err != nil {
			return err
		}
		return do(r, found.Scope(), chat.Actor{User: by, Reviewer: reviewer}, t.Proposal)
	})
}

// listView lists what the actor has had looked up. It reads one task more than it shows, to
// learn whether there is a next page.
func (s *Handlers) listView(r *http.Request) (v ResearchView, err error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Read); err != nil {
		return v, err
	}
	f := research.Filter{User: a.User, Max: web.ListRows + 1}
	if f.BeforeAt, f.BeforeID, err = web.ParsePlace(r.URL.Query().Get("cursor")); err != nil {
		return v, err
	}
	// The request id is new with every page, so that asking the same again is a new question.
	v = ResearchView{Nav: web.NavOf(ctx, ui.AtResearch), Asks: a.May(auth.Talk), Request: uuid.NewString(), Later: f.BeforeID != "",
		Sourceless: s.Researchable != nil && !s.Researchable()}
	v.Tasks, err = research.Page(ctx, s.Pool, a.Tenant, f)
	if len(v.Tasks) > web.ListRows {
		v.Tasks = v.Tasks[:web.ListRows]
		last := v.Tasks[web.ListRows-1]
		v.Older = web.FormatPlace(last.Created, last.ID)
	}
	return v, err
}
