package packdrafts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// How abandoned drafts are found. A section takes a model less than abandonedAfter, so a draft of
// which nothing was stored for that long has lost its worker.
const (
	rescueEvery    = time.Minute
	abandonedAfter = 4 * time.Minute
)

// RescueArgs is the job that goes on with drafts whose worker died. The queue would do so only after
// the time that the longest of its jobs may take.
type RescueArgs struct{}

// Kind implements [river.JobArgs].
func (RescueArgs) Kind() string { return "pack_draft_rescue" }

// RescuePeriodically returns the periodic job.
func RescuePeriodically() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(rescueEvery), func() (river.JobArgs, *river.InsertOpts) {
		return RescueArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: rescueEvery}} // the next round is another attempt
	}, nil)
}

type rescuer struct {
	river.WorkerDefaults[RescueArgs]
	store *Store
}

// Work implements [river.Worker].
func (w *rescuer) Work(ctx context.Context, _ *river.Job[RescueArgs]) error {
	tenants, err := w.store.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("list tenants: %w", err)
	}
	q := river.ClientFromContext[pgx.Tx](ctx)
	var failed []error
	for _, tenant := range tenants {
		_, err := w.store.Rescue(ctx, q, tenant, time.Now().Add(-abandonedAfter))
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// Rescue queues the drafting of a tenant's drafts of which nothing was stored since a time, and
// returns how many there were. Each counts as changed now, so that it is not queued again at once.
func (s *Store) Rescue(ctx context.Context, q *Queue, tenant string, since time.Time) (int, error) {
	list, err := s.List(ctx, tenant)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, d := range list {
		if d.State != Drafting || d.ChangedAt.After(since) {
			continue
		}
		n++
		err := s.in(ctx, tenant, func(tx pgx.Tx) error {
			return errors.Join(touch(ctx, tx, tenant, d.ID), enqueue(ctx, tx, q, tenant, d.ID))
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
