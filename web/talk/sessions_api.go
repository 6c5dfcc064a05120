package talk

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

type sessionQuery struct {
	ContextType string `query:"contextType"`
	Status      string `query:"status" enum:"active,completed"`
	User        string `query:"userId" doc:"only this person's sessions; for reviewers"`
	Handover    bool   `query:"handover" doc:"only those in which the person asks for a human being and nobody got in touch yet"`
	Cursor      string `query:"cursor"`
	Limit       int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

type newSession struct {
	AcceptLanguage string `header:"Accept-Language" doc:"languages the person prefers; language in the body wins"`

	Body struct {
		ContextType string          `json:"contextType" doc:"objective to talk about, such as business_profile"`
		Language    string          `json:"language,omitempty" doc:"BCP 47 tag of a language that the objective speaks, such as de; without one Accept-Language counts, then what the person writes first"`
		Overlay     json.RawMessage `json:"overlay,omitempty" doc:"a layer on the objective for this session alone: obligations, remove, pools, phases, completion, budget"`
	}
}

type completion struct {
	web.SessionPath
	IfMatch string `header:"If-Match" doc:"ETag of the session as it was read; the session is completed only if it has not changed since"`
}

type turnPath struct {
	web.SessionPath
	Turn int `path:"turn" minimum:"1" maximum:"2147483647"`
}

type messageQuery struct {
	web.SessionPath
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

// listSessions lists the actor's own sessions. A reviewer sees everybody's, or those of
// one person.
func (s *Handlers) listSessions(ctx context.Context, in *sessionQuery) (web.Page[web.SessionBody], error) {
	a := web.ActorFrom(ctx)
	p := sessions.Filter{Tenant: a.Tenant, User: in.User, ContextType: in.ContextType, Status: sessions.Status(in.Status), Handover: in.Handover, Max: in.Limit}
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

// createSession creates a session even when the actor has an active one about the same
// objective. Its first turn is started by a message, which may be empty.
func (s *Handlers) createSession(ctx context.Context, in *newSession) (web.SessionBody, error) {
	a := web.ActorFrom(ctx)
	created, err := s.Engine.CreateFor(ctx, chat.SessionRequest{Tenant: a.Tenant, User: a.User, ContextType: in.Body.ContextType, Overlay: in.Body.Overlay,
		Language: sessions.LanguageRequest{Asked: in.Body.Language, Accept: in.AcceptLanguage}})
	return web.ToSessionBody(created), err
}

// getSession returns a session with its question in full, its completeness and the turn
// that runs; lists leave those out.
func (s *Handlers) getSession(ctx context.Context, found sessions.Session, _ *web.SessionPath) (web.SessionBody, error) {
	d, list, err := s.Known(ctx, found)
	if err != nil {
		return web.SessionBody{}, err
	}
	found.Question.Complete(obligations.TemplateOf(list))
	out := web.ToSessionBody(found)
	score := d.Completion.Score(list)
	out.Completeness = &score
	out.RunningTurn, err = s.Engine.Running(ctx, found.Scope())
	return out, err
}

// completeSession completes a session whose criteria hold; the engine refuses others.
func (s *Handlers) completeSession(ctx context.Context, found sessions.Session, in *completion) (web.SessionBody, error) {
	if err := s.checkUnchanged(ctx, found, in.IfMatch); err != nil {
		return web.SessionBody{}, err
	}
	done, err := s.Engine.Complete(ctx, found.Scope())
	return web.ToSessionBody(done), err
}

// checkUnchanged refuses when the session has changed since it had the tag ifMatch. An
// empty tag is no condition.
func (s *Handlers) checkUnchanged(ctx context.Context, found sessions.Session, ifMatch string) error {
	if ifMatch == "" {
		return nil
	}
	now, err := s.getSession(ctx, found, nil)
	if err != nil {
		return err
	}
	return web.CheckTag(ifMatch, now, web.ErrStale("the session has changed since it was read; read it again at /api/v1/sessions/%s and send its ETag as If-Match, or leave that out", now.ID))
}

// listMessages lists the messages of whole turns, with their files, so that the cursor can
// be the number of a turn.
func (s *Handlers) listMessages(ctx context.Context, found sessions.Session, in *messageQuery) (web.Page[web.MessageBody], error) {
	after, err := web.ParsePage(in.Cursor)
	if err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	list, err := sessions.Transcript(ctx, s.Pool, found.Scope(), int(min(after, 1<<31-1)), in.Limit+1)
	if err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	last := found.Turns
	if len(list) > in.Limit {
		last = list[len(list)-1].Turn
	}
	var given []sessions.TurnFile
	b := postgres.NewBatch(found.Tenant)
	sessions.LoadGiven(b, found.Scope(), &given)
	if err := b.Send(ctx, s.Pool); err != nil {
		return web.Page[web.MessageBody]{}, err
	}
	list = sessions.WithFiles(list, given, int(after)+1, last)
	out := web.Page[web.MessageBody]{}
	if len(list) > in.Limit {
		cut := list[in.Limit].Turn
		for len(list) > 1 && list[len(list)-1].Turn == cut {
			list = list[:len(list)-1]
		}
		out.NextCursor = strconv.Itoa(list[len(list)-1].Turn)
	}
	out.Items = web.Map(list, web.ToMessageBody)
	return out, nil
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

func (s *Handlers) getTurn(ctx context.Context, found sessions.Session, in *turnPath) (turnBodyOut, error) {
	t, err := sessions.FindTurn(ctx, s.Pool, found.Scope(), in.Turn)
	return turnBodyOut{t.Number, t.Status, t.Attempt, t.User, t.Interviewer, t.Degraded, t.Usage, t.StartedAt, t.FinishedAt}, err
}

// stopTurn asks for a running turn to stop, on whichever instance it runs, and does not
// wait for it. The part of the reply that was said is kept.
func (s *Handlers) stopTurn(ctx context.Context, in *turnPath) error {
	found, err := s.talkable(ctx, in.ID)
	if err != nil {
		return err
	}
	return s.Engine.Stop(ctx, found.Scope(), in.Turn)
}
