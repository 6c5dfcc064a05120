package settings

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres"
)

// SweepArgs is the job that deletes what is over its time; see [Sweeping].
type SweepArgs struct{}

// Kind names the job.
func (SweepArgs) Kind() string { return "retention_sweep" }

// SweepOptions say what the rules of retention work with; all are needed.
type SweepOptions struct {
	Pool        *pgxpool.Pool
	Server      Values // what holds where an organisation has set nothing
	RiverSchema string // where the queue's own tables are
	Log         *slog.Logger
	Tenants     func(context.Context) ([]string, error)
}

const (
	sweepEvery   = time.Hour
	sweepTimeout = 20 * time.Minute
)

// Sweeping returns the worker of [SweepArgs] for a queue.
func Sweeping(o SweepOptions) func(*river.Workers) error {
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, &sweeper{SweepOptions: o}) }
}

// SweepPeriodically returns the schedule of [SweepArgs]: every hour, one job at a
// time, whatever the number of servers.
func SweepPeriodically() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(sweepEvery), func() (river.JobArgs, *river.InsertOpts) {
		return SweepArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: sweepEvery}} // the next round is another attempt
	}, nil)
}

type sweeper struct {
	river.WorkerDefaults[SweepArgs]
	SweepOptions
}

// Timeout bounds one round.
func (*sweeper) Timeout(*river.Job[SweepArgs]) time.Duration { return sweepTimeout }

// Work goes through the tenants. What fails for one is logged and left for the next
// round; the others get theirs.
func (w *sweeper) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	tenants, err := w.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("list tenants: %w", err)
	}
	for _, tenant := range tenants {
		if err := w.sweep(ctx, tenant); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			w.Log.ErrorContext(ctx, "delete what is over its time", "tenant", tenant, "err", err)
		}
	}
	return nil
}

func (w *sweeper) sweep(ctx context.Context, tenant string) error {
	saved, err := Find(ctx, w.Pool, tenant)
	if err != nil {
		return err
	}
	v := saved.Over(w.Server)
	gone, err := Sweep(ctx, w.Pool, tenant, v)
	if !gone.None() {
		w.Log.InfoContext(ctx, "deleted what was over its time", "tenant", tenant, "finished", gone.Finished, "idle", gone.Idle, "research", gone.Research)
	}
	if err != nil {
		return err
	}
	return w.forgetJobs(ctx, tenant, v.KeptJobsDays)
}

// forgetJobs deletes a tenant's jobs that failed or were cancelled some days ago; 0
// leaves them to the queue.
func (w *sweeper) forgetJobs(ctx context.Context, tenant string, days int) error {
	if days == 0 {
		return nil
	}
	return postgres.InTx(ctx, w.Pool, tenant, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM `+pgx.Identifier{w.RiverSchema, "river_job"}.Sanitize()+
			` WHERE args ->> 'tenant' = $1 AND state IN ('cancelled', 'discarded') AND finalized_at < now() - make_interval(days => $2)`, tenant, days)
		if err != nil {
			return fmt.Errorf("delete jobs that are over their time: %w", err)
		}
		return writeGone(ctx, tx, tenant, Detail{Rule: "jobs", Count: int(tag.RowsAffected())})
	})
}
