package connections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/internal/fault"
)

// RefreshArgs is the job that reads the catalog of a warehouse. It holds ids only, because the tables
// of the queue are not separated by tenant.
type RefreshArgs struct {
	Tenant    string `json:"tenant"`
	Warehouse string `json:"warehouse"`
}

// Lane is the queue of refreshes. A warehouse may answer as slowly as whoever runs it likes, which must not
// keep the jobs of others waiting.
const Lane = "catalogs"

// LaneConfig configures the lane for an instance that reads so many catalogs at a time.
func LaneConfig(workers int) river.QueueConfig { return river.QueueConfig{MaxWorkers: workers} }

// refreshTime bounds a refresh including the encoding of new texts.
const refreshTime = 30 * time.Minute

// Kind implements [river.JobArgs].
func (RefreshArgs) Kind() string { return "warehouse_refresh" }

// InsertOpts makes the job unique while it is pending or running. A warehouse that cannot be reached
// is tried twice more.
func (RefreshArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Lane, MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByArgs: true,
		ByState: []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled}}}
}

// EnqueueRefresh enqueues a refresh of a warehouse's catalog unless one is pending or running.
func (s *Store) EnqueueRefresh(ctx context.Context, q *river.Client[pgx.Tx], tenant, id string) error {
	if _, err := s.Find(ctx, tenant, id); err != nil {
		return err
	}
	if _, err := q.Insert(ctx, RefreshArgs{tenant, id}, nil); err != nil {
		return fmt.Errorf("enqueue the refresh of a warehouse: %w", err)
	}
	return nil
}

// Workers registers the store's workers.
func (s *Store) Workers(w *river.Workers) error {
	return river.AddWorkerSafely(w, &refreshWorker{store: s})
}

// refreshWorker reads and encodes the catalog of a warehouse.
type refreshWorker struct {
	river.WorkerDefaults[RefreshArgs]
	store *Store
}

// Timeout implements [river.Worker].
func (*refreshWorker) Timeout(*river.Job[RefreshArgs]) time.Duration { return refreshTime }

// Work implements [river.Worker]. If the warehouse was deleted, or retrying cannot help, the job
// ends without an error.
func (w *refreshWorker) Work(ctx context.Context, job *river.Job[RefreshArgs]) error {
	err := w.store.Refresh(ctx, job.Args.Tenant, job.Args.Warehouse)
	var f *fault.Error
	if errors.As(err, &f) && f.Kind != fault.Unavailable {
		return nil // deleted, being refreshed elsewhere, or misconfigured, which its page shows
	}
	return err
}

// Refresh reads what a warehouse holds now into the index, and encodes what is new. If it fails
// halfway, the previous content remains usable. If the warehouse cannot be reached, that is recorded
// like a failed test.
func (s *Store) Refresh(ctx context.Context, tenant, id string) error {
	conn, w, err := s.Reach(ctx, tenant, id)
	if err != nil {
		if w.ID == "" || ctx.Err() != nil {
			return err
		}
		return errors.Join(err, s.saveTest(ctx, w, Test{At: time.Now().UTC()}.failed(err)))
	}
	defer conn.Close() //nolint:errcheck // it was read from only
	if _, err := s.Index.Refresh(ctx, tenant, id, conn, w.Schemas, nil); err != nil {
		return err
	}
	_, err = s.Index.Encode(ctx, tenant, id, nil)
	return err
}

// Refreshing reports whether a refresh of a warehouse is pending or running.
func (s *Store) Refreshing(ctx context.Context, q *river.Client[pgx.Tx], tenant, id string) (bool, error) {
	jobs, err := q.JobList(ctx, river.NewJobListParams().Kinds(RefreshArgs{}.Kind()).
		States(rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled).
		Where("args->>'warehouse' = @warehouse AND args->>'tenant' = @tenant", river.NamedArgs{"warehouse": id, "tenant": tenant}).First(1))
	if err != nil {
		return false, fmt.Errorf("look for the refresh of a warehouse: %w", err)
	}
	return len(jobs.Jobs) > 0, nil
}
