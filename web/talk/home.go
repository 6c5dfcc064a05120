package talk

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// Bounds of the first page and the lists it leads to.
const (
	maxOpen     = 6 // open sessions on the first page
	maxFinished = 4 // finished ones
)

// home takes three round trips, whatever the number of sessions: the sessions,
// the objectives, and what is known in all of the sessions.
func (s *Handlers) home(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	var open, finished []sessions.Session
	b := postgres.NewBatch(a.Tenant)
	sessions.LoadPage(b, sessions.Filter{Tenant: a.Tenant, User: a.User, Status: sessions.Active, Max: maxOpen + 1}, &open)
	sessions.LoadPage(b, sessions.Filter{Tenant: a.Tenant, User: a.User, Status: sessions.Completed, Max: web.ListRows}, &finished)
	if err := b.Send(ctx, s.Pool); err != nil {
		return fmt.Errorf("list sessions of the first page: %w", err)
	}
	objectives, err := s.Library.List(ctx, a.Tenant, objectives.OnlyActive)
	if err != nil {
		return err
	}
	slices.SortStableFunc(finished, func(x, y sessions.Session) int { return y.UpdatedAt.Compare(x.UpdatedAt) })
	v := HomeView{Nav: web.NavOf(ctx, ui.AtInterviews), Interviewer: s.Engine.Interviewer(), User: a.User, Talks: a.May(auth.Talk),
		Objectives: web.Map(objectives, toObjectiveCard), MoreOpen: len(open) > maxOpen, MoreFinished: len(finished) > maxFinished}
	open, finished = open[:min(len(open), maxOpen)], finished[:min(len(finished), maxFinished)]
	cards, err := s.cards(ctx, a, append(open, finished...))
	if err != nil {
		return err
	}
	v.Sessions, v.Finished = cards[:len(open)], cards[len(open):]
	return web.Render(w, r, Home(v))
}

func toObjectiveCard(o objectives.Objective) ObjectiveCard {
	return ObjectiveCard{ContextType: o.ContextType, Name: o.DisplayName, Description: o.Definition.Description,
		Topics: Topics(o.Definition.Obligations), Questions: len(o.Definition.Obligations)}
}

// cards sums up an actor's sessions in one round trip, and one for each of their
// objectives that this server has not read yet. The objectives come first: a
// batch must not wait for another connection.
func (s *Handlers) cards(ctx context.Context, a auth.Actor, list []sessions.Session) ([]SessionCard, error) {
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
	out := make([]SessionCard, len(list))
	for i, session := range list {
		out[i] = card(session, definitions[i], known[i])
		out[i].By = otherUser(session.User, a)
	}
	return out, nil
}

func card(session sessions.Session, d *objectives.Definition, list []obligations.Obligation) SessionCard {
	got := d.Completion.Score(list)
	c := SessionCard{ID: session.ID, Title: d.DisplayName, Gist: Gist(list), Phase: session.Phase, Status: session.Status,
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

// otherUser is who began something when that is not the actor.
func otherUser(user string, a auth.Actor) string {
	if user == a.User {
		return ""
	}
	return user
}

// start begins an interview of its own and lets the interviewer open it.
func (s *Handlers) start(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Talk); err != nil {
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
func (s *Handlers) interviews(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Read); err != nil {
		return err
	}
	v := InterviewsView{Nav: web.NavOf(ctx, ui.AtInterviews), Status: sessions.Active}
	if r.URL.Query().Get("status") == string(sessions.Completed) {
		v.Status = sessions.Completed
	}
	at, id, err := web.ParsePlace(r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	list, err := sessions.List(ctx, s.Pool, sessions.Filter{Tenant: a.Tenant, User: a.User, Status: v.Status, BeforeAt: at, BeforeID: id, Max: web.ListRows + 1})
	if err != nil {
		return err
	}
	v.Later = id != ""
	if len(list) > web.ListRows {
		list = list[:web.ListRows]
		v.Older = web.FormatPlace(list[web.ListRows-1].CreatedAt, list[web.ListRows-1].ID)
	}
	if v.Sessions, err = s.cards(ctx, a, list); err != nil {
		return err
	}
	return web.Render(w, r, Interviews(v))
}

// styleguide shows what pages are made of; only those who develop are offered it.
func (s *Handlers) styleguide(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, ui.Styleguide(ui.StyleguideView{Nav: web.NavOf(r.Context(), ""), Search: GuideSearch(), Cards: GuideCardList()}))
}
