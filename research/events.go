package research

import (
	"context"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Event returns what a session's log says of the task as it stands.
func (t *Task) Event() sessions.ResearchEvent { return t.event(t.Turn) }

func (t *Task) event(turn int) sessions.ResearchEvent {
	ev := sessions.ResearchEvent{Turn: max(turn, 1), TaskID: t.ID, Key: t.Order.Key, Type: string(t.Order.Kind), Query: t.Order.Query, Status: string(t.Status),
		Why: string(t.Order.Trigger), Note: t.Note, Step: string(t.Step), Outcome: string(t.Outcome), Summary: t.Summary, Failure: t.Failure}
	if t.Proposal != nil {
		ev.Proposal = t.Proposal.Value
	}
	for _, s := range t.Steering {
		ev.Steering = append(ev.Steering, s.Text)
	}
	return ev
}

// lockSession locks a task's session, as every writer does first, and returns the
// turn it is in. A task without one locks nothing.
func lockSession(ctx context.Context, tx pgx.Tx, s obligations.Scope) (turn int, err error) {
	if s.Session == "" {
		return 0, nil
	}
	var found *sessions.Session
	b := postgres.NewBatch(s.Tenant)
	sessions.Lock(b, s, &found)
	if err := b.Send(ctx, tx); err != nil || found == nil {
		return 0, err
	}
	return max(found.Turns, 1), nil
}

// log appends how the task stands to its session's log; nothing for a task that
// has no session. The events are for [sessions.Hub.Publish] once tx is committed.
func (t *Task) log(ctx context.Context, tx pgx.Tx, turn int) ([]sessions.Event, error) {
	return t.tell(ctx, tx, turn, t.event(turn))
}

func (t *Task) tell(ctx context.Context, tx pgx.Tx, turn int, told sessions.ResearchEvent) ([]sessions.Event, error) {
	if t.Scope.Session == "" {
		return nil, nil
	}
	events := sessions.Events(turn, []sessions.Payload{told})
	b := postgres.NewBatch(t.Scope.Tenant)
	sessions.Append(b, t.Scope, events)
	if err := b.Send(ctx, tx); err != nil {
		return nil, err
	}
	return events, nil
}
