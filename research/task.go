package research

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// Task is a piece of research on its way.
type Task struct {
	ID      string
	Scope   obligations.Scope
	Order   Order
	Status  Status
	Turn    int             // that asked for it
	Note    string          // why it waits; empty for none
	Result  json.RawMessage // nil until it is completed
	Failure string          // in words; empty unless it failed
	Created time.Time
	Started *time.Time
	Ended   *time.Time
}

// Status is where a task stands.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
)

var queries = dbsqlc.New()

// Save queues new tasks. Their jobs are [Enqueue]'s.
func Save(b *postgres.Batch, tasks []Task) {
	for _, t := range tasks {
		var key, note *string
		if t.Order.Key != "" {
			key = &t.Order.Key
		}
		if t.Note != "" {
			note = &t.Note
		}
		_, _ = b.Exec(context.Background(), dbsqlc.TaskInsert, t.Scope.Tenant, t.ID, t.Scope.Session, key, string(t.Order.Kind), string(t.Order.Trigger),
			t.Order.Query, int32(t.Order.Priority), int32(t.Turn), note)
	}
}

// LoadKeys queues a read of the keys a session has had research for into keys.
func LoadKeys(b *postgres.Batch, s obligations.Scope, keys *[]string) {
	postgres.Rows[dbsqlc.TaskKeysRow](b, func(r *dbsqlc.TaskKeysRow) error {
		if r.ObligationKey != "" {
			*keys = append(*keys, r.ObligationKey)
		}
		return nil
	}, dbsqlc.TaskKeys, s.Tenant, s.Session)
}

// Load queues a read of a session's tasks, oldest first, into list.
func Load(b *postgres.Batch, s obligations.Scope, list *[]Task) {
	postgres.Rows[dbsqlc.DiscoveryResearchTask](b, func(r *dbsqlc.DiscoveryResearchTask) error {
		*list = append(*list, fromRow(r))
		return nil
	}, dbsqlc.TaskList, s.Tenant, s.Session)
}

// List returns a session's tasks, oldest first.
func List(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Task, error) {
	var out []Task
	b := postgres.NewBatch(s.Tenant)
	Load(b, s, &out)
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("list research tasks of session %s: %w", s.Session, err)
	}
	return out, nil
}

// Find returns a tenant's task.
func Find(ctx context.Context, db postgres.DB, tenant, id string) (Task, error) {
	var out *Task
	b := postgres.NewBatch(tenant)
	postgres.Rows[dbsqlc.DiscoveryResearchTask](b, func(r *dbsqlc.DiscoveryResearchTask) error {
		t := fromRow(r)
		out = &t
		return nil
	}, dbsqlc.TaskFind, tenant, id)
	if err := b.Send(ctx, db); err != nil && postgres.Code(err) != "22P02" {
		return Task{}, fmt.Errorf("find research task %s: %w", id, err)
	}
	if out == nil {
		return Task{}, fault.New(fault.NotFound, "there is no such research task").Coded("research_task_not_found")
	}
	return *out, nil
}

func fromRow(r *dbsqlc.DiscoveryResearchTask) Task {
	t := Task{ID: r.ID, Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, Status: Status(r.Status), Turn: int(r.Turn),
		Order:  Order{Kind: Kind(r.TaskType), Trigger: Trigger(r.Trigger), Query: r.Query, Priority: int(r.Priority)},
		Result: r.Result, Created: r.CreatedAt, Started: r.StartedAt, Ended: r.CompletedAt}
	if r.ObligationKey != nil {
		t.Order.Key = *r.ObligationKey
	}
	if r.Note != nil {
		t.Note = *r.Note
	}
	if r.ErrorMessage != nil {
		t.Failure = *r.ErrorMessage
	}
	return t
}
