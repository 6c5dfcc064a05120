package research

import (
	"context"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Event returns the log entry that describes the task as it is now.
func (t *Task) Event() sessions.ResearchEvent { return t.event(t.Turn) }

// event is Event for a change made in a later turn than the task's own.
func (t *Task) event(turn int) sessions.ResearchEvent {
	ev := sessions.ResearchEvent{Turn: max(turn, 1), TaskID: t.ID, Key: t.Order.Key, Type: string(t.Order.Kind), Query: t.Order.Query, Status: string(t.Status),
		Why: string(t.Order.Trigger), Note: t.Note, Step: string(t.Step), Outcome: string(t.Outcome), Summary: t.Summary, Failure: t.Failure}
	if t.Proposal != nil {
		ev.Proposal = t.Proposal.Value
	}
	for _, s := range t.Steering {
		if !s.Disputes {
			ev.Steering = append(ev.Steering, s.Text)
		}
	}
	ev.Disputed = t.Disputed()
	return ev
}

// lockSession locks a task's session, as every writer does first, and returns its
// current turn. A task without a session locks nothing and is in turn 0.
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

// log appends the task's current state to its session's log, and does nothing for
// a task without a session. The caller publishes the events returned with
// [sessions.Hub.Publish] once tx is committed.
func (t *Task) log(ctx context.Context, tx pgx.Tx, turn int) ([]sessions.Event, error) {
	return t.tell(ctx, tx, turn, t.event(turn))
}

// tell appends a given entry to the session's log; see log.
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
