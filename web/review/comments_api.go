package review

import (
	"context"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web"
)

// commentBody is what a reviewer says.
type commentBody struct {
	Key  string `json:"key,omitempty" doc:"of the obligation it is about"`
	Turn int    `json:"turn,omitempty" minimum:"0" doc:"it is about"`
	Text string `json:"text" maxLength:"2000" doc:"1 to 2,000 characters"`
}

type newComment struct {
	ID   string `path:"id" doc:"id of the session"`
	Body commentBody
}

type commentQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Open   bool   `query:"open" doc:"only those that nobody has dealt with"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

type commentID struct {
	ID      string `path:"id" doc:"id of the session"`
	Comment string `path:"comment"`
}

// CommentSeen is a comment on the wire.
type CommentSeen struct {
	ID         string     `json:"id"`
	Key        string     `json:"key,omitempty"`
	Turn       int        `json:"turn,omitempty"`
	Author     string     `json:"author"`
	Text       string     `json:"text"`
	CreatedAt  time.Time  `json:"createdAt"`
	ResolvedAt *time.Time `json:"resolvedAt,omitempty"`
	ResolvedBy string     `json:"resolvedBy,omitempty"`
}

func toCommentSeen(c sessions.Comment) CommentSeen {
	return CommentSeen{c.ID, c.Key, c.Turn, c.Author, c.Text, c.CreatedAt, c.ResolvedAt, c.ResolvedBy}
}

// commented returns a session for those who may comment on it.
func (s *Handlers) commented(ctx context.Context, id string) (sessions.Session, error) {
	if err := web.Need(web.ActorFrom(ctx), auth.Review); err != nil {
		return sessions.Session{}, err
	}
	return s.Session(ctx, id)
}

// listComments pages through all comments: with open, a page may hold fewer than
// were asked for.
func (s *Handlers) listComments(ctx context.Context, in *commentQuery) (web.Page[CommentSeen], error) {
	out := web.Page[CommentSeen]{Items: []CommentSeen{}}
	session, err := s.commented(ctx, in.ID)
	if err != nil {
		return out, err
	}
	at, id, err := web.ParsePlace(in.Cursor)
	if err != nil {
		return out, err
	}
	var list []sessions.Comment
	b := postgres.NewBatch(session.Tenant)
	sessions.LoadComments(b, session.Scope(), at, id, in.Limit+1, &list)
	if err := b.Send(ctx, s.Pool); err != nil {
		return out, err
	}
	if len(list) > in.Limit {
		list = list[:in.Limit]
		out.NextCursor = web.FormatPlace(list[in.Limit-1].CreatedAt, list[in.Limit-1].ID)
	}
	for _, c := range list {
		if !in.Open || c.Open() {
			out.Items = append(out.Items, toCommentSeen(c))
		}
	}
	return out, nil
}

func (s *Handlers) addComment(ctx context.Context, in *newComment) (CommentSeen, error) {
	session, err := s.commented(ctx, in.ID)
	if err != nil {
		return CommentSeen{}, err
	}
	c, err := s.comment(ctx, session, in.Body)
	return toCommentSeen(c), err
}

// comment keeps what the actor says of a session.
func (s *Handlers) comment(ctx context.Context, session sessions.Session, in commentBody) (sessions.Comment, error) {
	c, err := sessions.Comment{Scope: session.Scope(), Key: in.Key, Turn: in.Turn, Author: web.ActorFrom(ctx).User, Text: in.Text}.Check()
	if err != nil {
		return c, err
	}
	if c.Turn < 0 || c.Turn > session.Turns {
		return c, fault.New(fault.Unprocessable, "the session has turns 1 to %d, not %d", session.Turns, c.Turn).At("turn")
	}
	if c.Key != "" {
		if _, err := s.Obligation(ctx, session, c.Key); err != nil {
			return c, fault.New(fault.Unprocessable, "the session has no obligation %q", web.Clip(c.Key)).At("key")
		}
	}
	return sessions.AddComment(ctx, s.Pool, c)
}

func (s *Handlers) resolveComment(ctx context.Context, in *commentID) (CommentSeen, error) {
	session, err := s.commented(ctx, in.ID)
	if err != nil {
		return CommentSeen{}, err
	}
	c, err := s.dealt(ctx, session, in.Comment)
	return toCommentSeen(c), err
}

// dealt marks a comment as dealt with by the actor.
func (s *Handlers) dealt(ctx context.Context, session sessions.Session, id string) (sessions.Comment, error) {
	known, err := uuid.Parse(id)
	if err != nil {
		return sessions.Comment{}, fault.New(fault.NotFound, "the session has no such comment").Coded("comment_not_found")
	}
	return sessions.ResolveComment(ctx, s.Pool, session.Scope(), known.String(), web.ActorFrom(ctx).User)
}
