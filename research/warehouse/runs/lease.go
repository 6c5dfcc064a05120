package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/lease"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// acquire makes a run the caller's, if nobody works it. It is nil when it is over,
// paused or gone; held reports whether somebody has it.
func (r *Runner) acquire(ctx context.Context, tenant, id string) (run *Run, held bool, err error) {
	var last int64
	err = postgres.InTx(ctx, r.Pool, tenant, func(tx pgx.Tx) error {
		was, err := lock(ctx, tx, tenant, id)
		if err != nil {
			return err
		}
		row, err := queries.RunTake(ctx, tx, &dbsqlc.RunTakeParams{LeaseSeconds: r.Lease.Seconds(), TenantID: tenant, ID: id})
		if errors.Is(err, pgx.ErrNoRows) {
			held = Status(was.Status) == Running
			return nil
		}
		if err != nil {
			return err
		}
		one, err := fromRow(row)
		if err != nil {
			return err
		}
		run = &one
		last, err = appendEvents(ctx, tx, tenant, id, was.LastSeq, StatusEvent{as: EventStarted, Status: Running, Attempt: run.Attempt}, PhaseEvent{run.Phase, run.Detail, run.Progress})
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("acquire run %s: %w", id, err)
	}
	if run != nil {
		r.Hub.publish(id, last)
		run.Spent, err = r.spent(ctx, tenant, id)
	}
	return run, held, err
}

// spent reads what a run has cost.
func (r *Runner) spent(ctx context.Context, tenant, id string) (map[Purpose]PurposeCost, error) {
	all := map[string]map[Purpose]PurposeCost{id: {}}
	b := postgres.NewBatch(tenant)
	loadSpending(b, []string{id}, all)
	if err := b.Send(ctx, r.Pool); err != nil {
		return nil, fmt.Errorf("read what run %s cost: %w", id, err)
	}
	return all[id], nil
}

// lease is what holds the run. It is renewed at once when somebody wants something of the
// run, which may be that it ends.
func (w *work) lease() lease.Lease {
	run := w.run // which goes on changing elsewhere
	return lease.Lease{
		Beat:  w.Beat,
		Poke:  w.look,
		Renew: func(ctx context.Context) (bool, error) { return w.renew(ctx, &run) },
		Warn: func(ctx context.Context, err error) {
			w.Log.WarnContext(ctx, "run heartbeat", "tenant", run.Tenant, "run", run.ID, "err", err)
		},
	}
}

// renew prolongs the lease; false when the run is not this attempt's any more.
func (r *Runner) renew(ctx context.Context, run *Run) (bool, error) {
	held := false
	b := postgres.NewBatch(run.Tenant)
	postgres.One(b, queries.RunBeat, &dbsqlc.RunBeatParams{LeaseSeconds: r.Lease.Seconds(), TenantID: run.Tenant, ID: run.ID, Attempt: int32(run.Attempt)}, func(int32) error { held = true; return nil })
	err := b.Send(ctx, r.Pool)
	return held, err
}

// commit stores what f queues, and events that tell of it. It is lease.ErrLost, and
// nothing is stored, when the run is not this worker's any more. What somebody
// wants of the run is in w.wish then.
func (w *work) commit(ctx context.Context, f func(*postgres.Batch) error, payloads ...Payload) error {
	active := time.Since(w.since).Truncate(time.Millisecond)
	return w.fenced(ctx, active, func(b *postgres.Batch, last int64) (int64, error) {
		if f != nil {
			if err := f(b); err != nil {
				return 0, err
			}
		}
		last, err := queueEvents(b, w.run.ID, last, payloads)
		if err != nil {
			return 0, err
		}
		return last, queries.RunOn(ctx, b, &dbsqlc.RunOnParams{LastSeq: last, LeaseSeconds: w.Lease.Seconds(), ActiveMs: active.Milliseconds(), TenantID: w.run.Tenant, ID: w.run.ID})
	})
}

// move brings the run to another status, after what f queues, and tells of it, and of
// what happened before. The worker has it no more then.
func (w *work) move(ctx context.Context, to Status, detail string, m StatusEvent, f func(*postgres.Batch) error, before ...Payload) error {
	if !Running.MayBecome(to) {
		return &badTransition{Running, to}
	}
	m.Status, m.Attempt = to, w.run.Attempt
	active, failure := time.Since(w.since).Truncate(time.Millisecond), ""
	if to == Failed {
		failure = cut(clean(m.Why), maxDetail)
	}
	return w.fenced(ctx, active, func(b *postgres.Batch, last int64) (int64, error) {
		if f != nil {
			if err := f(b); err != nil {
				return 0, err
			}
		}
		last, err := queueEvents(b, w.run.ID, last, append(before, m))
		if err != nil {
			return 0, err
		}
		return last, queries.RunMove(ctx, b, &dbsqlc.RunMoveParams{Status: string(to), PhaseDetail: cut(clean(detail), maxDetail), LastSeq: last, ActiveMs: active.Milliseconds(),
			Over: to.Over(), Keep: to == Pending || to == Interrupted, Error: failure, Trouble: string(m.Trouble), Remedy: m.Remedy, TenantID: w.run.Tenant, ID: w.run.ID})
	})
}

// maxDetail bounds what is said of a run, in bytes.
const maxDetail = 1500

// fenced sends what f queues, while the run is this worker's and locked. f gets the number of the
// last event and returns that of the last it queued. active is the time of work that is counted
// with it. Nothing is stored if it returns an error, and watchers are told only after the commit.
func (w *work) fenced(ctx context.Context, active time.Duration, f func(b *postgres.Batch, last int64) (int64, error)) error {
	var last int64
	var wish string
	err := postgres.InTx(ctx, w.Pool, w.run.Tenant, func(tx pgx.Tx) error {
		r, err := lease.Fenced(queries.RunFence(ctx, tx, &dbsqlc.RunFenceParams{TenantID: w.run.Tenant, ID: w.run.ID, Attempt: int32(w.run.Attempt)}))
		if err != nil {
			return err
		}
		wish = r.Wish
		b := postgres.NewBatch(w.run.Tenant)
		if last, err = f(b, r.LastSeq); err != nil {
			return err
		}
		return b.Send(ctx, tx)
	})
	if err != nil {
		return err
	}
	w.request, w.since = wish, w.since.Add(active)
	w.run.Counters.Active += active
	w.Hub.publish(w.run.ID, last)
	return nil
}
