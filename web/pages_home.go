package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// Bounds of the first page and the lists it leads to.
const (
	homeOpen     = 6  // open sessions on the first page
	homeFinished = 4  // finished ones
	listRows     = 20 // sessions or questions on a page of a list
)

// places are the parts of the product, with what it takes to go there.
var places = []struct {
	place ui.Place
	needs auth.Permission
}{
	{ui.AtInterviews, auth.Read},
	{ui.AtResearch, auth.Read},
	{ui.AtData, auth.Review},
	{ui.AtReview, auth.Review},
	{ui.AtObjectives, auth.Review},
	{ui.AtManage, auth.Manage},
}

// navOf says where the actor of a request may go from a page, and whether they may sign
// out. Guests stay in their interview.
func navOf(ctx context.Context, here ui.Place) ui.Nav {
	a, n := actorFrom(ctx), ui.Nav{Here: here}
	if credentialFrom(ctx).browser {
		n.User = a.User
	}
	for _, p := range places {
		if a.Session == "" && a.May(p.needs) {
			n.Places = append(n.Places, p.place)
		}
	}
	return n
}

// home takes three round trips, whatever the number of sessions: the sessions,
// the objectives, and what is known in all of the sessions.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	var open, finished []sessions.Session
	b := postgres.NewBatch(a.Tenant)
	sessions.LoadPage(b, sessions.Filter{Tenant: a.Tenant, User: a.User, Status: sessions.Active, Max: homeOpen + 1}, &open)
	sessions.LoadPage(b, sessions.Filter{Tenant: a.Tenant, User: a.User, Status: sessions.Completed, Max: listRows}, &finished)
	if err := b.Send(ctx, s.Pool); err != nil {
		return fmt.Errorf("list sessions of the first page: %w", err)
	}
	objectives, err := s.Library.List(ctx, a.Tenant, objectives.OnlyActive)
	if err != nil {
		return err
	}
	slices.SortStableFunc(finished, func(x, y sessions.Session) int { return y.UpdatedAt.Compare(x.UpdatedAt) })
	v := ui.HomeView{Nav: navOf(ctx, ui.AtInterviews), Interviewer: s.Engine.Interviewer(), User: a.User, Talks: a.May(auth.Talk),
		Objectives: items(objectives, objectiveCard), MoreOpen: len(open) > homeOpen, MoreFinished: len(finished) > homeFinished}
	open, finished = open[:min(len(open), homeOpen)], finished[:min(len(finished), homeFinished)]
	cards, err := s.cards(ctx, a, append(open, finished...))
	if err != nil {
		return err
	}
	v.Sessions, v.Finished = cards[:len(open)], cards[len(open):]
	return render(w, r, ui.Home(v))
}

func objectiveCard(o objectives.Objective) ui.ObjectiveCard {
	return ui.ObjectiveCard{ContextType: o.ContextType, Name: o.DisplayName, Description: o.Definition.Description,
		Topics: ui.Topics(o.Definition.Obligations), Questions: len(o.Definition.Obligations)}
}

// cards sums up an actor's sessions in one round trip, and one for each of their
// objectives that this server has not read yet. The objectives come first: a
// batch must not wait for another connection.
func (s *Server) cards(ctx context.Context, a auth.Actor, list []sessions.Session) ([]ui.SessionCard, error) {
	if len(list) == 0 {
		return nil, nil
	}
	definitions := make([]*objectives.Definition, len(list))
	known := make([][]obligations.Obligation, len(list))
	b := postgres.NewBatch(a.Tenant)
	for i, session := range list {
		var err error
		if definitions[i], err = s.Library.Definition(ctx, a.Tenant, session.ObjectiveID); err != nil {
			return nil, err
		}
		obligations.Load(b, session.Scope(), s.Library.Templates(ctx, a.Tenant), &known[i])
	}
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, fmt.Errorf("read what %d sessions know: %w", len(list), err)
	}
	out := make([]ui.SessionCard, len(list))
	for i, session := range list {
		out[i] = card(session, definitions[i], known[i])
		out[i].By = other(session.User, a)
	}
	return out, nil
}

