package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/sessions"
)

// shareBody is a link to a brief on the wire; Token and Link are there once, when
// it is made.
type shareBody struct {
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

func toShareBody(s sessions.Share) shareBody {
	return shareBody{ID: s.ID, SessionID: s.Scope.Session, Extent: s.Extent, State: s.State(time.Now()), CreatedBy: s.CreatedBy, CreatedAt: s.CreatedAt,
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

func (s *Server) shareRoutes(a huma.API) {
	add(a, onGet("/api/v1/sessions/{id}/shares", "share-list", "The links to a session's brief, without their secrets"), s.listShares)
	add(a, onPost("/api/v1/sessions/{id}/shares", "share-create", "Make a link that shows the brief to whoever has it; it is shown once").answering(http.StatusCreated), s.createShare)
	addEmpty(a, onDelete("/api/v1/sessions/{id}/shares/{share}", "share-revoke", "Take a link back; it shows nothing from then on"), s.revokeShare)
}

func (s *Server) listShares(ctx context.Context, in *sessionPath) (page[shareBody], error) {
	session, err := s.owned(ctx, in.ID)
	if err != nil {
		return page[shareBody]{}, err
	}
	list, err := sessions.Shares(ctx, s.Pool, session.Scope())
	return page[shareBody]{Items: items(list, toShareBody)}, err
}

func (s *Server) createShare(ctx context.Context, in *newShareBody) (shareBody, error) {
	made, secret, err := s.newShare(ctx, in.ID, sessions.NewShare{Extent: in.Body.Extent, Days: in.Body.Days})
	if err != nil {
		return shareBody{}, err
	}
	out := toShareBody(made)
	base := baseFrom(ctx)
	out.Token, out.Link = secret, base+sharedPath+secret
	return out, nil
}

func (s *Server) revokeShare(ctx context.Context, in *sharePath) error {
	return s.endShare(ctx, in.ID, in.Share)
}

// newShare makes a link to the brief of a session of which the actor is an owner,
// and its secret.
func (s *Server) newShare(ctx context.Context, id string, n sessions.NewShare) (sessions.Share, string, error) {
	session, err := s.owned(ctx, id)
	if err != nil {
		return sessions.Share{}, "", err
	}
	secret, ticket, err := auth.NewTicket(auth.Share, session.Tenant)
	if err != nil {
		return sessions.Share{}, "", err
	}
	n.By, n.Hash = actorFrom(ctx).User, ticket.Hash
	made, events, err := sessions.CreateShare(ctx, s.Pool, session.Scope(), n, time.Now())
	if err == nil {
		s.Hub.Publish(session.Scope(), events)
	}
	return made, secret, err
}

// endShare takes a link back.
func (s *Server) endShare(ctx context.Context, id, share string) error {
	session, err := s.owned(ctx, id)
	if err != nil {
		return err
	}
	events, err := sessions.RevokeShare(ctx, s.Pool, session.Scope(), share, actorFrom(ctx).User, time.Now())
	if err == nil {
		s.Hub.Publish(session.Scope(), events)
	}
	return err
}
