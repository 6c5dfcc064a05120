package erasure_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"quaestor/internal/erasure"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
)

// patience bounds every wait in these tests.
const patience = 30 * time.Second

// longArgs is a job that works until it is cancelled.
type longArgs struct {
	Tenant string `json:"tenant"`
}

func (longArgs) Kind() string { return "long" }

// A job under way is cancelled and waited for; another organisation's goes on.
func TestJobsUnderWayEnd(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	mine, other := postgrestest.Tenant(t, pool), postgrestest.Tenant(t, pool)
	begun, ended := make(chan string, 2), make(chan string, 2)
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, j *river.Job[longArgs]) error {
		begun <- j.Args.Tenant
		<-ctx.Done()
		ended <- j.Args.Tenant
		return ctx.Err()
	}))
	queue, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: migrations.RiverSchema, Logger: slog.New(slog.DiscardHandler), Workers: workers, JobTimeout: -1,
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := queue.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = queue.StopAndCancel(context.Background()) })
	for _, tenant := range []string{mine, other} {
		if _, err := queue.Insert(t.Context(), longArgs{tenant}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		receive(t, begun, "the beginning of a job")
	}
	conn, err := postgrestest.Superuser(t, pool).Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()

	err = erasure.Erase(t.Context(), erasure.Options{Conn: conn.Conn(), Queue: queue, RiverSchema: migrations.RiverSchema, Patience: patience}, mine)

	if err != nil {
		t.Fatal(err)
	}
	if got := receive(t, ended, "the end of the job"); got != mine {
		t.Errorf("the job of %s ended, want that of %s", got, mine)
	}
	rows, err := conn.Query(t.Context(), `SELECT args ->> 'tenant' FROM river.river_job`)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(left) != 1 || left[0] != other {
		t.Errorf("left are the jobs of %v, %v; want that of %s", left, err, other)
	}
}

func receive(t *testing.T, c <-chan string, what string) string {
	t.Helper()
	select {
	case got := <-c:
		return got
	case <-time.After(patience):
		t.Fatalf("%s never came", what)
		return ""
	}
}
