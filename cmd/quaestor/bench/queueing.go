package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"math/rand/v2"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"quaestor/migrations"
	"quaestor/research"
)

// queueing is what a queue does whose jobs are nothing.
type queueing struct {
	pickup sample  // from before the commit of a transaction that inserts a job to its beginning
	rate   float64 // jobs a second, from the first one's beginning to the last one's being noted as done
}

// River as it is tuned for people who wait; see [research.NewQueue] for ours.
const (
	tunedWorkers  = 100
	tunedCooldown = 5 * time.Millisecond
	tunedPoll     = 100 * time.Millisecond
	tunedQueue    = "bench"
	poolConns     = 16 // as many as the program opens
)

// nothing is a job without work.
type nothing struct {
	N int `json:"n"`
}

// Kind names the job.
func (nothing) Kind() string { return "bench_nothing" }

// idler does the work of jobs that have none, and tells when each began.
type idler struct {
	river.WorkerDefaults[nothing]
	clock

	mu    sync.Mutex
	began map[int]time.Duration // guarded by mu
	left  int                   // guarded by mu
	all   chan struct{}         // closed when none is left
}

func newIdler(c clock, jobs int) *idler {
	return &idler{clock: c, began: map[int]time.Duration{}, left: jobs, all: make(chan struct{})}
}

// Work notes the time.
func (w *idler) Work(_ context.Context, job *river.Job[nothing]) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began[job.Args.N] = w.now()
	if w.left--; w.left == 0 {
		close(w.all)
	}
	return nil
}

func (w *idler) add(to *river.Workers) error { return river.AddWorkerSafely(to, w) }

// openPool opens connections as the program does, and as the superuser.
func openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	c.MaxConns = poolConns
	return pgxpool.NewWithConfig(ctx, c)
}

// newQueue returns the program's queue, with w's jobs in the place of research.
// Without workers it only inserts.
func newQueue(ctx context.Context, db *pgxpool.Pool, workers int, w *idler) (*research.Queue, error) {
	o := research.QueueOptions{Schema: migrations.RiverSchema, Workers: workers, Log: slog.New(slog.DiscardHandler)}
	if w != nil {
		o.Add = []research.AddFunc{w.add}
	}
	return research.NewQueue(ctx, db, o)
}

// newTuned returns River by itself.
func newTuned(db *pgxpool.Pool, w *idler) (*research.Queue, error) {
	workers := river.NewWorkers()
	if err := w.add(workers); err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(db), &river.Config{Schema: migrations.RiverSchema, Logger: slog.New(slog.DiscardHandler), Workers: workers,
		FetchCooldown: tunedCooldown, FetchPollInterval: tunedPoll, Queues: map[string]river.QueueConfig{tunedQueue: {MaxWorkers: tunedWorkers}}})
}

// measureQueues measures both queues, one after the other.
func (l *lab) measureQueues(ctx context.Context) error {
	tuned := func(w *idler) (*research.Queue, error) { return newTuned(l.db, w) }
	ours := func(w *idler) (*research.Queue, error) { return newQueue(ctx, l.db, 0, w) }
	return errors.Join(l.measureQueue(ctx, &l.tuned, tunedQueue, tuned), l.measureQueue(ctx, &l.ours, deskQueue(), ours))
}

func (l *lab) measureQueue(ctx context.Context, q *queueing, name string, open func(*idler) (*research.Queue, error)) error {
	if err := l.fetchOften(ctx, q, name, open); err != nil {
		return fmt.Errorf("pick-ups of queue %s: %w", name, err)
	}
	if err := l.fetchMany(ctx, q, name, open); err != nil {
		return fmt.Errorf("speed of queue %s: %w", name, err)
	}
	return nil
}

// fetchOften inserts jobs at the instants at which people order research, each in
// a transaction of its own.
func (l *lab) fetchOften(ctx context.Context, q *queueing, name string, open func(*idler) (*research.Queue, error)) error {
	w := newIdler(l.clock, l.orders)
	client, err := open(w)
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return err
	}
	committed := make([]time.Duration, l.orders)
	for i := range committed {
		next := l.now() + time.Duration(rand.Int64N(2*int64(errandEvery)))
		if committed[i], err = l.insert(ctx, client, name, i); err != nil {
			break
		}
		l.waitUntil(ctx, next)
	}
	if err = errors.Join(err, w.wait(ctx), client.Stop(ctx)); err != nil {
		return err
	}
	for i, at := range committed {
		q.pickup.add(w.began[i] - at)
	}
	return nil
}

// insert inserts a job and returns when it began to commit it.
func (l *lab) insert(ctx context.Context, client *research.Queue, queue string, n int) (at time.Duration, err error) {
	err = pgx.BeginFunc(ctx, l.db, func(tx pgx.Tx) error {
		_, err := client.InsertManyFastTx(ctx, tx, []river.InsertManyParams{{Args: nothing{n}, InsertOpts: &river.InsertOpts{Queue: queue}}})
		at = l.now()
		return err
	})
	return at, err
}

// fetchMany has jobs worked that were inserted before.
func (l *lab) fetchMany(ctx context.Context, q *queueing, name string, open func(*idler) (*research.Queue, error)) error {
	w := newIdler(l.clock, l.jobs)
	client, err := open(w)
	if err != nil {
		return err
	}
	params := make([]river.InsertManyParams, l.jobs)
	for i := range params {
		params[i] = river.InsertManyParams{Args: nothing{i}, InsertOpts: &river.InsertOpts{Queue: name}}
	}
	if _, err := l.db.Exec(ctx, `TRUNCATE river.river_job`); err != nil {
		return err
	}
	if _, err := client.InsertManyFast(ctx, params); err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return err
	}
	if err := errors.Join(w.wait(ctx), client.Stop(ctx)); err != nil { // it stops when what was done is noted
		return err
	}
	return l.db.QueryRow(ctx, `SELECT count(*) / extract(epoch FROM max(finalized_at) - min(attempted_at)) FROM river.river_job WHERE kind = $1 AND state = 'completed'`, nothing{}.Kind()).Scan(&q.rate)
}

// wait waits until all jobs have begun.
func (w *idler) wait(ctx context.Context) error {
	timer := time.NewTimer(errandPatience)
	defer timer.Stop()
	select {
	case <-w.all:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("not all jobs began within %s", errandPatience)
	}
}
