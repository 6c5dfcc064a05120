package chat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// ReassessArgs is the job that looks again at sessions that changed; see
// [Reassessing].
type ReassessArgs struct{}

// Kind names the job.
func (ReassessArgs) Kind() string { return "session_reassess" }

// ReassessOptions say what the re-evaluation works with; all are needed but
// those with a default.
type ReassessOptions struct {
	Pool    *pgxpool.Pool
	Hub     *sessions.Hub
	Library *objectives.Library
	Log     *slog.Logger
	Tenants func(context.Context) ([]string, error)

	Every time.Duration // zero means 5 minutes
	Batch int           // sessions of a tenant in one round; zero means 200
}

const (
	reassessEvery = 5 * time.Minute
	reassessBatch = 200
)

// Reassessing returns the worker of [ReassessArgs] for a queue: what changed since
// it was last looked at, and is not in a turn, is held against its constraints,
// premises and conditions again. Turns and edits do that as they end; this finds
// what other writers and new versions of the program left. It goes tenant by
// tenant, and what does not fit in a round is left for the next.
func Reassessing(o ReassessOptions) research.AddFunc {
	if o.Batch == 0 {
		o.Batch = reassessBatch
	}
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, &reassessWorker{ReassessOptions: o}) }
}

// ReassessPeriodically returns the schedule of [ReassessArgs]: one job at a time,
// whatever the number of servers.
func ReassessPeriodically(every time.Duration) *river.PeriodicJob {
	if every == 0 {
		every = reassessEvery
	}
	return river.NewPeriodicJob(river.PeriodicInterval(every), func() (river.JobArgs, *river.InsertOpts) {
		return ReassessArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: every}} // the next round is another attempt
	}, nil)
}

type reassessWorker struct {
	river.WorkerDefaults[ReassessArgs]
	ReassessOptions
}

// Work does one round. A session that cannot be looked at is logged and left
// for the next.
func (w *reassessWorker) Work(ctx context.Context, _ *river.Job[ReassessArgs]) error {
	tenants, err := w.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("list tenants: %w", err)
	}
	for _, tenant := range tenants {
		if err := w.round(ctx, tenant); err != nil {
			return err
		}
	}
	return nil
}

func (w *reassessWorker) round(ctx context.Context, tenant string) error {
	var ids []string
	b := postgres.NewBatch(tenant)
	obligations.LoadChanged(b, w.Batch, &ids)
	if err := b.Send(ctx, w.Pool); err != nil {
		return fmt.Errorf("find sessions that changed: %w", err)
	}
	for _, id := range ids {
		err := w.reassess(ctx, obligations.Scope{Tenant: tenant, Session: id})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, errBusy) {
			w.Log.ErrorContext(ctx, "reassess session", "tenant", tenant, "session", id, "err", err)
		}
	}
	return nil
}

var errBusy = errors.New("a turn runs in the session")

// reassess looks again at one session and marks it, both or neither.
func (w *reassessWorker) reassess(ctx context.Context, s obligations.Scope) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, w.Pool, s.Tenant, func(tx pgx.Tx) error {
		ed, err := sessions.Editor{Pool: w.Pool, Hub: w.Hub, Library: w.Library}.Open(ctx, tx, s)
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
		w.Hub.Publish(s, events)
	}
	return err
}
