package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/research/internal/dbsqlc"
	"quaestor/sessions"
)

// take makes a task the caller's, if nobody works it; nil when it is over or
// somebody else's.
func (d *Researcher) take(ctx context.Context, tenant, id string) (*Task, error) {
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
		if out, err = oneTask(ctx, tx, tenant, queries.TaskTake, &dbsqlc.TaskTakeParams{LeaseSeconds: d.Lease.Seconds(), TenantID: tenant, ID: id}); err != nil || out == nil {
			return err
		}
		if out.Attempt == 1 {
			events, err = out.log(ctx, tx, turn)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("take research task %s: %w", id, err)
	}
	if out != nil {
		d.Editor.Hub.Publish(out.Scope, events)
	}
	return out, nil
}

// beat shows every now and then that the worker of t is alive, until ctx ends.
// When the task is not its any more, cancel is called with errLost. What it
// returns is closed when it has stopped.
func (d *Researcher) beat(ctx context.Context, t Task, cancel context.CancelCauseFunc) <-chan struct{} {
	stopped := make(chan struct{})
	go func() { // waited for by whoever reads stopped
		defer close(stopped)
		tick := time.NewTicker(d.Beat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			held, err := d.alive(ctx, t)
			switch {
			case err == nil && !held:
				cancel(errLost)
				return
			case err != nil && ctx.Err() == nil: // the database is away: the lease will tell
				d.Log.WarnContext(ctx, "research heartbeat", "tenant", t.Scope.Tenant, "task", t.ID, "err", err)
			}
		}
	}()
	return stopped
}

// alive prolongs the lease; false when the task is not this attempt's any more.
func (d *Researcher) alive(ctx context.Context, t Task) (bool, error) {
	held := false
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TaskBeat, &dbsqlc.TaskBeatParams{LeaseSeconds: d.Lease.Seconds(), TenantID: t.Scope.Tenant, ID: t.ID, Attempt: int32(t.Attempt)}, func(int32) error { held = true; return nil })
	err := b.Send(ctx, d.Editor.Pool)
	return held, err
}

// mark queues that a step is done.
func (w *desk) mark(b *postgres.Batch, t *Task) error {
	plan, err := json.Marshal(t.Plan)
	if err != nil {
		return err
	}
	step := string(t.Step)
	return queries.TaskStep(context.Background(), b, &dbsqlc.TaskStepParams{Step: &step, Plan: plan, LeaseSeconds: w.Lease.Seconds(),
		TenantID: t.Scope.Tenant, ID: t.ID})
}

// release gives a task back, to be taken again, with a word why.
func (d *Researcher) release(ctx context.Context, t Task, note string) error {
	b := postgres.NewBatch(t.Scope.Tenant)
	_ = queries.TaskRelease(ctx, b, &dbsqlc.TaskReleaseParams{Note: text(note), TenantID: t.Scope.Tenant, ID: t.ID, Attempt: int32(t.Attempt)})
	return b.Send(ctx, d.Editor.Pool)
}

// wait puts a task back where it was and says why in its session's log, once.
func (d *Researcher) wait(ctx context.Context, t Task, note string) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, d.Editor.Pool, t.Scope.Tenant, func(tx pgx.Tx) error {
		turn, err := lockSession(ctx, tx, t.Scope)
		if err != nil {
			return err
		}
		w := desk{Researcher: d, task: t}
		if err := w.fence(ctx, tx); err != nil && !errors.Is(err, errSteered) {
			return err
		}
		if err := queries.TaskWait(ctx, tx, &dbsqlc.TaskWaitParams{Note: &note, TenantID: t.Scope.Tenant, ID: t.ID, Attempt: int32(t.Attempt)}); err != nil {
			return err
		}
		t.Status, t.Note = Pending, note
		events, err = t.log(ctx, tx, turn)
		return err
	})
	if err != nil {
		return fmt.Errorf("put research task %s back: %w", t.ID, err)
	}
	d.Editor.Hub.Publish(t.Scope, events)
	return nil
}
