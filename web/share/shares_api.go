package share

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/sessions"
	"quaestor/web"
)

// ShareBody is a link to a brief on the wire. Token and Link are present only in the answer
// to its creation, because the secret is not stored.
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
	Views      int                 `json:"views" doc:"how many times its page was opened"`
}

// toShareBody leaves Token and Link empty.
func toShareBody(s sessions.Share) ShareBody {
	return ShareBody{ID: s.ID, SessionID: s.Scope.Session, Extent: s.Extent, State: s.State(time.Now()), CreatedBy: s.CreatedBy, CreatedAt: s.CreatedAt,
		ExpiresAt: s.ExpiresAt, RevokedAt: s.RevokedAt, LastSeenAt: s.LastSeenAt, Views: s.Views}
}

// newShareBody creates a link to the brief of a session.
type newShareBody struct {
	web.SessionPath
	Body struct {
		Days   int             `json:"days,omitempty" minimum:"1" maximum:"90" doc:"how long it is valid; 14 days when left out"`
		Extent sessions.Extent `json:"extent,omitempty" enum:"brief,transcript" default:"brief" doc:"what it shows: the brief alone, or the conversation too"`
	}
}

// sharePath is the address of a link, for those who decide about it.
type sharePath struct {
	web.SessionPath
	Share string `path:"share"`
}

// listShares returns all links to a session's brief, newest first, also those that have
// ended.
func (s *Handlers) listShares(ctx context.Context, session sessions.Session, _ *web.SessionPath) (web.Page[ShareBody], error) {
	list, err := sessions.Shares(ctx, s.Pool, session.Scope())
	return web.Page[ShareBody]{Items: web.Map(list, toShareBody)}, err
}

// createShare creates a link, and answers with its secret and its address.
func (s *Handlers) createShare(ctx context.Context, in *newShareBody) (ShareBody, error) {
	made, secret, err := s.newShare(ctx, in.ID, sessions.NewShare{Extent: in.Body.Extent, Days: in.Body.Days})
	if err != nil {
		return ShareBody{}, err
	}
	out := toShareBody(made)
	out.Token, out.Link = secret, web.BaseFrom(ctx)+web.SharedPath+secret
	return out, nil
}

// revokeShare revokes a link, which shows nothing afterwards.
func (s *Handlers) revokeShare(ctx context.Context, in *sharePath) error {
	return s.endShare(ctx, in.ID, in.Share)
}

// newShare creates a link to the brief of a session that the actor decides about, and
// returns it with its secret, which is not stored.
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

// endShare revokes a link. It is NotFound when the session has no open link of that id.
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
