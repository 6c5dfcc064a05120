package research

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"quaestor/internal/lease"
	"quaestor/internal/postgres"
	"quaestor/research/internal/dbsqlc"
)

// Queue is River's client on our pool.
type Queue = river.Client[pgx.Tx]

// keptTroubles is how long the queue keeps jobs that failed or were cancelled, unless
// an organisation has less of it; done ones it keeps for a day.
const keptTroubles = 30 * 24 * time.Hour

// QueueOptions tune [NewQueue].
type QueueOptions struct {
	Schema  string // that holds River's tables
	Workers int    // jobs worked at once, and as much research beside them; zero means 20, -1 means this process only enqueues
	Log     *slog.Logger
	Desk    *Researcher // answers research tasks; unused when it only enqueues
	Add     []AddFunc   // workers of packages above this one; unused when it only enqueues

	Lanes    map[string]river.QueueConfig // queues of packages above this one, by name; unused when it only enqueues
	Periodic []*river.PeriodicJob         // what is due now and then, once for all servers; unused when it only enqueues
}

// AddFunc adds a package's workers to those of a queue.
type AddFunc = func(*river.Workers) error

// River's own defaults fit batch work: a notice within the cooldown of the last
// one is swallowed and the job waits for the poll. A person waits here, so the
// cooldown is the least River takes. At 5 ms one order in ten came too soon after
// another when there were twenty a second, and waited up to the whole poll.
const (
	fetchCooldown = time.Millisecond
	fetchPoll     = 100 * time.Millisecond
	deskPoll      = 50 * time.Millisecond
	jobTimeout    = 2 * time.Minute
	deskTimeout   = 10 * time.Minute
	deskAttempts  = 6
	stuckAfter    = 15 * time.Minute // for jobs that have no lease of their own
)

// deskQueue holds the jobs of desk tasks. They may take minutes, and must not keep
// summaries, the search index or the rescue of tasks waiting.
const deskQueue = "research"

// TaskArgs is the job of a researcher task. Ids only: River's tables know no tenants.
type TaskArgs struct {
	Tenant string `json:"tenant"`
	Task   string `json:"task"`
}

// Kind names the job.
func (TaskArgs) Kind() string { return "research_desk" }

// InsertOpts names the queue and says how often a task that fails is tried.
func (TaskArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: deskQueue, MaxAttempts: deskAttempts}
}

// NewQueue returns River's client with the research workers. It asks the database what
// it can do, for River would ask in the middle of the first insertion, which may be a
// part of a batch that reads nothing.
func NewQueue(ctx context.Context, pool *pgxpool.Pool, o QueueOptions) (*Queue, error) {
	c := &river.Config{
		Schema: o.Schema, Logger: o.Log, FetchCooldown: fetchCooldown, FetchPollInterval: fetchPoll, JobTimeout: jobTimeout, RescueStuckJobsAfter: stuckAfter,
		CancelledJobRetentionPeriod: keptTroubles, DiscardedJobRetentionPeriod: keptTroubles,
	}
	if o.Workers >= 0 {
		workers, err := o.workers(pool)
		if err != nil {
			return nil, err
		}
		if o.Workers == 0 {
			o.Workers = 20
		}
		c.PeriodicJobs = o.Periodic
		if o.Desk != nil {
			c.PeriodicJobs = append(c.PeriodicJobs, lease.Periodically[RescueArgs](o.Desk.Lease/2))
		}
		c.Workers = workers
		c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: o.Workers}, deskQueue: {MaxWorkers: o.Workers, FetchPollInterval: deskPoll}}
		maps.Copy(c.Queues, o.Lanes)
	}
	driver := riverpgxv5.New(pool)
	if err := driver.GetExecutor().InitDriver(ctx); err != nil {
		return nil, fmt.Errorf("start queue: %w", err)
	}
	q, err := river.NewClient(driver, c)
	if err != nil {
		return nil, fmt.Errorf("start queue: %w", err)
	}
	return q, nil
}

func (o QueueOptions) workers(pool *pgxpool.Pool) (*river.Workers, error) {
	workers := river.NewWorkers()
	add := o.Add
	if o.Desk != nil {
		add = append([]AddFunc{func(w *river.Workers) error {
			return errors.Join(river.AddWorkerSafely(w, &taskWorker{desk: o.Desk}), river.AddWorkerSafely(w, rescuer(pool, o.Schema, o.Desk.Lease)))
		}}, add...)
	}
	for _, f := range add {
		if err := f(workers); err != nil {
			return nil, fmt.Errorf("add workers: %w", err)
		}
	}
	return workers, nil
}

// Enqueue inserts the jobs of tasks, if there are any, in the transaction that
// saves them.
func Enqueue(ctx context.Context, tx pgx.Tx, q *Queue, tasks []Task) error {
	if len(tasks) == 0 {
		return nil
	}
	params := make([]river.InsertManyParams, len(tasks))
	for i, t := range tasks {
		// River counts 1 as most urgent and 4 as least; ours is 10 to 1.
		params[i] = river.InsertManyParams{Args: TaskArgs{t.Scope.Tenant, t.ID}, InsertOpts: &river.InsertOpts{Priority: max(4-(t.Order.Priority-1)/3, 1)}}
	}
	if _, err := q.InsertManyTx(ctx, tx, params); err != nil {
		return fmt.Errorf("enqueue %d research tasks: %w", len(tasks), err)
	}
	return nil
}

