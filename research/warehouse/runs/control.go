package runs

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Pause stops a run until somebody resumes it: immediately if no worker has it, else
// after the current step. A run that is over or paused is a Conflict.
func (o Commands) Pause(ctx context.Context, tenant, id, by string) (Run, error) {
	return o.change(ctx, tenant, id, "paused", func(c *change) error {
		if c.status == Running {
			return queries.RunWish(ctx, c.tx, &dbsqlc.RunWishParams{Wish: postgres.OrNull(pauseRequest), TenantID: tenant, ID: id})
		}
		return c.move(ctx, Paused, StatusEvent{as: EventPaused, By: by})
	})
}

// Resume continues a run that is paused, failed or interrupted, or revokes a pause
// that has not taken effect. Any other status is a Conflict, and so is a run whose
// warehouse is no longer connected.
func (o Commands) Resume(ctx context.Context, tenant, id, by string) (Run, error) {
	return o.change(ctx, tenant, id, "resumed", func(c *change) error {
		if c.status == Running && c.pausing {
			return queries.RunWish(ctx, c.tx, &dbsqlc.RunWishParams{TenantID: tenant, ID: id})
		}
		if c.warehouse == "" || c.status == Running || !c.status.MayBecome(Pending) {
			return refused(c.status, "resumed")
		}
		if err := enqueue(ctx, c.tx, o.Queue, tenant, id); err != nil {
			return err
		}
		return c.move(ctx, Pending, StatusEvent{as: EventResumed, By: by})
	})
}

// Cancel ends a run for good, immediately; what it found stays. A run that is over is
// a Conflict.
func (o Commands) Cancel(ctx context.Context, tenant, id, by string) (Run, error) {
	return o.change(ctx, tenant, id, "cancelled", func(c *change) error {
		return c.move(ctx, Cancelled, StatusEvent{as: EventFinished, By: by})
	})
}

// Delete removes a run and everything that belongs to it. A running one is a
// Conflict, and has to be cancelled first.
func (o Commands) Delete(ctx context.Context, tenant, id string) error {
	deleted := int64(0)
	err := postgres.InTx(ctx, o.Pool, tenant, func(tx pgx.Tx) error {
		r, err := lock(ctx, tx, tenant, id)
		if err != nil {
			return err
		}
		if Status(r.Status) == Running {
			return refused(Running, "deleted; cancel it first")
		}
		deleted, err = queries.RunDelete(ctx, tx, &dbsqlc.RunDeleteParams{TenantID: tenant, ID: id})
		return err
	})
	if err != nil {
		return fmt.Errorf("delete run %s: %w", id, err)
	}
	if deleted == 0 {
		return noRun()
	}
	return nil
}

// change is a run that is locked for a command.
type change struct {
	tx         pgx.Tx // holds the lock of the run
	tenant, id string
	status     Status
	pausing    bool   // a pause was requested and has not taken effect
	warehouse  string // empty if it is no longer connected
	last       int64  // number of its last event
}

// change applies f to a locked run, then notifies its worker and its watchers. did is the
// participle for the refusal. The run that is returned is read after the commit, so it may be
// further already.
func (o Commands) change(ctx context.Context, tenant, id, did string, f func(*change) error) (Run, error) {
	c := &change{tenant: tenant, id: id}
	err := postgres.InTx(ctx, o.Pool, tenant, func(tx pgx.Tx) error {
		r, err := lock(ctx, tx, tenant, id)
		if err != nil {
			return err
		}
		c.tx, c.status, c.pausing, c.warehouse, c.last = tx, Status(r.Status), r.Wish == pauseRequest, postgres.OrEmpty(r.WarehouseID), r.LastSeq
		return f(c)
	})
	var no *badTransition
	if errors.As(err, &no) {
		return Run{}, refused(c.status, did)
	}
	if err != nil {
		return Run{}, fmt.Errorf("run %s: %w", id, err)
	}
	o.Hub.publish(id, c.last)
	o.Hub.disturb(id)
	return Find(ctx, o.Pool, tenant, id)
}

// lock returns a run and locks its row until tx ends.
func lock(ctx context.Context, tx pgx.Tx, tenant, id string) (*dbsqlc.RunLockRow, error) {
	r, err := queries.RunLock(ctx, tx, &dbsqlc.RunLockParams{TenantID: tenant, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, noRun()
	}
	return r, notID(err)
}

// badTransition is the error of a change of status that is not allowed.
type badTransition struct{ from, to Status }

// Error names both statuses.
func (e *badTransition) Error() string {
	return fmt.Sprintf("a run that is %s cannot become %s", e.from, e.to)
}

// move changes the status of the run and appends the event.
func (c *change) move(ctx context.Context, to Status, m StatusEvent) error {
	if !c.status.MayBecome(to) {
		return &badTransition{c.status, to}
	}
	m.Status = to
	b := postgres.NewBatch(c.tenant)
	last, err := queueEvents(b, c.id, c.last, []Payload{m})
	if err != nil {
		return err
	}
	c.last = last
	_ = queries.RunMove(ctx, b, &dbsqlc.RunMoveParams{Status: string(to), PhaseDetail: m.Why, LastSeq: last, Over: to.Over(), TenantID: c.tenant, ID: c.id})
	return b.Send(ctx, c.tx)
}