func card(session sessions.Session, d *objectives.Definition, list []obligations.Obligation) ui.SessionCard {
	got := d.Completion.Score(list)
	c := ui.SessionCard{ID: session.ID, Title: d.DisplayName, Gist: ui.Gist(list), Phase: session.Phase, Status: session.Status,
		Progress: session.Progress, Known: got.Satisfied, Total: got.Total, UpdatedAt: session.UpdatedAt}
	if session.CompletedAt != nil {
		c.EndedAt = *session.CompletedAt
	}
	if q := session.Question; q != nil && session.Status == sessions.Active {
		q.Complete(obligations.TemplateOf(list))
		c.Next = q.Label
	}
	return c
}

// other is who began something when that is not the actor.
func other(user string, a auth.Actor) string {
	if user == a.User {
		return ""
	}
	return user
}

// start begins an interview of its own and lets the interviewer open it.
func (s *Server) start(w http.ResponseWriter, r *http.Request) error {
	a := actorFrom(r.Context())
	if err := need(a, auth.Talk); err != nil {
		return err
	}
	created, err := s.Engine.Create(r.Context(), a.Tenant, a.User, r.FormValue("contextType"))
	if err != nil {
		return err
	}
	if _, err := s.Engine.Start(r.Context(), chat.Input{Tenant: a.Tenant, User: a.User, SessionID: created.ID}); err != nil {
		return err
	}
	http.Redirect(w, r, "/s/"+created.ID, http.StatusSeeOther)
	return nil
}

// interviews lists the actor's sessions of a status, a page at a time.
func (s *Server) interviews(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	if err := need(a, auth.Read); err != nil {
		return err
	}
	v := ui.InterviewsView{Nav: navOf(ctx, ui.AtInterviews), Status: sessions.Active}
	if r.URL.Query().Get("status") == string(sessions.Completed) {
		v.Status = sessions.Completed
	}
	at, id, err := parsePlace(r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	list, err := sessions.List(ctx, s.Pool, sessions.Filter{Tenant: a.Tenant, User: a.User, Status: v.Status, BeforeAt: at, BeforeID: id, Max: listRows + 1})
	if err != nil {
		return err
	}
	v.Later = id != ""
	if len(list) > listRows {
		list = list[:listRows]
		v.Older = formatPlace(list[listRows-1].CreatedAt, list[listRows-1].ID)
	}
	if v.Sessions, err = s.cards(ctx, a, list); err != nil {
		return err
	}
	return render(w, r, ui.Interviews(v))
}

// asked lists what the actor had looked up, a page at a time.
func (s *Server) asked(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	if err := need(a, auth.Read); err != nil {
		return err
	}
	f := research.Filter{User: a.User, Max: listRows + 1}
	var err error
	if f.BeforeAt, f.BeforeID, err = parsePlace(r.URL.Query().Get("cursor")); err != nil {
		return err
	}
	v := ui.ResearchView{Nav: navOf(ctx, ui.AtResearch), Asks: a.May(auth.Talk), Request: uuid.NewString(), Later: f.BeforeID != "",
		Sourceless: s.Researchable != nil && !s.Researchable()}
	if v.Tasks, err = research.Page(ctx, s.Pool, a.Tenant, f); err != nil {
		return err
	}
	if len(v.Tasks) > listRows {
		v.Tasks = v.Tasks[:listRows]
		last := v.Tasks[listRows-1]
		v.Older = formatPlace(last.Created, last.ID)
	}
	return render(w, r, ui.Research(v))
}

// ask takes a question that belongs to no interview, and shows what comes of it.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) error {
	if err := posted(w, r); err != nil {
		return err
	}
	request := r.PostFormValue("requestId")
	if request != "" && canonical(request) == "" {
		return fault.New(fault.Unprocessable, "must be a UUID").At("requestId")
	}
	t, _, err := s.lookUp(r.Context(), research.TaskRequest{Request: request, Query: r.PostFormValue("query")})
	if err != nil {
		return err
	}
	return heard(w, r, ui.TaskPath(t))
}

// styleguide shows what pages are made of; only those who develop are offered it.
func (s *Server) styleguide(w http.ResponseWriter, r *http.Request) error {
	return render(w, r, ui.Styleguide(ui.StyleguideView{Nav: navOf(r.Context(), "")}))
}
