package research

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"quaestor/internal/postgres"
	"quaestor/research/internal/dbsqlc"
)

// Queue is River's client on our pool.
type Queue = river.Client[pgx.Tx]

// QueueOptions tune [NewQueue].
type QueueOptions struct {
	Schema  string // that holds River's tables
	Workers int    // jobs worked at once; zero means 20, -1 means this process only enqueues
	Log     *slog.Logger
	Add     []AddFunc // workers of packages above this one; unused when it only enqueues

	Periodic []*river.PeriodicJob // what is due now and then, once for all servers; unused when it only enqueues
}

// AddFunc adds a package's workers to those of a queue.
type AddFunc = func(*river.Workers) error

// River's own defaults fit batch work: a notice within the cooldown of the last
// one is swallowed and the job waits for the poll. A person waits here.
const (
	fetchCooldown = 5 * time.Millisecond
	fetchPoll     = 100 * time.Millisecond
	jobTimeout    = 2 * time.Minute
)

// DeskArgs is the job of a desk task. Ids only: River's tables know no tenants.
type DeskArgs struct {
	Tenant string `json:"tenant"`
	Task   string `json:"task"`
}

// Kind names the job.
func (DeskArgs) Kind() string { return "research_desk" }

// NewQueue returns River's client with the research workers.
func NewQueue(pool *pgxpool.Pool, o QueueOptions) (*Queue, error) {
	c := &river.Config{
		Schema: o.Schema, Logger: o.Log, FetchCooldown: fetchCooldown, FetchPollInterval: fetchPoll, JobTimeout: jobTimeout,
	}
	if o.Workers >= 0 {
		workers := river.NewWorkers()
		if err := river.AddWorkerSafely(workers, &deskWorker{pool: pool}); err != nil {
			return nil, fmt.Errorf("add desk worker: %w", err)
		}
		for _, add := range o.Add {
			if err := add(workers); err != nil {
				return nil, fmt.Errorf("add workers: %w", err)
			}
		}
		if o.Workers == 0 {
			o.Workers = 20
		}
		c.PeriodicJobs = o.Periodic
		c.Workers, c.Queues = workers, map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: o.Workers}}
	}
	q, err := river.NewClient(riverpgxv5.New(pool), c)
	if err != nil {
		return nil, fmt.Errorf("start queue: %w", err)
	}
	return q, nil
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
		params[i] = river.InsertManyParams{Args: DeskArgs{t.Scope.Tenant, t.ID}, InsertOpts: &river.InsertOpts{Priority: 4 - (t.Order.Priority-1)/3}}
		params[i].InsertOpts.Priority = max(params[i].InsertOpts.Priority, 1)
	}
	if _, err := q.InsertManyFastTx(ctx, tx, params); err != nil {
		return fmt.Errorf("enqueue %d research tasks: %w", len(tasks), err)
	}
	return nil
}

// NoSources is the note of a task that nothing can answer yet.
const NoSources = "waiting: no research source is configured"

// deskWorker answers desk tasks. As long as no source is configured there is
// nothing it may claim: the task stays pending and says so.
type deskWorker struct {
	river.WorkerDefaults[DeskArgs]
	pool *pgxpool.Pool
}

// Work notes why the task waits.
func (w *deskWorker) Work(ctx context.Context, job *river.Job[DeskArgs]) error {
	note := NoSources
	b := postgres.NewBatch(job.Args.Tenant)
	_ = queries.TaskNote(ctx, b, &dbsqlc.TaskNoteParams{TenantID: job.Args.Tenant, ID: job.Args.Task, Note: &note})
	if err := b.Send(ctx, w.pool); err != nil {
		return fmt.Errorf("note on research task %s: %w", job.Args.Task, err)
	}
	return nil
}
