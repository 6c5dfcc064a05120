package model

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/research"
	"quaestor/sessions"
)

// PruneArgs is the job that deletes calls of a model that were kept long enough; see
// [Pruning].
type PruneArgs struct{}

// Kind returns the name of the job.
func (PruneArgs) Kind() string { return "prompts_prune" }

// PruneOptions configures the pruning. All fields are required.
type PruneOptions struct {
	Pool    *pgxpool.Pool
	Tenants func(context.Context) ([]string, error)
	Keep    func(ctx context.Context, tenant string) (time.Duration, error) // how long a tenant keeps calls; 0 keeps none
}

// pruneEvery is short compared with the times that can be set, which are in days.
const pruneEvery = time.Hour

// Pruning returns the worker of [PruneArgs] for a queue. It goes tenant by tenant.
func Pruning(o PruneOptions) research.AddFunc {
	return func(w *river.Workers) error {
		return river.AddWorkerSafely(w, river.WorkFunc(func(ctx context.Context, _ *river.Job[PruneArgs]) error { return o.prune(ctx) }))
	}
}

// PrunePeriodically returns the schedule of [PruneArgs]: one job an hour, however many
// servers there are.
func PrunePeriodically() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(pruneEvery), func() (river.JobArgs, *river.InsertOpts) {
		return PruneArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: pruneEvery}} // the next hour is the retry
	}, nil)
}

// prune deletes what every tenant has kept for long enough.
func (o PruneOptions) prune(ctx context.Context) error {
	tenants, err := o.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("list tenants: %w", err)
	}
	for _, tenant := range tenants {
		keep, err := o.Keep(ctx, tenant)
		if err != nil {
			return err
		}
		if _, err := sessions.PruneCalls(ctx, o.Pool, tenant, time.Now().Add(-keep)); err != nil {
			return err
		}
	}
	return nil
}
