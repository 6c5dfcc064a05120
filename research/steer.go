package research

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
	"quaestor/sessions"
)

// cancelNote is the note of a task that was cancelled in the conversation.
const cancelNote = "cancelled"

// QueueSteer queues an instruction where an open task is to look, cut to 300
// characters. A task that is over, or that had as many instructions as it takes,
// is left unchanged.
func QueueSteer(b *postgres.Batch, s obligations.Scope, id string, st Steer) error {
	st.Text, st.At = SteerText(st.Text), st.At.UTC().Truncate(time.Microsecond)
	body, err := json.Marshal([]Steer{st})
	if err != nil {
		return fmt.Errorf("steer research task %s: %w", id, err)
	}
	postgres.One(b, queries.TaskSteer, &dbsqlc.TaskSteerParams{Steering: body, TenantID: s.Tenant, ID: id}, nil)
	return nil
}

// QueueDispute queues what somebody says against what came of a task that is over. It changes neither
// what was found nor the task's revision.
func QueueDispute(b *postgres.Batch, s obligations.Scope, id string, st Steer) error {
	st.Text, st.At, st.Disputes = SteerText(st.Text), st.At.UTC().Truncate(time.Microsecond), true
	body, err := json.Marshal([]Steer{st})
	if err != nil {
		return fmt.Errorf("dispute research task %s: %w", id, err)
	}
	return queries.TaskDisputed(context.Background(), b, &dbsqlc.TaskDisputedParams{Steering: body, TenantID: s.Tenant, SessionID: &s.Session, ID: id})
}

// QueueCancel queues the end of an open task that is no longer wanted. A task that
// is over is left unchanged.
func QueueCancel(b *postgres.Batch, s obligations.Scope, id string) {
	postgres.One(b, queries.TaskCancel, &dbsqlc.TaskCancelParams{Note: ptr(cancelNote), TenantID: s.Tenant, ID: id}, nil)
}

// SteerText returns an instruction as it is stored: one line of at most 300
// characters.
func SteerText(said string) string {
	return language.Head(language.OneLine(said), maxSteering)
}

// Against returns the log entry of a turn in which somebody says something against what came of the task.
func (f TaskSummary) Against(turn int, said string) sessions.ResearchEvent {
	ev := f.Event(turn)
	ev.Outcome, ev.Summary, ev.Proposal, ev.Disputed = string(f.Outcome), f.Summary, f.Proposed, SteerText(said)
	return ev
}

// Event returns the log entry of a turn that steers or cancels the task.
func (f TaskSummary) Event(turn int, steering ...string) sessions.ResearchEvent {
	return sessions.ResearchEvent{Turn: max(turn, 1), TaskID: f.ID, Key: f.Key, Type: string(f.Kind), Query: f.Query, Status: string(f.Status),
		Why: string(f.Trigger), Note: f.Note, Steering: steering}
}

// Cancelled returns the task as it is after [QueueCancel].
func (f TaskSummary) Cancelled() TaskSummary {
	f.Status, f.Note = Cancelled, cancelNote
	return f
}
