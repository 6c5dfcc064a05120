package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

var turnType = reflect.TypeFor[turnBody]()

// sessionBody is a session on the wire.
type sessionBody struct {
	ID           string                    `json:"id"`
	ContextType  string                    `json:"contextType"`
	ObjectiveID  string                    `json:"objectiveId"`
	UserID       string                    `json:"userId"`
	Status       sessions.Status           `json:"status"`
	Phase        sessions.Phase            `json:"phase"`
	Score        float64                   `json:"score" doc:"0 to 1, what is known weighted by how surely"`
	Progress     float64                   `json:"progress" doc:"0 to 1, what is resolved"`
	TurnCount    int                       `json:"turnCount"`
	Version      int64                     `json:"version"`
	StopReason   sessions.StopReason       `json:"stopReason,omitempty"`
	Question     *sessions.Question        `json:"question,omitempty"`
	RunningTurn  int                       `json:"runningTurn,omitempty" doc:"the turn that runs now"`
	Completeness *obligations.Completeness `json:"completeness,omitempty"`
	CreatedAt    time.Time                 `json:"createdAt"`
	UpdatedAt    time.Time                 `json:"updatedAt"`
	CompletedAt  *time.Time                `json:"completedAt,omitempty"`
}

func toSessionBody(s sessions.Session) sessionBody {
	return sessionBody{ID: s.ID, ContextType: s.ContextType, ObjectiveID: s.ObjectiveID, UserID: s.User, Status: s.Status, Phase: s.Phase, Score: s.Score,
		Progress: s.Progress, TurnCount: s.Turns, Version: s.Version, StopReason: s.StopReason, Question: s.Question, CreatedAt: s.CreatedAt,
		UpdatedAt: s.UpdatedAt, CompletedAt: s.CompletedAt}
}

// messageBody is an entry of the transcript on the wire.
type messageBody struct {
	ID        string           `json:"id"`
	Turn      int              `json:"turn"`
	Role      sessions.Speaker `json:"role"`
	Content   string           `json:"content"`
	Complete  bool             `json:"complete" doc:"false for a reply the person stopped"`
	UserID    string           `json:"userId,omitempty"`
	CreatedAt time.Time        `json:"createdAt"`

	Files []sessions.Attachment `json:"files,omitempty" doc:"given with it; a message may bring files and say nothing"`
}

func toMessageBody(m sessions.Message) messageBody {
	return messageBody{m.ID(), m.Turn, m.Role, m.Content, m.Complete, m.User, m.At, m.Files}
}

// sessionPath is the address of a session. It is not embedded in others: what the
// router fills in has to stand in the struct itself.
type sessionPath struct {
	ID string `path:"id" doc:"id of the session"`
}

