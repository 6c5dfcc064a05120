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

// RefreshArgs is the job that reads what a warehouse holds. Ids only: the queue's
// tables know no tenants.
type RefreshArgs struct {
	Tenant    string `json:"tenant"`
	Warehouse string `json:"warehouse"`
}

// refreshTime bounds one look at a warehouse, with its encoding.
const refreshTime = 30 * time.Minute

// Kind names the job.
func (RefreshArgs) Kind() string { return "warehouse_refresh" }

// InsertOpts say that one is enough, and that a warehouse that is not there is
// tried again twice.
func (RefreshArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByArgs: true,
		ByState: []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled}}}
}

// EnqueueRefresh has the tables of a warehouse read, unless that is under way.
func (s *Store) EnqueueRefresh(ctx context.Context, q *river.Client[pgx.Tx], tenant, id string) error {
	if _, err := s.Find(ctx, tenant, id); err != nil {
		return err
	}
	if _, err := q.Insert(ctx, RefreshArgs{tenant, id}, nil); err != nil {
		return fmt.Errorf("enqueue the refresh of a warehouse: %w", err)
	}
	return nil
}

// Workers adds those of a store to a queue's.
func (s *Store) Workers(w *river.Workers) error {
	return river.AddWorkerSafely(w, &refreshWorker{store: s})
}

// refreshWorker reads what a warehouse holds and encodes it.
type refreshWorker struct {
	river.WorkerDefaults[RefreshArgs]
	store *Store
}

// Timeout bounds one attempt.
func (*refreshWorker) Timeout(*river.Job[RefreshArgs]) time.Duration { return refreshTime }

// Work reads and encodes. A warehouse that is gone, or a fault that another try
// would not repair, ends the job.
func (w *refreshWorker) Work(ctx context.Context, job *river.Job[RefreshArgs]) error {
	err := w.store.Refresh(ctx, job.Args.Tenant, job.Args.Warehouse)
	var f *fault.Error
	if errors.As(err, &f) && f.Kind != fault.Unavailable {
		return nil // gone, being read by another, or set up wrongly: its page says so
	}
	return err
}

// Refresh reads what a warehouse holds now into the index, and encodes what is new.
// What was read before something failed stays and can be used. One that cannot be
// reached is shown so, as if it had been tested.
func (s *Store) Refresh(ctx context.Context, tenant, id string) error {
	conn, w, err := s.Reach(ctx, tenant, id)
	if err != nil {
		if w.ID == "" || ctx.Err() != nil {
			return err
		}
		return errors.Join(err, s.keep(ctx, w, Test{At: time.Now().UTC()}.failed(err)))
	}
	defer conn.Close() //nolint:errcheck // it was read from only
	if _, err := s.Index.Refresh(ctx, tenant, id, conn, w.Schemas, nil); err != nil {
		return err
	}
	_, err = s.Index.Encode(ctx, tenant, id, nil)
	return err
}

// Refreshing reports whether the tables of a warehouse are being read, or are to be.
func (s *Store) Refreshing(ctx context.Context, q *river.Client[pgx.Tx], tenant, id string) (bool, error) {
	jobs, err := q.JobList(ctx, river.NewJobListParams().Kinds(RefreshArgs{}.Kind()).
		States(rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled).
		Where("args->>'warehouse' = @warehouse AND args->>'tenant' = @tenant", river.NamedArgs{"warehouse": id, "tenant": tenant}).First(1))
	if err != nil {
		return false, fmt.Errorf("look for the refresh of a warehouse: %w", err)
	}
	return len(jobs.Jobs) > 0, nil
}
