package settings_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"quaestor/migrations"
)

// work lets a queue work one job and waits for its end.
func work(t *testing.T, pool *pgxpool.Pool, workers *river.Workers, args river.JobArgs) {
	t.Helper()
	q, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: migrations.RiverSchema, Workers: workers, Logger: slog.New(slog.DiscardHandler),
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}}, FetchCooldown: 50 * time.Millisecond, FetchPollInterval: 100 * time.Millisecond,
		// The queue's own cleaner keeps its hands off: it would delete what a test finds to delete.
		CompletedJobRetentionPeriod: -1, CancelledJobRetentionPeriod: -1, DiscardedJobRetentionPeriod: -1})
	if err != nil {
		t.Fatal(err)
	}
	news, cancel := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed)
	defer cancel()
	if _, err := q.Insert(t.Context(), args, nil); err != nil {
		t.Fatal(err)
	}
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := q.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	for {
		select {
		case e := <-news:
			if e.Job.Kind != args.Kind() {
				continue
			}
			if e.Kind != river.EventKindJobCompleted {
				t.Fatalf("the job failed: %v", e.Job.Errors)
			}
			return
		case <-time.After(30 * time.Second):
			t.Fatal("the end of the job never came")
		}
	}
}
