package review

import (
	"context"
	"time"

	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web"
)

// commentBody is a new comment, on a value, on a turn, or with neither on the session.
type commentBody struct {
	Key  string `json:"key,omitempty" doc:"of the obligation it is about"`
	Turn int    `json:"turn,omitempty" minimum:"0" doc:"it is about"`
	Text string `json:"text" maxLength:"2000" doc:"1 to 2,000 characters"`
}

// newComment adds a comment to a session.
type newComment struct {
	web.SessionPath
	Body commentBody
}

// commentQuery is a page of the comments on a session.
type commentQuery struct {
	web.SessionPath
	Open   bool   `query:"open" doc:"only those that nobody has dealt with"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// commentID is the address of a comment.
type commentID struct {
	web.SessionPath
	Comment string `path:"comment"`
}

// CommentSeen is a comment on the wire. Key and Turn are absent when it is on the session
// as a whole; ResolvedAt and ResolvedBy until somebody has dealt with it.
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

// toCommentSeen is complete: comments hold nothing that a reviewer may not see.
func toCommentSeen(c sessions.Comment) CommentSeen {
	return CommentSeen{c.ID, c.Key, c.Turn, c.Author, c.Text, c.CreatedAt, c.ResolvedAt, c.ResolvedBy}
}

// listComments returns a page of comments, oldest first. The limit counts all comments,
// so that a page of the open ones alone may be shorter, or empty, and still have a next.
func (s *Handlers) listComments(ctx context.Context, session sessions.Session, in *commentQuery) (web.Page[CommentSeen], error) {
	var out web.Page[CommentSeen]
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
	out.Items = web.Map(web.Where(list, func(c sessions.Comment) bool { return !in.Open || c.Open() }), toCommentSeen)
	return out, nil
}

// addComment stores a comment, and answers with it as it is stored.
func (s *Handlers) addComment(ctx context.Context, session sessions.Session, in *newComment) (CommentSeen, error) {
	c, err := s.comment(ctx, session, in.Body)
	return toCommentSeen(c), err
}

// resolveComment marks a comment as dealt with, and answers with it.
func (s *Handlers) resolveComment(ctx context.Context, session sessions.Session, in *commentID) (CommentSeen, error) {
	c, err := s.dealWith(ctx, session, in.Comment)
	return toCommentSeen(c), err
}