type sessionQuery struct {
	ContextType string `query:"contextType"`
	Status      string `query:"status" enum:"active,completed"`
	User        string `query:"userId" doc:"somebody's sessions; reviewers only"`
	Cursor      string `query:"cursor"`
	Limit       int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

type newSession struct {
	Body struct {
		ContextType string          `json:"contextType" doc:"objective to talk about, such as business_profile"`
		Overlay     json.RawMessage `json:"overlay,omitempty" doc:"a layer on the objective for this session alone: obligations, remove, pools, phases, completion, budget"`
	}
}

type completion struct {
	ID      string `path:"id" doc:"id of the session"`
	IfMatch string `header:"If-Match" doc:"ETag of the session as it was read; ends it only if it still stands so"`
}

type turnPath struct {
	ID   string `path:"id" doc:"id of the session"`
	Turn int    `path:"turn" minimum:"1" maximum:"2147483647"`
}

type messageQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

func (s *Server) sessionRoutes(a huma.API) {
	add(a, route{http.MethodGet, "/api/v1/sessions", "session-list", "Sessions, newest first", 0}, s.listSessions)
	add(a, route{http.MethodPost, "/api/v1/sessions", "session-create", "Begin a session of its own", http.StatusCreated}, s.createSession)
	add(a, route{http.MethodGet, "/api/v1/sessions/{id}", "session-get", "A session and how far it is", 0}, s.getSession)
	add(a, route{http.MethodPost, "/api/v1/sessions/{id}/complete", "session-complete", "End a session whose criteria hold", 0}, s.completeSession)
	add(a, route{http.MethodGet, "/api/v1/sessions/{id}/messages", "message-list", "The transcript, oldest first", 0}, s.listMessages)
	add(a, route{http.MethodGet, "/api/v1/sessions/{id}/turns/{turn}", "turn-get", "A turn: who answered, how it ended, what it used", 0}, s.getTurn)
	addEmpty(a, route{http.MethodPost, "/api/v1/sessions/{id}/turns/{turn}/stop", "turn-stop", "Stop a turn that runs", http.StatusAccepted}, s.stopTurn)
}

func (s *Server) listSessions(ctx context.Context, in *sessionQuery) (page[sessionBody], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return page[sessionBody]{}, err
	}
	p := sessions.Filter{Tenant: a.Tenant, User: in.User, ContextType: in.ContextType, Status: sessions.Status(in.Status), Max: in.Limit}
	if !a.May(auth.Review) {
		p.User = a.User
	}
	var err error
	if p.BeforeAt, p.BeforeID, err = parsePlace(in.Cursor); err != nil {
		return page[sessionBody]{}, err
	}
	list, err := sessions.List(ctx, s.Pool, p)
	if err != nil {
		return page[sessionBody]{}, err
	}
	out := page[sessionBody]{Items: items(list, toSessionBody)}
	if n := len(list); n == in.Limit && n > 0 {
		out.NextCursor = formatPlace(list[n-1].CreatedAt, list[n-1].ID)
	}
	return out, nil
}

// formatPlace makes a cursor of a place in a list that is ordered by time and id.
func formatPlace(at time.Time, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(at.UnixMicro(), 36) + "." + id))
}

// parsePlace reads a cursor; empty means from the start.
func parsePlace(cursor string) (at time.Time, id string, err error) {
	if cursor == "" {
		return time.Time{}, "", nil
	}
	bad := fault.New(fault.Invalid, "is not a cursor of this list; take nextCursor of the page before, as it is").At("cursor").Coded("bad_cursor")
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return time.Time{}, "", bad
	}
	stamp, id, ok := strings.Cut(string(raw), ".")
	micros, err := strconv.ParseInt(stamp, 36, 64)
	if !ok || err != nil || micros < 0 || micros > 1<<53 {
		return time.Time{}, "", bad
	}
	if parsed, err := uuid.Parse(id); err != nil || parsed.String() != id {
		return time.Time{}, "", bad
	}
	return time.UnixMicro(micros).UTC(), id, nil
}

func (s *Server) createSession(ctx context.Context, in *newSession) (sessionBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Talk); err != nil {
		return sessionBody{}, err
	}
	if len(in.Body.Overlay) > 0 {
		created, err := s.Engine.CreateOverlaid(ctx, a.Tenant, a.User, in.Body.ContextType, in.Body.Overlay)
		return toSessionBody(created), err
	}
	created, err := s.Engine.Create(ctx, a.Tenant, a.User, in.Body.ContextType)
	return toSessionBody(created), err
}

func (s *Server) getSession(ctx context.Context, in *sessionPath) (sessionBody, error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return sessionBody{}, err
	}
	d, list, err := s.known(ctx, found)
	if err != nil {
		return sessionBody{}, err
	}
	found.Question.Complete(obligations.TemplateOf(list))
	out := toSessionBody(found)
	got := d.Completion.Score(list)
	out.Completeness = &got
	out.RunningTurn, err = s.Engine.Running(ctx, found.Scope())
	return out, err
}

// known returns a session's objective and what is known of it.
func (s *Server) known(ctx context.Context, session sessions.Session) (*objectives.Definition, []obligations.Obligation, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return nil, nil, err
	}
	var list []obligations.Obligation
	b := postgres.NewBatch(session.Tenant)
	obligations.Load(b, session.Scope(), s.Library.Templates(ctx, session.Tenant), &list)
	return d, list, b.Send(ctx, s.Pool)
}

