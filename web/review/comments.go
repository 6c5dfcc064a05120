package review

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// commentOn applies the form that adds a comment, and returns where the comment is shown.
func (s *Handlers) commentOn(ctx context.Context, in submission) (string, error) {
	turn, _ := strconv.Atoi(in.form.Get("turn")) // a form without a turn is about something else
	c, err := s.comment(ctx, in.session, commentBody{Key: in.form.Get("key"), Turn: turn, Text: in.form.Get("text")})
	return commentPlace(c), err
}

// closeComment applies the form that marks a comment as dealt with.
func (s *Handlers) closeComment(ctx context.Context, in submission) (string, error) {
	c, err := s.dealWith(ctx, in.session, in.path("comment"))
	return commentPlace(c), err
}

// commentPlace is where a comment is shown: at its value, on the page of its turn, or
// among the comments on the session.
func commentPlace(c sessions.Comment) string {
	switch {
	case c.Key != "":
		return valueAnchor(c.Scope.Session, c.Key)
	case c.Turn > 0:
		return sessionPath(c.Scope.Session) + "/turns/" + strconv.Itoa(c.Turn)
	}
	return sessionPath(c.Scope.Session) + "#comments"
}

// comment stores a comment by the actor. The value or the turn it is on must exist.
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

// dealWith marks a comment of the session as dealt with by the actor. An id of another
// form is NotFound, like one that no comment has.
func (s *Handlers) dealWith(ctx context.Context, session sessions.Session, id string) (sessions.Comment, error) {
	known, err := uuid.Parse(id)
	if err != nil {
		return sessions.Comment{}, fault.New(fault.NotFound, "the session has no such comment").Coded("comment_not_found")
	}
	return sessions.ResolveComment(ctx, s.Pool, session.Scope(), known.String(), web.ActorFrom(ctx).User)
}
