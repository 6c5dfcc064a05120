package share

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/web"
)

// ShareBody is a link to a brief on the wire; Token and Link are there once, when
// it is made.
type ShareBody struct {
	ID         string              `json:"id"`
	SessionID  string              `json:"sessionId"`
	Extent     sessions.Extent     `json:"extent" enum:"brief,transcript"`
	State      sessions.ShareState `json:"state" enum:"open,revoked,expired"`
	Token      string              `json:"token,omitempty" doc:"shown once"`
	Link       string              `json:"link,omitempty" doc:"address of the page; shown once"`
	CreatedBy  string              `json:"createdBy"`
	CreatedAt  time.Time           `json:"createdAt"`
	ExpiresAt  time.Time           `json:"expiresAt"`
	RevokedAt  *time.Time          `json:"revokedAt,omitempty"`
	LastSeenAt *time.Time          `json:"lastSeenAt,omitempty" doc:"when its page was last opened"`
	Views      int                 `json:"views" doc:"how often its page was opened"`
}

func toShareBody(s sessions.Share) ShareBody {
	return ShareBody{ID: s.ID, SessionID: s.Scope.Session, Extent: s.Extent, State: s.State(time.Now()), CreatedBy: s.CreatedBy, CreatedAt: s.CreatedAt,
		ExpiresAt: s.ExpiresAt, RevokedAt: s.RevokedAt, LastSeenAt: s.LastSeenAt, Views: s.Views}
}

type newShareBody struct {
	ID   string `path:"id" doc:"id of the session"`
	Body struct {
		Days   int             `json:"days,omitempty" minimum:"1" maximum:"90" doc:"how long it stands; 14 days unless said"`
		Extent sessions.Extent `json:"extent,omitempty" enum:"brief,transcript" default:"brief" doc:"what it shows: the brief alone, or the conversation too"`
	}
}

type sharePath struct {
	ID    string `path:"id" doc:"id of the session"`
	Share string `path:"share"`
}

func (s *Handlers) listShares(ctx context.Context, in *web.SessionPath) (web.Page[ShareBody], error) {
	session, err := s.owned(ctx, in.ID)
	if err != nil {
		return web.Page[ShareBody]{}, err
	}
	list, err := sessions.Shares(ctx, s.Pool, session.Scope())
	return web.Page[ShareBody]{Items: web.Map(list, toShareBody)}, err
}

func (s *Handlers) createShare(ctx context.Context, in *newShareBody) (ShareBody, error) {
	made, secret, err := s.newShare(ctx, in.ID, sessions.NewShare{Extent: in.Body.Extent, Days: in.Body.Days})
	if err != nil {
		return ShareBody{}, err
	}
	out := toShareBody(made)
	base := web.BaseFrom(ctx)
	out.Token, out.Link = secret, base+web.SharedPath+secret
	return out, nil
}

func (s *Handlers) revokeShare(ctx context.Context, in *sharePath) error {
	return s.endShare(ctx, in.ID, in.Share)
}

// newShare makes a link to the brief of a session of which the actor is an owner,
// and its secret.
func (s *Handlers) newShare(ctx context.Context, id string, n sessions.NewShare) (sessions.Share, string, error) {
	session, err := s.owned(ctx, id)
	if err != nil {
		return sessions.Share{}, "", err
	}
	secret, ticket, err := auth.NewTicket(auth.Share, session.Tenant)
	if err != nil {
		return sessions.Share{}, "", err
	}
	n.By, n.Hash = web.ActorFrom(ctx).User, ticket.Hash
	made, events, err := sessions.CreateShare(ctx, s.Pool, session.Scope(), n, time.Now())
	if err == nil {
		s.Hub.Publish(session.Scope(), events)
	}
	return made, secret, err
}

// endShare takes a link back.
func (s *Handlers) endShare(ctx context.Context, id, share string) error {
	session, err := s.owned(ctx, id)
	if err != nil {
		return err
	}
	events, err := sessions.RevokeShare(ctx, s.Pool, session.Scope(), share, web.ActorFrom(ctx).User, time.Now())
	if err == nil {
		s.Hub.Publish(session.Scope(), events)
	}
	return err
}
