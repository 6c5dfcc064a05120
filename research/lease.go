package research

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/lease"
	"quaestor/internal/postgres"
	"quaestor/research/internal/dbsqlc"
	"quaestor/sessions"
)

// acquire makes the caller the holder of a task if nobody else holds it; it returns
// nil when the task is over or held by another worker.
func (d *Researcher) acquire(ctx context.Context, tenant, id string) (*Task, error) {
	var events []sessions.Event
	var out *Task
	err := postgres.InTx(ctx, d.Editor.Pool, tenant, func(tx pgx.Tx) error {
		t, err := Find(ctx, tx, tenant, id)
		if err != nil || !t.Open() {
			return err
		}
		turn, err := lockSession(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		if out, err = postgres.Find(ctx, tx, tenant, queries.TaskTake, &dbsqlc.TaskTakeParams{LeaseSeconds: d.Lease.Seconds(), TenantID: tenant, ID: id}, fromRow); err != nil || out == nil {
			return err
		}
		if out.Attempt == 1 {
			events, err = out.log(ctx, tx, turn)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("acquire research task %s: %w", id, err)
	}
	if out != nil {
		d.Editor.Hub.Publish(out.Scope, events)
	}
	return out, nil
}

// lease returns the lease that keeps a task this worker has just acquired.
func (d *Researcher) lease(t Task) lease.Lease {
	return lease.Lease{
		Beat:  d.Beat,
		Renew: func(ctx context.Context) (bool, error) { return d.renew(ctx, t) },
		Warn: func(ctx context.Context, err error) {
			d.Log.WarnContext(ctx, "research heartbeat", "tenant", t.Scope.Tenant, "task", t.ID, "err", err)
		},
	}
}

// renew extends the lease; it returns false when the task no longer belongs to this
// attempt.
func (d *Researcher) renew(ctx context.Context, t Task) (bool, error) {
	held := false
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TaskBeat, &dbsqlc.TaskBeatParams{LeaseSeconds: d.Lease.Seconds(), TenantID: t.Scope.Tenant, ID: t.ID, Attempt: int32(t.Attempt)}, func(int32) error { held = true; return nil })
	err := b.Send(ctx, d.Editor.Pool)
	return held, err
}

// mark queues the update that records a step as done.
func (w *taskRun) mark(b *postgres.Batch, t *Task) error {
	plan, err := json.Marshal(t.Plan)
	if err != nil {
		return err
	}
	step := string(t.Step)
	return queries.TaskStep(context.Background(), b, &dbsqlc.TaskStepParams{Step: &step, Plan: plan, LeaseSeconds: w.Lease.Seconds(),
		TenantID: t.Scope.Tenant, ID: t.ID})
}

// release gives a task back for another worker to take, with a note saying why.
func (d *Researcher) release(ctx context.Context, t Task, note string) error {
	b := postgres.NewBatch(t.Scope.Tenant)
	_ = queries.TaskRelease(ctx, b, &dbsqlc.TaskReleaseParams{Note: text(note), TenantID: t.Scope.Tenant, ID: t.ID, Attempt: int32(t.Attempt)})
	return b.Send(ctx, d.Editor.Pool)
}

// wait makes a task pending again and records why in its session's log.
func (d *Researcher) wait(ctx context.Context, t Task, note string) error {
	return d.waitUnless(ctx, t, note, func(pgx.Tx) (bool, error) { return false, nil })
}

// waitUnless is [Researcher.wait], unless decided in the same transaction that the task need not wait; then
// nothing is written.
func (d *Researcher) waitUnless(ctx context.Context, t Task, note string, decided func(pgx.Tx) (bool, error)) error {
	t.Status, t.Note = Pending, note
	err := d.move(ctx, t, func(tx pgx.Tx) error {
		if goes, err := decided(tx); err != nil || goes {
			return cmp.Or(err, errGoes)
		}
		return queries.TaskWait(ctx, tx, &dbsqlc.TaskWaitParams{Note: &note, TenantID: t.Scope.Tenant, ID: t.ID, Attempt: int32(t.Attempt)})
	})
	if err != nil && !errors.Is(err, errGoes) {
		return fmt.Errorf("put research task %s back: %w", t.ID, err)
	}
	return nil
}

// errGoes undoes the putting back of a task that need not wait.
var errGoes = errors.New("the task need not wait")

// move brings a task of this attempt to the status that t already has: write stores it, and the
// session's log is told. A task that was steered meanwhile is moved all the same. The error is
// that of the fence if another worker has the task.
func (d *Researcher) move(ctx context.Context, t Task, write func(pgx.Tx) error) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, d.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		turn, err := lockSession(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		w := taskRun{Researcher: d, task: t}
		if err := w.fence(ctx, tx); err != nil && !errors.Is(err, errSteered) {
			return err
		}
		if err := write(tx); err != nil {
			return err
		}
		events, err = t.log(ctx, tx, turn)
		return err
	})
	if err != nil {
		return err
	}
	d.Editor.Hub.Publish(t.Scope, events)
	return nil
}
