package talk

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

var turnType = reflect.TypeFor[TurnBody]()

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

func (s *Handlers) listSessions(ctx context.Context, in *sessionQuery) (web.Page[web.SessionBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
		return web.Page[web.SessionBody]{}, err
	}
	p := sessions.Filter{Tenant: a.Tenant, User: in.User, ContextType: in.ContextType, Status: sessions.Status(in.Status), Max: in.Limit}
	if !a.May(auth.Review) {
		p.User = a.User
	}
	var err error
	if p.BeforeAt, p.BeforeID, err = web.ParsePlace(in.Cursor); err != nil {
		return web.Page[web.SessionBody]{}, err
	}
	list, err := sessions.List(ctx, s.Pool, p)
	if err != nil {
		return web.Page[web.SessionBody]{}, err
	}
	out := web.Page[web.SessionBody]{Items: web.Map(list, web.ToSessionBody)}
	if n := len(list); n == in.Limit && n > 0 {
		out.NextCursor = web.FormatPlace(list[n-1].CreatedAt, list[n-1].ID)
	}
	return out, nil
}

func (s *Handlers) createSession(ctx context.Context, in *newSession) (web.SessionBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Talk); err != nil {
		return web.SessionBody{}, err
	}
	if len(in.Body.Overlay) > 0 {
		created, err := s.Engine.CreateOverlaid(ctx, a.Tenant, a.User, in.Body.ContextType, in.Body.Overlay)
		return web.ToSessionBody(created), err
	}
	created, err := s.Engine.Create(ctx, a.Tenant, a.User, in.Body.ContextType)
	return web.ToSessionBody(created), err
}

func (s *Handlers) getSession(ctx context.Context, in *web.SessionPath) (web.SessionBody, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.SessionBody{}, err
	}
	d, list, err := s.Known(ctx, found)
	if err != nil {
		return web.SessionBody{}, err
	}
	found.Question.Complete(obligations.TemplateOf(list))
	out := web.ToSessionBody(found)
	got := d.Completion.Score(list)
	out.Completeness = &got
	out.RunningTurn, err = s.Engine.Running(ctx, found.Scope())
	return out, err
}

func (s *Handlers) completeSession(ctx context.Context, in *completion) (web.SessionBody, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.SessionBody{}, err
	}
	if err := web.Need(web.ActorFrom(ctx), auth.Talk); err != nil {
		return web.SessionBody{}, err
	}
	if err := s.stillAs(ctx, in.ID, in.IfMatch); err != nil {
		return web.SessionBody{}, err
	}
	done, err := s.Engine.Complete(ctx, found.Scope())
	return web.ToSessionBody(done), err
}

// stillAs refuses when the session is not as the holder of the tag read it; no
// tag asks for nothing.
func (s *Handlers) stillAs(ctx context.Context, id, ifMatch string) error {
	if ifMatch == "" {
		return nil
	}
	now, err := s.getSession(ctx, &web.SessionPath{ID: id})
	if err != nil {
		return err
	}
	tag, err := web.TagOf(now)
	if err == nil && !web.TagMatches(ifMatch, tag) {
		err = web.ErrStale("the session has changed since it was read; read it again at /api/v1/sessions/%s and send its ETag as If-Match, or leave that out", now.ID)
	}
	return err
}

func (s *Handlers) listMessages(ctx context.Context, in *messageQuery) (web.Page[web.MessageBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	after, err := web.ParsePage(in.Cursor)
	if err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	list, err := sessions.Transcript(ctx, s.Pool, found.Scope(), int(min(after, 1<<31-1)), in.Limit+1)
	if err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	if list, err = s.withFiles(ctx, found, list, int(after), len(list) > in.Limit); err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	out := web.Page[web.MessageBody]{}
	if len(list) > in.Limit { // whole turns only, so that the cursor is a turn
		last := list[in.Limit].Turn
		for len(list) > 1 && list[len(list)-1].Turn == last {
			list = list[:len(list)-1]
		}
		out.NextCursor = strconv.Itoa(list[len(list)-1].Turn)
	}
	out.Items = web.Map(list, web.ToMessageBody)
	return out, nil
}

// withFiles returns messages that follow a turn with the files that came with
// them; there may be more.
func (s *Handlers) withFiles(ctx context.Context, session sessions.Session, list []sessions.Message, after int, more bool) ([]sessions.Message, error) {
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

func (s *Handlers) getTurn(ctx context.Context, in *turnPath) (turnBodyOut, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return turnBodyOut{}, err
	}
	t, err := sessions.FindTurn(ctx, s.Pool, found.Scope(), in.Turn)
	return turnBodyOut{t.Number, t.Status, t.Attempt, t.User, t.Interviewer, t.Degraded, t.Usage, t.StartedAt, t.FinishedAt}, err
}

func (s *Handlers) stopTurn(ctx context.Context, in *turnPath) error {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return err
	}
	if err := web.Need(web.ActorFrom(ctx), auth.Talk); err != nil {
		return err
	}
	return s.Engine.Stop(ctx, found.Scope(), in.Turn)
}
