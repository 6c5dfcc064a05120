package chat

import (
	"context"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Actor is who changes values outside the conversation.
type Actor struct {
	User     string
	Reviewer bool // acts as one: decides what was escalated, and may undo what a reviewer decided
}

// edit is a party's change of a session.
type edit struct {
	by Actor
	*sessions.Edit
}

func (e *Engine) editor() sessions.Editor {
	return sessions.Editor{Pool: e.Pool, Hub: e.Hub, Library: e.Library}
}

// asksNoMore refuses what would have a question asked again in a session that is
// completed.
func (ed *edit) asksNoMore() error {
	if ed.Session.Status != sessions.Completed {
		return nil
	}
	return fault.New(fault.Conflict, "this session is completed and asks nothing more; set the value instead").Coded("session_completed")
}

// change records what decide says and returns the obligations after it. What a
// completed session found only a reviewer changes.
func (e *Engine) change(ctx context.Context, s obligations.Scope, by Actor, decide func(*edit) error) ([]obligations.Obligation, error) {
	return e.editor().Change(ctx, s, func(ed *sessions.Edit) error {
		if ed.Session.Status == sessions.Completed && !by.Reviewer {
			return fault.New(fault.Conflict, "this session is completed; a reviewer may still change what it found").Coded("session_completed")
		}
		return decide(&edit{by, ed})
	})
}
