package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// ReassessArgs is the job that checks sessions again that have changed; see
// [Reassessing].
type ReassessArgs struct{}

// Kind returns the name of the job.
func (ReassessArgs) Kind() string { return "session_reassess" }

// ReassessOptions configures the re-evaluation. Fields without a stated default are
// required.
type ReassessOptions struct {
	Editor  sessions.Editor
	Log     *slog.Logger
	Tenants func(context.Context) ([]string, error)

	Batch int // most sessions of a tenant in one round; zero means 200
}

// Turns and edits check their own changes, so a round finds little and may be rare. The
// batch bounds how long one job runs.
const (
	reassessEvery = 5 * time.Minute
	reassessBatch = 200
)

// Reassessing returns the worker of [ReassessArgs] for a queue. It checks sessions that
// have changed since the last check, and in which no turn runs, against their constraints,
// premises and conditions. Turns and edits do so themselves at their end; this finds what
// other writers and new versions of the program left. It goes tenant by tenant, and leaves
// to the next round what does not fit into this one.
func Reassessing(o ReassessOptions) research.AddFunc {
	o.Batch = cmp.Or(o.Batch, reassessBatch)
	return func(w *river.Workers) error {
		return river.AddWorkerSafely(w, river.WorkFunc(func(ctx context.Context, _ *river.Job[ReassessArgs]) error { return o.round(ctx) }))
	}
}

// ReassessPeriodically returns the schedule of [ReassessArgs]: one job at a time, however
// many servers there are.
func ReassessPeriodically() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(reassessEvery), func() (river.JobArgs, *river.InsertOpts) {
		return ReassessArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: reassessEvery}} // the next round is the retry
	}, nil)
}

// round checks sessions of all tenants. A session that cannot be checked is logged and
// left to the next round.
func (o ReassessOptions) round(ctx context.Context) error {
	tenants, err := o.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("list tenants: %w", err)
	}
	for _, tenant := range tenants {
		var ids []string
		b := postgres.NewBatch(tenant)
		obligations.LoadChanged(b, o.Batch, &ids)
		if err := b.Send(ctx, o.Editor.Pool); err != nil {
			return fmt.Errorf("find sessions that changed: %w", err)
		}
		for _, id := range ids {
			err := o.reassess(ctx, obligations.Scope{Tenant: tenant, Session: id})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil && !errors.Is(err, errBusy) {
				o.Log.ErrorContext(ctx, "reassess session", "tenant", tenant, "session", id, "err", err)
			}
		}
	}
	return nil
}

var errBusy = errors.New("a turn runs in the session")

// reassess checks one session and marks it as checked, both or neither.
func (o ReassessOptions) reassess(ctx context.Context, s obligations.Scope) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, o.Editor.Pool, s.Tenant, func(tx pgx.Tx) error {
		ed, err := o.Editor.Open(ctx, tx, s)
		if err != nil {
			return err
		}
		running, err := sessions.RunningTurn(ctx, tx, s)
		switch {
		case err != nil:
			return err
		case running != nil:
			return errBusy
		}
		if ed.Session.Status == sessions.Active {
			if _, events, err = ed.Record(ctx, tx); err != nil {
				return err
			}
		}
		b := postgres.NewBatch(s.Tenant)
		obligations.MarkReassessed(b, s)
		return b.Send(ctx, tx)
	})
	if err == nil {
		o.Editor.Hub.Publish(s, events)
	}
	return err
}
