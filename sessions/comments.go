package sessions

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Comment is a reviewer's note on a session, on one of its values or on one of its
// turns. The person who was interviewed never sees it.
type Comment struct {
	Scope      obligations.Scope
	ID         string
	Key        string // of the obligation it is about; empty for none
	Turn       int    // it is about; 0 for none
	Author     string
	Text       string
	CreatedAt  time.Time
	ResolvedAt *time.Time // nil while it is open
	ResolvedBy string
}

// Open reports whether the comment is not resolved yet.
func (c Comment) Open() bool { return c.ResolvedAt == nil }

// Limits of comments. They are chosen, not measured.
const (
	CommentRunes = 2000 // of one
	MaxComments  = 1000 // of a session
)

// Check returns c as it is stored, without white space around its text. A text that is
// empty or longer than [CommentRunes] is Unprocessable.
func (c Comment) Check() (Comment, error) {
	c.Text = strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(c.Text, "\r\n", "\n"), "\uFFFD"))
	switch n := utf8.RuneCountInString(c.Text); {
	case n == 0:
		return c, fault.New(fault.Unprocessable, "write what there is to say").At("text")
	case n > CommentRunes:
		return c, fault.New(fault.Unprocessable, "at most %d characters, not %d", CommentRunes, n).At("text")
	}
	return c, nil
}

// AddComment stores a comment that passed [Comment.Check] and returns it with its id. It
// is a Conflict when the session has [MaxComments].
func AddComment(ctx context.Context, db postgres.DB, c Comment) (Comment, error) {
	var key *string
	var turn *int32
	if c.Key != "" {
		key = &c.Key
	}
	if c.Turn > 0 {
		n := int32(c.Turn)
		turn = &n
	}
	out, err := postgres.Find(ctx, db, c.Scope.Tenant, queries.CommentInsert, &dbsqlc.CommentInsertParams{
		TenantID: c.Scope.Tenant, SessionID: c.Scope.Session, ObligationKey: key, Turn: turn, Author: c.Author, Content: c.Text, Most: MaxComments,
	}, func(r *dbsqlc.ReviewComment) (Comment, error) {
		return fromCommentRow(r), nil
	})
	missing := fault.New(fault.Conflict, "a session takes %d comments; there are as many", MaxComments).Coded("comments_full")
	return postgres.Found(out, fault.Wrap(err, "comment on session %s", c.Scope.Session), missing)
}

// ResolveComment marks a comment as resolved and returns it. A comment that was resolved
// before keeps its mark; one that does not exist is NotFound.
func ResolveComment(ctx context.Context, db postgres.DB, s obligations.Scope, id, by string) (Comment, error) {
	out, err := postgres.Find(ctx, db, s.Tenant, queries.CommentResolve, &dbsqlc.CommentResolveParams{ResolvedBy: by, TenantID: s.Tenant, SessionID: s.Session, ID: id}, func(r *dbsqlc.CommentResolveRow) (Comment, error) {
		return fromCommentRow((*dbsqlc.ReviewComment)(r)), nil
	})
	missing := fault.New(fault.NotFound, "the session has no such comment").Coded("comment_not_found")
	return postgres.Found(out, fault.Wrap(err, "resolve comment %s", id), missing)
}

// LoadComments queues a read of at most limit comments on a session into list, oldest
// first. It starts after the comment of that time and id; the zero time and an empty id
// start with the oldest.
func LoadComments(b *postgres.Batch, s obligations.Scope, after time.Time, id string, limit int, list *[]Comment) {
	id = cmp.Or(id, firstID)
	postgres.Many(b, queries.CommentList, &dbsqlc.CommentListParams{TenantID: s.Tenant, SessionID: s.Session, AfterAt: after, AfterID: id, Max: int32(limit)}, func(r *dbsqlc.ReviewComment) error {
		*list = append(*list, fromCommentRow(r))
		return nil
	})
}

func fromCommentRow(r *dbsqlc.ReviewComment) Comment {
	c := Comment{Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, ID: r.ID, Key: postgres.OrEmpty(r.ObligationKey), Author: r.Author, Text: r.Content,
		CreatedAt: r.CreatedAt, ResolvedAt: r.ResolvedAt, ResolvedBy: postgres.OrEmpty(r.ResolvedBy)}
	if r.Turn != nil {
		c.Turn = int(*r.Turn)
	}
	return c
}
