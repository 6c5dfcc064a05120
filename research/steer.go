package research

import (
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
	"quaestor/sessions"
)

// cancelNote is kept with what nobody wants any more.
const cancelNote = "cancelled"

// QueueSteer queues that an open task is told where to look, in at most 300
// characters. A task that is over, or was told as often as it may, stays as it is.
func QueueSteer(b *postgres.Batch, s obligations.Scope, id string, st Steer) error {
	st.Text, st.At = SteerText(st.Text), st.At.UTC().Truncate(time.Microsecond)
	body, err := json.Marshal([]Steer{st})
	if err != nil {
		return fmt.Errorf("steer research task %s: %w", id, err)
	}
	postgres.One(b, queries.TaskSteer, &dbsqlc.TaskSteerParams{Steering: body, TenantID: s.Tenant, ID: id}, nil)
	return nil
}

// QueueCancel queues the end of an open task that nobody wants any more. A task
// that is over stays as it is.
func QueueCancel(b *postgres.Batch, s obligations.Scope, id string) {
	postgres.One(b, queries.TaskCancel, &dbsqlc.TaskCancelParams{Note: ptr(cancelNote), TenantID: s.Tenant, ID: id}, nil)
}

// SteerText is what somebody says about where to look as it is kept: one line of
// at most 300 characters.
func SteerText(said string) string {
	line := []rune(oneLine(said))
	return string(line[:min(len(line), maxSteering)])
}

// Event returns what a session's log says of the task in a turn that steers or
// cancels it.
func (f TaskSummary) Event(turn int, steering ...string) sessions.ResearchEvent {
	return sessions.ResearchEvent{Turn: max(turn, 1), TaskID: f.ID, Key: f.Key, Type: string(f.Kind), Query: f.Query, Status: string(f.Status),
		Why: string(f.Trigger), Note: f.Note, Steering: steering}
}

// Cancelled returns the task as it is once nobody wants it any more.
func (f TaskSummary) Cancelled() TaskSummary {
	f.Status, f.Note = Cancelled, cancelNote
	return f
}
