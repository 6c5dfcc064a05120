package chat

import (
	"context"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Party is who changes values outside the conversation.
type Party struct {
	User     string
	Reviewer bool // acts as one: decides what was escalated, and may undo what a reviewer decided
}

// edit is a party's change of a session.
type edit struct {
	by Party
	*sessions.Edit
}

func (e *Engine) editor() sessions.Editor {
	return sessions.Editor{Pool: e.Pool, Hub: e.Hub, Library: e.Library}
}

// change records what decide says and returns the obligations after it. A session
// that is completed takes no changes.
func (e *Engine) change(ctx context.Context, s obligations.Scope, by Party, decide func(*edit) error) ([]obligations.Obligation, error) {
	return e.editor().Change(ctx, s, func(ed *sessions.Edit) error {
		if ed.Session.Status == sessions.Completed {
			return fault.New(fault.Conflict, "this session is completed; what it found stands").Coded("session_completed")
		}
		return decide(&edit{by, ed})
	})
}
