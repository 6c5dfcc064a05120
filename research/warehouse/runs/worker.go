package runs

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/internal/fault"
	"quaestor/internal/lease"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Lane is the queue for the jobs of runs. They take minutes to hours, and must not
// hold up other jobs.
const Lane = "warehouse"

// The limits of a job.
const (
	longest     = 24 * time.Hour // of one attempt; the run continues in the next
	maxAttempts = 8              // counting failures, not waits and shutdowns
	lanePoll    = 50 * time.Millisecond
)

// LaneConfig configures the lane for an instance that works so many runs at a time.
func LaneConfig(workers int) river.QueueConfig {
	return river.QueueConfig{MaxWorkers: workers, FetchPollInterval: lanePoll}
}

// RunArgs is the job of a run. It holds ids only, because River's tables have no
// row-level security.
type RunArgs struct {
	Tenant string `json:"tenant"`
	Run    string `json:"run"`
}

// Kind names the job.
func (RunArgs) Kind() string { return "warehouse_run" }

// InsertOpts sets the queue and the number of attempts.
func (RunArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Lane, MaxAttempts: maxAttempts}
}

// AddTo returns a function that registers the workers of runs and of their rescue;
// schema is that of the queue's tables.
func (r *Runner) AddTo(schema string) func(*river.Workers) error {
	return func(w *river.Workers) error {
		return errors.Join(river.AddWorkerSafely(w, &runWorker{runner: r}), river.AddWorkerSafely(w, &lease.Rescuer[RescueArgs, RunArgs]{Pool: r.Pool, Schema: schema, After: r.Lease / 4, Rescue: r.rescue, Ended: r.jobEnded}))
	}
}

// runWorker works [RunArgs] jobs.
type runWorker struct {
	river.WorkerDefaults[RunArgs]
	runner *Runner
}

// Timeout bounds one attempt.
func (*runWorker) Timeout(*river.Job[RunArgs]) time.Duration { return longest }

// NextRetry backs off exponentially.
func (*runWorker) NextRetry(job *river.Job[RunArgs]) time.Time { return lease.NextRetry(job.Attempt) }

// Work carries a run to its end, or as far as is possible now.
func (w *runWorker) Work(ctx context.Context, job *river.Job[RunArgs]) error {
	r := w.runner
	if wait, err := r.mustWait(ctx, job.Args.Tenant, job.Args.Run); err != nil || wait {
		return lease.Snooze(r.Wait, err)
	}
	run, held, err := r.acquire(ctx, job.Args.Tenant, job.Args.Run)
	if err != nil || held {
		return lease.Snooze(r.Lease, err)
	}
	if run == nil {
		return nil
	}
	err = r.through(ctx, *run)
	var wait *notReadyError
	var later *laterError
	switch {
	case err == nil, errors.Is(err, lease.ErrLost), errors.Is(err, errPaused):
		return nil
	case errors.As(err, &wait):
		return lease.Snooze(r.Wait, r.putBack(ctx, run, Pending, EventQueued, wait.why))
	case errors.As(err, &later):
		return lease.Snooze(later.wait, r.putBack(ctx, run, Pending, EventQueued, later.Error()))
	case errors.Is(context.Cause(ctx), rivertype.ErrJobCancelledRemotely):
		return r.putBack(ctx, run, Cancelled, EventFinished, "its job was cancelled")
	case ctx.Err() != nil:
		return lease.Snooze(0, r.putBack(ctx, run, Interrupted, EventInterrupted, "the server was shut down"))
	}
	return w.failed(ctx, job, run, err)
}

// mustWait reports whether a run that waits for the schema still has to. Errors here
// recur, and are reported, when the run is acquired.
func (r *Runner) mustWait(ctx context.Context, tenant, id string) (bool, error) {
	run, err := Find(ctx, r.Pool, tenant, id)
	if err != nil || r.Schema == nil || run.Status != Pending || run.Phase != Schema || run.Warehouse == "" {
		return false, err
	}
	known, err := r.Schema(ctx, tenant, run.Warehouse)
	return err == nil && !known.Ready, nil
}

