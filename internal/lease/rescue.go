package lease

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
)

// Rescuer is the worker of a periodic job R that enqueues jobs J again whose worker died,
// whether before it had acquired its row or after.
// River takes a job for stuck after many minutes; a lease tells within seconds.
type Rescuer[R, J river.JobArgs] struct {
	river.WorkerDefaults[R]
	Pool   *pgxpool.Pool
	Schema string        // that holds River's tables
	After  time.Duration // how long a job has run before it is asked about
	// Rescue enqueues a job again if no worker holds its row though one should. It is called
	// only for jobs of which none waits in the queue or has just begun.
	Rescue func(ctx context.Context, q *river.Client[pgx.Tx], job J) error
	// Ended gives up the row of a job that was cancelled while it waited, of which no worker hears. It is called for
	// each such job of the last day that has no successor, again in every round. Nil leaves such rows as they are.
	Ended func(ctx context.Context, job J) error
}

// Periodically is the schedule of a rescuer, once for all servers.
func Periodically[R river.JobArgs](every time.Duration) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(every), func() (river.JobArgs, *river.InsertOpts) {
		var args R
		return args, &river.InsertOpts{MaxAttempts: 1} // the next round is another attempt
	}, nil)
}

// Work asks about all jobs that have run for a while and have no successor. The queue knows no tenants: it names
// the candidates, each tenant's own rows decide.
func (w *Rescuer[R, J]) Work(ctx context.Context, _ *river.Job[R]) error {
	if err := w.end(ctx); err != nil {
		return err
	}
	jobs, err := w.running(ctx)
	if err != nil {
		return err
	}
	q := river.ClientFromContext[pgx.Tx](ctx)
	for _, job := range jobs {
		if err := w.Rescue(ctx, q, job); err != nil {
			return fmt.Errorf("rescue %s %+v: %w", job.Kind(), job, err)
		}
	}
	return nil
}

// end gives up the rows of jobs that were cancelled.
func (w *Rescuer[R, J]) end(ctx context.Context) error {
	if w.Ended == nil {
		return nil
	}
	jobs := pgx.Identifier{w.Schema, "river_job"}.Sanitize()
	list, err := w.jobs(ctx, `SELECT DISTINCT args FROM `+jobs+` AS j
		WHERE kind = $1 AND state = 'cancelled' AND finalized_at > now() - interval '1 day'
		AND NOT EXISTS (SELECT FROM `+jobs+` AS other WHERE other.kind = j.kind AND other.args = j.args AND other.id > j.id)`)
	if err != nil {
		return err
	}
	for _, job := range list {
		if err := w.Ended(ctx, job); err != nil {
			return fmt.Errorf("end %s %+v: %w", job.Kind(), job, err)
		}
	}
	return nil
}

// running returns the arguments of jobs that have run for a while, unless another job with the
// same arguments waits or has just begun: that one sees to the row. The job of a dead worker
// stays among the running ones for many minutes, and would be enqueued again all the time.
func (w *Rescuer[R, J]) running(ctx context.Context) ([]J, error) {
	jobs := pgx.Identifier{w.Schema, "river_job"}.Sanitize()
	return w.jobs(ctx, `SELECT DISTINCT args FROM `+jobs+` AS j
		WHERE kind = $1 AND state = 'running' AND attempted_at < now() - make_interval(secs => $2)
		AND NOT EXISTS (SELECT FROM `+jobs+` AS other WHERE other.kind = j.kind AND other.args = j.args
			AND (other.state IN ('available', 'scheduled', 'retryable', 'pending') OR other.state = 'running' AND other.attempted_at >= now() - make_interval(secs => $2)))`, w.After.Seconds())
}

// jobs returns the arguments that a query over jobs selects, of which the first placeholder is their kind.
func (w *Rescuer[R, J]) jobs(ctx context.Context, query string, more ...any) ([]J, error) {
	var of J
	rows, err := w.Pool.Query(ctx, query, append([]any{of.Kind()}, more...)...)
	if err != nil {
		return nil, fmt.Errorf("list jobs %s: %w", of.Kind(), err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (job J, err error) {
		var args []byte
		if err = row.Scan(&args); err != nil {
			return job, err
		}
		return job, json.Unmarshal(args, &job)
	})
	return list, fault.Wrap(err, "list jobs %s", of.Kind())
}
