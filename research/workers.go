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

// Queue is River's client on a pgx pool.
type Queue = river.Client[pgx.Tx]

// keptTroubles is how long failed and cancelled jobs are kept, unless a tenant's
// retention is shorter; completed ones are kept for a day.
const keptTroubles = 30 * 24 * time.Hour

// QueueOptions configures [NewQueue].
type QueueOptions struct {
	Schema     string // of River's tables
	Workers    int    // concurrent jobs, and as many research tasks besides; zero means 20, -1 means this process only enqueues
	Log        *slog.Logger
	Researcher *Researcher // works the research tasks; unused when this process only enqueues
	Add        []AddFunc   // workers of packages that build on this one; unused when this process only enqueues

	Lanes    map[string]river.QueueConfig // queues of packages that build on this one, by name; unused when this process only enqueues
	Periodic []*river.PeriodicJob         // periodic jobs, each run once for all servers; unused when this process only enqueues
}

// AddFunc registers a package's workers with a queue.
type AddFunc = func(*river.Workers) error

// River's defaults suit batch work: a notification that arrives within the cooldown
// of the one before is dropped, and its job waits for the next poll. Here a person
// is waiting, so the cooldown is the shortest River accepts. With 5 ms and twenty
// orders a second, one in ten fell into the cooldown and waited for the poll.
const (
	fetchCooldown = time.Millisecond
	fetchPoll     = 100 * time.Millisecond
	taskPoll      = 50 * time.Millisecond
	jobTimeout    = 2 * time.Minute
	taskTimeout   = 10 * time.Minute
	taskAttempts  = 6
	stuckAfter    = 15 * time.Minute // for jobs that have no lease of their own
)

// taskQueue holds the jobs of research tasks. They may take minutes, and must not
// hold up summaries, the search index or the rescue of tasks.
const taskQueue = "research"

// TaskArgs is the job of a research task. It holds ids only, because River's tables
// have no row-level security.
type TaskArgs struct {
	Tenant string `json:"tenant"`
	Task   string `json:"task"`
}

// Kind names the job.
func (TaskArgs) Kind() string { return "research_desk" }

// InsertOpts sets the queue and the number of attempts.
func (TaskArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: taskQueue, MaxAttempts: taskAttempts}
}

// NewQueue returns River's client with the research workers. It determines the
// database's capabilities first; River would do so during the first insertion,
// which may be part of a batch that cannot read results.
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
		if o.Researcher != nil {
			c.PeriodicJobs = append(c.PeriodicJobs, lease.Periodically[RescueArgs](o.Researcher.Lease/2))
		}
		c.Workers = workers
		c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: o.Workers}, taskQueue: {MaxWorkers: o.Workers, FetchPollInterval: taskPoll}}
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

// workers registers all workers of this process.
func (o QueueOptions) workers(pool *pgxpool.Pool) (*river.Workers, error) {
	workers := river.NewWorkers()
	add := o.Add
	if o.Researcher != nil {
		add = append([]AddFunc{func(w *river.Workers) error {
			return errors.Join(river.AddWorkerSafely(w, &taskWorker{researcher: o.Researcher}), river.AddWorkerSafely(w, rescuer(pool, o.Schema, o.Researcher.Lease)))
		}}, add...)
	}
	for _, f := range add {
		if err := f(workers); err != nil {
			return nil, fmt.Errorf("add workers: %w", err)
		}
	}
	return workers, nil
}

// Enqueue inserts the jobs of tasks, if any, in the transaction that saves them.
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

// NoSources is the note of a task that waits for something to search; see [Wake].
const NoSources = "waiting: no research source is configured"

// NoData is the note of a task that waits for a server that asks warehouses.
const NoData = "waiting: this server asks no warehouses"

// overBudget is the note of a task that waits because its tenant's daily limit is
// used up.
const overBudget = "waiting: the research of the last 24 hours is used up; it goes on by itself"

// retrying begins the note of a task that failed and will be tried again.
const retrying = "it will be tried again: "

// taskWorker works [TaskArgs] jobs.
type taskWorker struct {
	river.WorkerDefaults[TaskArgs]
	researcher *Researcher
}

// Timeout bounds one attempt at a task, all steps together.
func (*taskWorker) Timeout(*river.Job[TaskArgs]) time.Duration { return taskTimeout }

// NextRetry backs off exponentially.
func (*taskWorker) NextRetry(job *river.Job[TaskArgs]) time.Time { return lease.NextRetry(job.Attempt) }