func (s *Server) completeSession(ctx context.Context, in *completion) (sessionBody, error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return sessionBody{}, err
	}
	if err := need(actorFrom(ctx), auth.Talk); err != nil {
		return sessionBody{}, err
	}
	if err := s.stillAs(ctx, in.ID, in.IfMatch); err != nil {
		return sessionBody{}, err
	}
	done, err := s.Engine.Complete(ctx, found.Scope())
	return toSessionBody(done), err
}

// stillAs refuses when the session is not as the holder of the tag read it; no
// tag asks for nothing.
func (s *Server) stillAs(ctx context.Context, id, ifMatch string) error {
	if ifMatch == "" {
		return nil
	}
	now, err := s.getSession(ctx, &sessionPath{ID: id})
	if err != nil {
		return err
	}
	tag, err := tagOf(now)
	if err == nil && !matches(ifMatch, tag) {
		err = stale("the session has changed since it was read; read it again at /api/v1/sessions/%s and send its ETag as If-Match, or leave that out", now.ID)
	}
	return err
}

func (s *Server) listMessages(ctx context.Context, in *messageQuery) (page[messageBody], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[messageBody]{}, err
	}
	after, err := parsePage(in.Cursor)
	if err != nil {
		return page[messageBody]{}, err
	}
	list, err := sessions.Transcript(ctx, s.Pool, found.Scope(), int(min(after, 1<<31-1)), in.Limit+1)
	if err != nil {
		return page[messageBody]{}, err
	}
	if list, err = s.withFiles(ctx, found, list, int(after), len(list) > in.Limit); err != nil {
		return page[messageBody]{}, err
	}
	out := page[messageBody]{}
	if len(list) > in.Limit { // whole turns only, so that the cursor is a turn
		last := list[in.Limit].Turn
		for len(list) > 1 && list[len(list)-1].Turn == last {
			list = list[:len(list)-1]
		}
		out.NextCursor = strconv.Itoa(list[len(list)-1].Turn)
	}
	out.Items = items(list, toMessageBody)
	return out, nil
}

// withFiles returns messages that follow a turn with the files that came with
// them; there may be more.
func (s *Server) withFiles(ctx context.Context, session sessions.Session, list []sessions.Message, after int, more bool) ([]sessions.Message, error) {
	var given []sessions.TurnFile
	b := postgres.NewBatch(session.Tenant)
	sessions.LoadGiven(b, session.Scope(), &given)
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, err
	}
	last := session.Turns
	if more {
		last = list[len(list)-1].Turn
	}
	return sessions.WithFiles(list, given, after+1, last), nil
}

// turnBodyOut is a turn on the wire.
type turnBodyOut struct {
	Number      int                 `json:"number"`
	Status      sessions.TurnStatus `json:"status"`
	Attempt     int                 `json:"attempt"`
	UserID      string              `json:"userId"`
	Interviewer string              `json:"interviewer,omitempty"`
	Degraded    string              `json:"degraded,omitempty"`
	Usage       json.RawMessage     `json:"usage,omitempty"`
	StartedAt   time.Time           `json:"startedAt"`
	FinishedAt  *time.Time          `json:"finishedAt,omitempty"`
}

func (s *Server) getTurn(ctx context.Context, in *turnPath) (turnBodyOut, error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return turnBodyOut{}, err
	}
	t, err := sessions.FindTurn(ctx, s.Pool, found.Scope(), in.Turn)
	return turnBodyOut{t.Number, t.Status, t.Attempt, t.User, t.Interviewer, t.Degraded, t.Usage, t.StartedAt, t.FinishedAt}, err
}

func (s *Server) stopTurn(ctx context.Context, in *turnPath) error {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return err
	}
	if err := need(actorFrom(ctx), auth.Talk); err != nil {
		return err
	}
	return s.Engine.Stop(ctx, found.Scope(), in.Turn)
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
