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

// Bounds of the lists on the first page: two rows of cards and a short list. The lists of
// all interviews are one click away.
const (
	maxOpen     = 6
	maxFinished = 4
)

// home draws the first page. It takes three round trips, whatever the number of sessions:
// the sessions, the objectives, and what is known in the sessions that are shown.
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
	// Pages are in the order in which sessions began; here the last finished comes first.
	slices.SortStableFunc(finished, func(x, y sessions.Session) int { return y.UpdatedAt.Compare(x.UpdatedAt) })
	v := HomeView{Nav: web.NavOf(ctx, ui.AtInterviews), Interviewer: s.Engine.InterviewerOf(ctx, a.Tenant), Talks: a.May(auth.Talk), Language: r.URL.Query().Get("language"),
		Objectives: objectives, MoreOpen: len(open) > maxOpen, MoreFinished: len(finished) > maxFinished}
	open, finished = open[:min(len(open), maxOpen)], finished[:min(len(finished), maxFinished)]
	cards, err := s.cards(ctx, a, append(open, finished...))
	if err != nil {
		return err
	}
	v.Sessions, v.Finished = cards[:len(open)], cards[len(open):]
	return web.Render(w, r, Home(v))
}

// cards returns the cards of sessions, in order, for the actor a. What is known comes in
// one round trip, after one for each objective that this server has not cached: a batch
// must not wait for another connection of the pool.
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
		out[i] = toSessionCard(session, session.Speak(definitions[i], known[i]), known[i])
		out[i].By = ownerName(session.User, a)
	}
	return out, nil
}

// ownerName returns the owner of a session, unless that is the actor.
func ownerName(owner string, a auth.Actor) string {
	if owner == a.User {
		return ""
	}
	return owner
}

// start creates an interview, in the language that the form or the address asks for or the
// browser prefers, and lets the interviewer open it. The page of the interview
// shows the opening as it comes.
func (s *Handlers) start(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	created, err := s.Engine.CreateFor(r.Context(), chat.SessionRequest{Tenant: a.Tenant, User: a.User, ContextType: r.FormValue("contextType"), Language: languageRequest(r, r.FormValue("language"))})
	if err != nil {
		return err
	}
	if _, err := s.Engine.Start(r.Context(), inputOf(a, created.ID)); err != nil {
		return err
	}
	return web.SeeOther(w, r, "/s/"+created.ID)
}

// interviews lists the actor's open or finished sessions, a page at a time.
func (s *Handlers) interviews(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
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

// styleguide shows the components of all pages. Only development servers have it.
func (s *Handlers) styleguide(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, ui.Styleguide(ui.StyleguideView{Nav: web.NavOf(r.Context(), ""), Search: GuideSearch(), Cards: GuideCardList()}))
}
