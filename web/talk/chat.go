package talk

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// maxTurns is the number of latest turns on an interview's page, and on each page of
// earlier messages. Most interviews end before that; a longer page is slow on phones.
const maxTurns = 40

// awayAfter is the silence after which a person who comes back is reminded of where the
// interview was: a night, but not a lunch break.
const awayAfter = 8 * time.Hour

// chatView reads what the page of a session shows: in one round trip, with another one for
// the models of the organisation, one for an objective that this server has not cached and
// two for each of the latest tasks.
func (s *Handlers) chatView(ctx context.Context, session sessions.Session) (ChatView, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return ChatView{}, err
	}
	scope := session.Scope()
	v := ChatView{Interviewer: s.Engine.InterviewerOf(ctx, session.Tenant), User: web.ActorFrom(ctx).User, Nav: web.NavOf(ctx, ui.AtInterviews), Speech: s.speaksIn(session.Language), SpeechLacks: s.lacksIn(session.Language), English: s.speaks(), ClientMessageID: uuid.NewString()}
	var now *sessions.Session
	var running *sessions.Turn
	var history []obligations.StoredEvent
	var files []sessions.File
	// The head of the log is read first and the session after it. What is read later may
	// be newer than the head; the stream then brings it once more, which pages tolerate.
	// What was older than the head would never come.
	b := postgres.NewBatch(scope.Tenant)
	sessions.LoadHead(b, scope, &v.LastSeq)
	sessions.LoadRunning(b, scope, &running)
	sessions.Load(b, scope, &now)
	obligations.Load(b, scope, s.Library.Templates(ctx, scope.Tenant), &v.Obligations)
	sessions.LoadWindow(b, scope, maxTurns, &v.Messages)
	obligations.LoadConflicts(b, scope, obligations.OpenConflicts, &v.Conflicts)
	obligations.LoadHistory(b, scope, obligations.HistoryPage{}, &history)
	research.Load(b, scope, &v.Research)
	sessions.LoadPeople(b, scope, &v.People)
	sessions.LoadFiles(b, scope, &files)
	sessions.LoadGiven(b, scope, &v.Given)
	chat.LoadAloud(b, scope, &v.Aloud)
	if err := b.Send(ctx, s.Pool); err != nil {
		return ChatView{}, fmt.Errorf("read the page of session %s: %w", scope.Session, err)
	}
	if now == nil {
		return ChatView{}, sessions.NoSession()
	}
	v.Session = *now
	own := d
	d = now.Speak(d, v.Obligations)
	v.Title, v.Description = d.DisplayName, d.Description
	v.Session.Question.Translate(own, d)
	if running != nil { // the page shows the state before that turn, and its stream begins with it
		v.LastSeq, v.Turn = running.FirstSeq-1, running.Number
	}
	v.Session.Question.Complete(obligations.TemplateOf(v.Obligations))
	v.Question, v.Completeness = v.Session.Question, d.Completion.Score(v.Obligations)
	v.Previous = previousValues(history)
	v.Messages = sessions.WithFiles(v.Messages, v.Given, now.Turns-maxTurns+1, now.Turns)
	v.Waiting = slices.DeleteFunc(files, func(f sessions.File) bool { return len(f.Turns) > 0 || f.User != v.User })
	v.Away = away(v.Messages, time.Now())
	v.Role = roleOf(v.Session, v.People, v.User)
	v.Reports, err = s.reports(ctx, v.Research)
	return v, err
}

// away returns the time since the last message of list; 0 when it is under [awayAfter].
func away(list []sessions.Message, now time.Time) time.Duration {
	if len(list) == 0 {
		return 0
	}
	if d := now.Sub(list[len(list)-1].At); d >= awayAfter {
		return d
	}
	return 0
}

// roleOf returns what a reader may do on the page of a session. A reader who neither began
// the session nor takes part in it is a reviewer, who may do what the owner may.
func roleOf(session sessions.Session, people []sessions.Participant, user string) sessions.Role {
	for _, p := range people {
		if p.User == user && user != session.User {
			return p.Role
		}
	}
	return sessions.OwnerRole
}

// previousValues returns, by obligation key, the value that was held before the present
// one. history is in the order in which it happened.
func previousValues(history []obligations.StoredEvent) map[string]json.RawMessage {
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

// earlier shows a page of the turns before one.
func (s *Handlers) earlier(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	before, err := strconv.Atoi(r.URL.Query().Get("before"))
	if err != nil || before < 1 || before > 1<<31-1 {
		return fault.New(fault.Invalid, "must be the number of a turn, from 1 on").At("before")
	}
	// A turn has at most two messages, a message and a reply.
	list, err := sessions.Transcript(r.Context(), s.Pool, session.Scope(), max(before-1-maxTurns, 0), 2*maxTurns)
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn >= before })
	v.Messages = sessions.WithFiles(list, v.Given, max(before-maxTurns, 1), before-1)
	return web.Render(w, r, Earlier(v))
}

// say takes a message from a page without JavaScript, waits for the reply and shows the
// page again.
func (s *Handlers) say(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	files, err := s.readMessageForm(w, r, session)
	if err != nil {
		return s.chatAgain(w, r, session, Refusal{Typed: r.PostForm.Get("message")}, err)
	}
	_, list, err := s.Known(r.Context(), session)
	if err != nil {
		return err
	}
	session.Question.Complete(obligations.TemplateOf(list))
	in := inputOf(web.ActorFrom(r.Context()), session.ID)
	in.Message, in.Answers = Posted(session.Question, r.PostForm)
	in.Files, in.ClientMessageID = files, r.PostForm.Get("clientMessageId")
	started, err := s.Engine.Start(r.Context(), in)
	if err != nil {
		return s.chatAgain(w, r, session, Refusal{Typed: r.PostForm.Get("message")}, err)
	}
	if err := s.await(r.Context(), started); err != nil {
		return err
	}
	return web.SeeOther(w, r, "/s/"+session.ID)
}

// await returns when a turn has ended.
func (s *Handlers) await(ctx context.Context, started chat.StartedTurn) error {
	sub := s.follow(started)
	defer sub.Close()
	for {
		events, err := sub.Next(ctx, s.KeepAlive)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(events, func(e sessions.Event) bool { return endsTurn(e, started.Turn.Number) }) {
			return nil
		}
	}
}