// Work carries a task to its end, or as far as is possible now.
func (w *taskWorker) Work(ctx context.Context, job *river.Job[TaskArgs]) error {
	t, err := w.researcher.acquire(ctx, job.Args.Tenant, job.Args.Task)
	if err == nil && t == nil {
		return w.researcher.ended(ctx, job.Args.Tenant, job.Args.Task)
	}
	if err != nil {
		return lease.Done(err)
	}
	if wait, err := w.mayBegin(ctx, *t); err != nil || wait > 0 {
		return snooze(wait, err)
	}
	err = w.researcher.work(ctx, *t)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, lease.ErrLost):
		return w.researcher.ended(context.WithoutCancel(ctx), t.Scope.Tenant, t.ID)
	case errors.Is(err, errWatching):
		return w.watch(ctx, *t)
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return w.handBack(*t)
	}
	return w.failed(ctx, job, *t, err)
}

// forever is how long a task waits that somebody has to wake; see [Wake].
const forever = time.Duration(-1)

// mayBegin returns 0 when a task can be worked on now. Otherwise it puts the task
// back and returns how long it has to wait.
func (w *taskWorker) mayBegin(ctx context.Context, t Task) (time.Duration, error) {
	d := w.researcher
	if t.Order.Kind.OwnData() {
		if d.Data == nil || t.Order.Kind == WarehouseDiscovery && d.Discoveries == nil {
			return forever, d.wait(ctx, t, NoData)
		}
		return w.withinBudget(ctx, t)
	}
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
	return w.withinBudget(ctx, t)
}

// withinBudget returns 0 while the tenant's daily limit is not used up. Otherwise it puts the
// task back and returns how long it has to wait.
func (w *taskWorker) withinBudget(ctx context.Context, t Task) (time.Duration, error) {
	d := w.researcher
	begun, _, err := d.begun(ctx, d.Editor.Pool, t)
	if err != nil {
		return 0, err
	}
	most, err := d.limit(ctx, t.Scope.Tenant)
	if err != nil || begun < most {
		return 0, err
	}
	// Tasks that were taken up at the same moment count each other. They are put back one after the
	// other, so that those that remain see that there is room.
	var oldest time.Time
	err = d.waitUnless(ctx, t, overBudget, func(tx pgx.Tx) (bool, error) {
		if err := queries.TasksLock(ctx, tx, t.Scope.Tenant); err != nil {
			return false, err
		}
		begun, oldest, err = d.begun(ctx, tx, t)
		return begun < most, err
	})
	if err != nil || begun < most {
		return 0, err
	}
	return max(time.Until(oldest.Add(budgetWindow)), time.Minute), nil
}

// limit returns how many tasks a tenant may begin within the budget window.
func (d *Researcher) limit(ctx context.Context, tenant string) (int, error) {
	if d.Limit == nil {
		return d.Daily, nil
	}
	return d.Limit(ctx, tenant)
}

// snooze makes a job come back after a while, unless somebody has to wake its task.
func snooze(wait time.Duration, err error) error {
	if err == nil && wait == forever {
		return nil
	}
	return lease.Snooze(wait, err)
}

// begun counts the tasks a tenant has begun within the budget window, except t, and
// returns when the oldest of them began.
func (d *Researcher) begun(ctx context.Context, db postgres.DB, t Task) (n int, oldest time.Time, err error) {
	b := postgres.NewBatch(t.Scope.Tenant)
	postgres.One(b, queries.TaskStarted, &dbsqlc.TaskStartedParams{TenantID: t.Scope.Tenant, ID: t.ID, WithinSeconds: budgetWindow.Seconds()}, func(r *dbsqlc.TaskStartedRow) error {
		n, oldest = int(r.Begun), r.Oldest
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return 0, time.Time{}, fmt.Errorf("count research of a tenant: %w", err)
	}
	return n, oldest, nil
}

// watch gives a discovery back until it is time to look at its run again.
func (w *taskWorker) watch(ctx context.Context, t Task) error {
	if err := w.researcher.release(ctx, t, ""); err != nil {
		return err
	}
	return river.JobSnooze(watchEvery)
}

// handBack gives a task back when the server shuts down.
func (w *taskWorker) handBack(t Task) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the job's context has ended
	defer cancel()
	if err := w.researcher.release(ctx, t, ""); err != nil {
		return err
	}
	return river.JobSnooze(0)
}

// failed decides, by the cause, what becomes of a task that could not be done: it is
// tried again if that may help, after the delay a service asked for if there was
// one, and otherwise it fails with the reason.
func (w *taskWorker) failed(ctx context.Context, job *river.Job[TaskArgs], t Task, err error) error {
	ctx = context.WithoutCancel(ctx) // which may have expired
	rest, again := retryAfter(err)
	if !again || job.Attempt >= job.MaxAttempts {
		w.researcher.Log.WarnContext(ctx, "research failed", "tenant", t.Scope.Tenant, "task", t.ID, "err", err)
		return lease.Done(w.researcher.fail(ctx, t, sentence(err)))
	}
	if err := w.researcher.release(ctx, t, retrying+sentence(err)); err != nil {
		return err
	}
	if rest > 0 {
		return river.JobSnooze(min(rest, time.Hour))
	}
	return err
}