// putBack gives up a run that is not at its end, with a note saying why.
func (r *Runner) putBack(ctx context.Context, run *Run, to Status, as EventKind, why string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // the job's context may have ended
	defer cancel()
	w := &work{Runner: r, run: *run, since: time.Now()}
	return w.move(ctx, to, why, StatusEvent{as: as, Why: why}, nil)
}

// fail gives up a run that cannot go on, with the reason and what helps.
func (r *Runner) fail(ctx context.Context, run *Run, t trouble) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // the job's context may have ended
	defer cancel()
	w := &work{Runner: r, run: *run, since: time.Now()}
	return w.move(ctx, Failed, t.says, StatusEvent{as: EventFinished, Why: t.says, Trouble: t.kind, Remedy: t.remedy}, nil)
}

// failed decides, by the cause, what becomes of a run that could not go on: it is tried again as often
// as that may help, and then fails with the reason. A job whose run has failed is cancelled, so that
// River does not work it again and its page shows why.
func (w *runWorker) failed(ctx context.Context, job *river.Job[RunArgs], run *Run, err error) error {
	t := troubleOf(err)
	if job.Attempt >= min(t.tries, job.MaxAttempts) {
		w.runner.Log.WarnContext(ctx, "run failed", "tenant", run.Tenant, "run", run.ID, "trouble", t.kind, "err", err)
		if gone := w.runner.fail(ctx, run, t); gone != nil {
			return lease.Done(gone)
		}
		return river.JobCancel(err)
	}
	if put := w.runner.putBack(ctx, run, Interrupted, EventInterrupted, "it will be tried again: "+t.says); put != nil {
		return lease.Done(put)
	}
	return err
}

// jobEnded cancels a run that waits for a worker though its job was cancelled.
func (r *Runner) jobEnded(ctx context.Context, args RunArgs) error {
	_, err := Commands{Pool: r.Pool, Hub: r.Hub}.change(ctx, args.Tenant, args.Run, "cancelled", func(c *change) error {
		if c.status != Pending && c.status != Interrupted {
			return &badTransition{c.status, Cancelled} // it was worked, or somebody has decided already
		}
		return c.move(ctx, Cancelled, StatusEvent{as: EventFinished, Why: "its job was cancelled"})
	})
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// RescueArgs is the job that finds runs whose worker died.
type RescueArgs struct{}

// Kind names the job.
func (RescueArgs) Kind() string { return "warehouse_rescue" }

// Rescue is the schedule of [RescueArgs], which runs once for all servers.
func (r *Runner) Rescue() *river.PeriodicJob { return lease.Periodically[RescueArgs](r.Lease / 4) }

// rescue enqueues a run again if its lease has expired, or if its worker died before it had taken
// the run. A run whose lease was renewed in the meantime is left alone.
func (r *Runner) rescue(ctx context.Context, q *river.Client[pgx.Tx], args RunArgs) error {
	const why = "its worker does not answer"
	var last int64
	err := postgres.InTx(ctx, r.Pool, args.Tenant, func(tx pgx.Tx) (err error) {
		if _, err := queries.RunUntaken(ctx, tx, &dbsqlc.RunUntakenParams{TenantID: args.Tenant, ID: args.Run}); !errors.Is(err, pgx.ErrNoRows) {
			return cmp.Or(err, enqueue(ctx, tx, q, args.Tenant, args.Run))
		}
		last, err = queries.RunLost(ctx, tx, &dbsqlc.RunLostParams{PhaseDetail: why, TenantID: args.Tenant, ID: args.Run})
		if err != nil {
			return err
		}
		if err := enqueue(ctx, tx, q, args.Tenant, args.Run); err != nil {
			return err
		}
		last, err = appendEvents(ctx, tx, args.Tenant, args.Run, last, StatusEvent{as: EventInterrupted, Status: Interrupted, Why: why})
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil && last > 0 {
		r.Hub.publish(args.Run, last)
	}
	return err
}
