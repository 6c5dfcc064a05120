package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// maxOpen bounds the open sessions the first page lists.
const maxOpen = 20

func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	objectives, err := s.Library.List(ctx, a.Tenant, sessions.OnlyActive)
	if err != nil {
		return err
	}
	open, err := sessions.List(ctx, s.Pool, sessions.Page{Tenant: a.Tenant, User: a.User, Status: sessions.Active, Max: maxOpen})
	if err != nil {
		return err
	}
	v := ui.HomeView{Interviewer: s.Engine.Interviewer(), User: a.User}
	for _, o := range objectives {
		v.Objectives = append(v.Objectives, ui.ObjectiveCard{ContextType: o.ContextType, Name: o.DisplayName, Description: o.Definition.Description, Questions: len(o.Definition.Obligations)})
	}
	for _, o := range open {
		card, err := s.card(ctx, o)
		if err != nil {
			return err
		}
		v.Sessions = append(v.Sessions, card)
	}
	return render(w, r, ui.Home(v))
}

func (s *Server) card(ctx context.Context, session sessions.Session) (ui.SessionCard, error) {
	d, list, err := s.known(ctx, session)
	if err != nil {
		return ui.SessionCard{}, err
	}
	got := d.Completion.Score(list)
	return ui.SessionCard{ID: session.ID, Title: d.DisplayName, Phase: session.Phase, Progress: session.Progress, Known: got.Satisfied, Total: got.Total, UpdatedAt: session.UpdatedAt}, nil
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

func (s *Server) chat(w http.ResponseWriter, r *http.Request) error {
	session, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	return render(w, r, ui.Chat(v))
}

func (s *Server) chatView(ctx context.Context, session sessions.Session) (ui.ChatView, error) {
	scope := session.Scope()
	// The head is read first, the session again after it: what is read later may
	// be newer, and is then shown once more by the stream, which pages take; what
	// was read earlier would never be made up for.
	head, running, err := s.shownUpTo(ctx, scope)
	if err != nil {
		return ui.ChatView{}, err
	}
	if session, err = sessions.Find(ctx, s.Pool, scope); err != nil {
		return ui.ChatView{}, err
	}
	d, list, err := s.known(ctx, session)
	if err != nil {
		return ui.ChatView{}, err
	}
	session.Question.Complete(obligations.TemplateOf(list))
	messages, err := sessions.Transcript(ctx, s.Pool, scope, 0, 0)
	if err != nil {
		return ui.ChatView{}, err
	}
	previous, err := s.previous(ctx, scope)
	if err != nil {
		return ui.ChatView{}, err
	}
	looked, err := research.List(ctx, s.Pool, scope)
	if err != nil {
		return ui.ChatView{}, err
	}
	clashing, err := s.clashing(ctx, scope)
	if err != nil {
		return ui.ChatView{}, err
	}
	return ui.ChatView{Session: session, Title: d.DisplayName, Description: d.Description, Messages: messages, Obligations: list, Previous: previous, Clashing: clashing, Research: looked,
		Completeness: d.Completion.Score(list), Question: session.Question, Interviewer: s.Engine.Interviewer(), LastSeq: head, Turn: running,
		User: actorFrom(ctx).User, ClientMessageID: uuid.NewString()}, nil
}

// shownUpTo returns the number of the last event a page shows, and the turn that
// runs, 0 for none. While one runs it is the event before it, so that the stream
// begins with the turn.
func (s *Server) shownUpTo(ctx context.Context, scope obligations.Scope) (head int64, turn int, err error) {
	head, err = sessions.Head(ctx, s.Pool, scope)
	if err != nil {
		return 0, 0, err
	}
	running, err := sessions.RunningTurn(ctx, s.Pool, scope)
	if err != nil || running == nil {
		return head, 0, err
	}
	return running.FirstSeq - 1, running.Number, nil
}

// previous returns, by obligation key, the value held before the present one.
func (s *Server) previous(ctx context.Context, scope obligations.Scope) (map[string]json.RawMessage, error) {
	history, err := obligations.History(ctx, s.Pool, scope, obligations.HistoryPage{})
	if err != nil {
		return nil, err
	}
	out, last := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for _, e := range history {
		v := e.Meta.Set.Value
		if v == nil {
			continue
		}
		if old := last[e.Key]; old != nil && !obligations.SameValue(old, v) {
			out[e.Key] = old
		}
		last[e.Key] = v
	}
	return out, nil
}

// clashing returns the keys of the obligations with an open conflict.
func (s *Server) clashing(ctx context.Context, scope obligations.Scope) (map[string]bool, error) {
	var open []obligations.Conflict
	b := postgres.NewBatch(scope.Tenant)
	obligations.LoadConflicts(b, scope, obligations.OpenConflicts, &open)
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, fmt.Errorf("read conflicts of session %s: %w", scope.Session, err)
	}
	keys := map[string]bool{}
	for _, c := range open {
		for _, key := range c.Keys {
			keys[key] = true
		}
	}
	return keys, nil
}

// say takes a message from a page without scripts, waits for the answer and
// shows the page again.
func (s *Server) say(w http.ResponseWriter, r *http.Request) error {
	a := actorFrom(r.Context())
	if err := need(a, auth.Talk); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	session, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return err
	}
	_, list, err := s.known(r.Context(), session)
	if err != nil {
		return err
	}
	session.Question.Complete(obligations.TemplateOf(list))
	message, answers := ui.Posted(session.Question, r.PostForm)
	started, err := s.Engine.Start(r.Context(), chat.Input{Tenant: a.Tenant, User: a.User, SessionID: session.ID, Message: message,
		Answers: answers, ClientMessageID: r.PostFormValue("clientMessageId"), Anyone: a.May(auth.Review)})
	if err != nil {
		return err
	}
	if err := s.await(r.Context(), started); err != nil {
		return err
	}
	http.Redirect(w, r, "/s/"+session.ID, http.StatusSeeOther)
	return nil
}

// await waits until a turn has ended.
func (s *Server) await(ctx context.Context, started chat.Started) error {
	sub := s.follow(started)
	defer sub.Close()
	ends := untilEnd(started.Turn.Number)
	for {
		events, err := sub.Next(ctx, s.KeepAlive)
		if err != nil {
			return err
		}
		for _, e := range events {
			if ends(e) {
				return nil
			}
		}
	}
}

func render(w http.ResponseWriter, r *http.Request, c templ.Component) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	return c.Render(r.Context(), w)
}
