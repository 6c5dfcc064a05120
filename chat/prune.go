package chat

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/research"
	"quaestor/sessions"
)

// PruneArgs is the job that lets go of prompts that were kept long enough; see
// [Pruning].
type PruneArgs struct{}

// Kind names the job.
func (PruneArgs) Kind() string { return "prompts_prune" }

// PruneOptions say what the pruning works with; all are needed.
type PruneOptions struct {
	Pool    *pgxpool.Pool
	Tenants func(context.Context) ([]string, error)
	Keep    time.Duration // how long calls of a model are kept; 0 keeps none

	// KeepOf says how long a tenant keeps them; nil means all do as Keep says.
	KeepOf func(ctx context.Context, tenant string) (time.Duration, error)
}

// pruneEvery is how often is looked for prompts that are too old.
const pruneEvery = time.Hour

// Pruning returns the worker of [PruneArgs] for a queue.
func Pruning(o PruneOptions) research.AddFunc {
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, &pruneWorker{PruneOptions: o}) }
}

// PrunePeriodically returns the schedule of [PruneArgs]: one job an hour, whatever
// the number of servers.
func PrunePeriodically() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(pruneEvery), func() (river.JobArgs, *river.InsertOpts) {
		return PruneArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: pruneEvery}} // the next hour is another attempt
	}, nil)
}

type pruneWorker struct {
	river.WorkerDefaults[PruneArgs]
	PruneOptions
}

// Work goes tenant by tenant.
func (w *pruneWorker) Work(ctx context.Context, _ *river.Job[PruneArgs]) error {
	tenants, err := w.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("list tenants: %w", err)
	}
	for _, tenant := range tenants {
		keep, err := w.keep(ctx, tenant)
		if err != nil {
			return err
		}
		if _, err := sessions.PruneCalls(ctx, w.Pool, tenant, time.Now().Add(-keep)); err != nil {
			return err
		}
	}
	return nil
}

// keep is how long a tenant's calls are kept.
func (w *pruneWorker) keep(ctx context.Context, tenant string) (time.Duration, error) {
	if w.KeepOf == nil {
		return w.Keep, nil
	}
	return w.KeepOf(ctx, tenant)
}