// NoSources is the note of a task that nothing can answer yet; see [Wake].
const NoSources = "waiting: no research source is configured"

// overBudget is the note of a task that has to wait for its tenant's budget.
const overBudget = "waiting: the research of the last 24 hours is used up; it goes on by itself"

// retrying is the note of a task that failed and will be tried again.
const retrying = "it will be tried again: "

// taskWorker answers desk tasks.
type taskWorker struct {
	river.WorkerDefaults[TaskArgs]
	desk *Researcher
}

// Timeout bounds one attempt at a task, all its steps together.
func (*taskWorker) Timeout(*river.Job[TaskArgs]) time.Duration { return deskTimeout }

// NextRetry rests longer after every failure.
func (*taskWorker) NextRetry(job *river.Job[TaskArgs]) time.Time { return lease.NextRetry(job.Attempt) }

// Work takes a task to its end, or as far as it can be taken now.
func (w *taskWorker) Work(ctx context.Context, job *river.Job[TaskArgs]) error {
	t, err := w.desk.acquire(ctx, job.Args.Tenant, job.Args.Task)
	if err != nil || t == nil {
		return lease.Done(err)
	}
	if wait, err := w.mayBegin(ctx, *t); err != nil || wait > 0 {
		return snoozed(wait, err)
	}
	err = w.desk.work(ctx, *t)
	switch {
	case err == nil, errors.Is(err, lease.ErrLost):
		return nil
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return w.putDown(*t)
	}
	return w.failed(ctx, job, *t, err)
}

// forever is how long a task waits that somebody has to wake; see [Wake].
const forever = time.Duration(-1)

// mayBegin puts a task back that cannot be worked now and returns for how long;
// 0 when it can.
func (w *taskWorker) mayBegin(ctx context.Context, t Task) (time.Duration, error) {
	d := w.desk
	ready := len(d.Engines) > 0
	if ready && d.Ready != nil {
		var err error
		if ready, err = d.Ready(ctx, t.Scope.Tenant); err != nil {
			return 0, errors.Join(err, d.release(ctx, t, ""))
		}
	}
	if !ready {
		return forever, d.wait(ctx, t, NoSources)
	}
	begun, oldest, err := d.begun(ctx, t)
	if err != nil {
		return 0, err
	}
	if most, err := d.limit(ctx, t.Scope.Tenant); err != nil || begun < most {
		return 0, err
	}
	return max(time.Until(oldest.Add(budgetWindow)), time.Minute), d.wait(ctx, t, overBudget)
}

// limit is how many tasks a tenant may begin within the window.
func (d *Researcher) limit(ctx context.Context, tenant string) (int, error) {
	if d.Limit == nil {
		return d.Daily, nil
	}
	return d.Limit(ctx, tenant)
}

// snoozed has a task's job come back after a while.
func snoozed(wait time.Duration, err error) error {
	if err == nil && wait == forever {
		return nil
	}
	return lease.Snooze(wait, err)
}

// begun counts the tasks a tenant has begun within the window, beside t.
func (d *Researcher) begun(ctx context.Context, t Task) (n int, oldest time.Time, err error) {
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TaskStarted, &dbsqlc.TaskStartedParams{TenantID: t.Scope.Tenant, ID: t.ID, WithinSeconds: budgetWindow.Seconds()}, func(r *dbsqlc.TaskStartedRow) error {
		n, oldest = int(r.Begun), r.Oldest
		return nil
	})
	if err := b.Send(ctx, d.Editor.Pool); err != nil {
		return 0, time.Time{}, fmt.Errorf("count research of a tenant: %w", err)
	}
	return n, oldest, nil
}

// putDown gives a task back when the server shuts down.
func (w *taskWorker) putDown(t Task) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the job's own has ended
	defer cancel()
	if err := w.desk.release(ctx, t, ""); err != nil {
		return err
	}
	return river.JobSnooze(0)
}

// failed decides by its cause what becomes of a task that could not be done: it
// is tried again when that can help, later when somebody asked to be left alone,
// and else ends with the reason.
func (w *taskWorker) failed(ctx context.Context, job *river.Job[TaskArgs], t Task, err error) error {
	ctx = context.WithoutCancel(ctx) // it may have run out of time
	rest, again := retryAfter(err)
	if !again || job.Attempt >= job.MaxAttempts {
		w.desk.Log.WarnContext(ctx, "research failed", "tenant", t.Scope.Tenant, "task", t.ID, "err", err)
		return lease.Done(w.desk.fail(ctx, t, sentence(err)))
	}
	if err := w.desk.release(ctx, t, retrying+sentence(err)); err != nil {
		return err
	}
	if rest > 0 {
		return river.JobSnooze(min(rest, time.Hour))
	}
	return err
}
