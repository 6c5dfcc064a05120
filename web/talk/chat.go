package talk

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// maxTurns bounds the conversation a page shows, to its latest turns; the others
// come in parts of as many.
const maxTurns = 40

// awayAfter is how long nothing is said before somebody who comes back is told
// where they were.
const awayAfter = 8 * time.Hour

// chat takes three round trips at most: the session and whose it is, its
// objective, everything else; and two for each of the latest pieces of research.
func (s *Handlers) chat(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	return web.Render(w, r, Chat(v))
}

// chatView reads what the page of a session shows, in one round trip, one for its
// objective when this server has not read that yet, and two for each of the latest
// pieces of research.
func (s *Handlers) chatView(ctx context.Context, session sessions.Session) (ChatView, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return ChatView{}, err
	}
	scope := session.Scope()
	v := ChatView{Title: d.DisplayName, Description: d.Description, Interviewer: s.Engine.Interviewer(), User: web.ActorFrom(ctx).User, Nav: web.NavOf(ctx, ui.AtInterviews), ClientMessageID: uuid.NewString()}
	var now *sessions.Session
	var running *sessions.Turn
	var history []obligations.StoredEvent
	var open []obligations.Conflict
	var files []sessions.File
	// The head is read first, the session after it: what is read later may be
	// newer, and is then shown once more by the stream, which pages take; what was
	// read earlier would never be made up for.
	b := postgres.NewBatch(scope.Tenant)
	sessions.LoadHead(b, scope, &v.LastSeq)
	sessions.LoadRunning(b, scope, &running)
	sessions.Load(b, scope, &now)
	obligations.Load(b, scope, s.Library.Templates(ctx, scope.Tenant), &v.Obligations)
	sessions.LoadWindow(b, scope, maxTurns, &v.Messages)
	obligations.LoadConflicts(b, scope, obligations.OpenConflicts, &open)
	obligations.LoadHistory(b, scope, obligations.HistoryPage{}, &history)
	research.Load(b, scope, &v.Research)
	sessions.LoadPeople(b, scope, &v.People)
	sessions.LoadFiles(b, scope, &files)
	sessions.LoadGiven(b, scope, &v.Given)
	if err := b.Send(ctx, s.Pool); err != nil {
		return ChatView{}, fmt.Errorf("read the page of session %s: %w", scope.Session, err)
	}
	if now == nil {
		return ChatView{}, sessions.NoSession()
	}
	v.Session = *now
	if running != nil { // the page shows what was before the turn, its stream begins with it
		v.LastSeq, v.Turn = running.FirstSeq-1, running.Number
	}
	v.Session.Question.Complete(obligations.TemplateOf(v.Obligations))
	v.Question, v.Completeness = v.Session.Question, d.Completion.Score(v.Obligations)
	v.Previous, v.Clashing, v.Conflicts = previous(history), clashing(open), append([]obligations.Conflict{}, open...)
	v.Messages = sessions.WithFiles(v.Messages, v.Given, now.Turns-maxTurns+1, now.Turns)
	v.Waiting = waiting(files, v.User)
	v.Away = away(v.Messages, time.Now())
	v.Role = partOf(v.Session, v.People, v.User)
	v.Reports, err = s.reports(ctx, v.Research)
	return v, err
}

// away returns how long ago the last message of list was, 0 when that was not long.
func away(list []sessions.Message, now time.Time) time.Duration {
	if len(list) == 0 {
		return 0
	}
	if d := now.Sub(list[len(list)-1].At); d >= awayAfter {
		return d
	}
	return 0
}

// partOf returns what a reader may do in a session: whoever neither began it nor
// takes part looks in as a reviewer, and decides.
func partOf(session sessions.Session, people []sessions.Participant, user string) sessions.Role {
	if session.User == user {
		return sessions.OwnerRole
	}
	for _, p := range people {
		if p.User == user {
			return p.Role
		}
	}
	return sessions.OwnerRole
}

// previous returns, by obligation key, the value held before the present one.
func previous(history []obligations.StoredEvent) map[string]json.RawMessage {
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
	return out
}

// clashing returns the keys of the obligations that open conflicts are about.
func clashing(open []obligations.Conflict) map[string]bool {
	keys := map[string]bool{}
	for _, c := range open {
		for _, key := range c.Keys {
			keys[key] = true
		}
	}
	return keys
}

// say takes a message from a page without scripts, waits for the answer and
// shows the page again.
func (s *Handlers) say(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Talk); err != nil {
		return err
	}
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	files, err := s.postedMessage(w, r, session)
	if err != nil {
		return s.chatAgain(w, r, session, Refusal{Typed: r.PostForm.Get("message")}, err)
	}
	_, list, err := s.Known(r.Context(), session)
	if err != nil {
		return err
	}
	session.Question.Complete(obligations.TemplateOf(list))
	message, answers := Posted(session.Question, r.PostForm)
	started, err := s.Engine.Start(r.Context(), chat.Input{Tenant: a.Tenant, User: a.User, SessionID: session.ID, Message: message,
		Answers: answers, Files: files, ClientMessageID: r.PostForm.Get("clientMessageId"), Anyone: a.May(auth.Review)})
	if err != nil {
		return s.chatAgain(w, r, session, Refusal{Typed: r.PostForm.Get("message")}, err)
	}
	if err := s.await(r.Context(), started); err != nil {
		return err
	}
	http.Redirect(w, r, "/s/"+session.ID, http.StatusSeeOther)
	return nil
}

// await waits until a turn has ended.
func (s *Handlers) await(ctx context.Context, started chat.StartedTurn) error {
	sub := s.follow(started)
	defer sub.Close()
	for {
		events, err := sub.Next(ctx, s.KeepAlive)
		if err != nil {
			return err
		}
		for _, e := range events {
			if endsTurn(e, started.Turn.Number) {
				return nil
			}
		}
	}
}
