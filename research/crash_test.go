package research_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/prerequisite"
	"quaestor/research"
	"quaestor/research/reader"
	"quaestor/sessions"
)

// reaper kills a worker at its n-th dealing with the world: before or after a
// statement is sent or a page is asked for.
type reaper struct {
	left atomic.Int64
	kill context.CancelFunc
}

func (r *reaper) strike() {
	if r.left.Add(-1) == 0 {
		r.kill()
	}
}

func (r *reaper) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	r.strike()
	return ctx
}
func (r *reaper) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { r.strike() }
func (r *reaper) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	r.strike()
	return ctx
}
func (r *reaper) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (r *reaper) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     { r.strike() }

// mortal returns a researcher that dies at its n-th dealing, and the context it lives
// in.
func (b *harness) mortal(n int) (*research.Researcher, context.Context, *reaper) {
	b.t.Helper()
	r := &reaper{}
	r.left.Store(int64(n))
	ctx, kill := context.WithCancel(b.t.Context())
	b.t.Cleanup(kill)
	r.kill = kill
	config := b.pool.Config()
	config.ConnConfig.Tracer = r
	pool, err := pgxpool.NewWithConfig(background, config)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(pool.Close)
	hub := sessions.NewHub(pool, slog.New(slog.DiscardHandler), "mortal")
	b.t.Cleanup(hub.Close)
	o := b.opt
	o.Editor = sessions.Editor{Pool: pool, Hub: hub, Library: b.library}
	o.Pages = func(ctx context.Context, url string) (reader.Page, error) {
		r.strike()
		defer r.strike()
		return b.reader.Read(ctx, url)
	}
	return research.NewResearcher(o), ctx, r
}

// A worker that is killed anywhere leaves a task that another finishes; no page is
// asked for twice, nothing is stored or told twice.
func TestWorkerMayDieAnywhere(t *testing.T) {
	t.Parallel()

	for n := 1; ; n += prerequisite.Scale(9, 3) {
		survived := make(chan bool, 1)
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := newHarness(t)
			b.stockMarket()
			task := b.marketTask()
			b.save(task)

			researcher, ctx, r := b.mortal(n)
			err := researcher.Until(ctx, b.scope.Tenant, task.ID)
			survived <- err == nil && r.left.Load() > 0
			b.expire(task.ID)
			if err := research.NewResearcher(b.opt).Until(t.Context(), b.scope.Tenant, task.ID); err != nil {
				t.Fatal(err)
			}
			b.finishedOnce(task.ID)
		})
		select {
		case done := <-survived:
			if done {
				return
			}
		default:
			t.Fatal("the worker never ran")
		}
	}
}

// expire lets a lease run out.
func (b *harness) expire(id string) {
	b.t.Helper()
	batch := postgres.NewBatch(b.scope.Tenant)
	_, _ = batch.Exec(b.t.Context(), `UPDATE discovery_research_tasks SET lease_until = now() - interval '1 second' WHERE id = $1 AND status = 'running'`, id)
	b.send(batch)
}

// finishedOnce fails unless a task was done, and each thing in it once.
func (b *harness) finishedOnce(id string) {
	b.t.Helper()
	r := b.report(id)
	cut := slices.ContainsFunc(r.Sources, func(s research.Source) bool { return s.State == research.SourceInterrupted })
	if t := r.Task; t.Status != research.Completed || t.Outcome != research.Found && !cut {
		b.t.Fatalf("the task is %s, %s after %s: %s", t.Status, t.Outcome, t.Step, t.Failure)
	}
	for path, n := range b.site.requests() {
		if n > 1 {
			b.t.Errorf("%s was asked for %d times", path, n)
		}
	}
	b.proven(r)
	for what, query := range map[string]string{
		"searches":               `SELECT count(*) - count(DISTINCT (revision, n, engine)) FROM research_searches`,
		"sources":                `SELECT count(*) - count(DISTINCT url) FROM research_sources`,
		"claims":                 `SELECT count(*) - count(DISTINCT quote) FROM research_claims`,
		"values set":             `SELECT count(*) - count(DISTINCT metadata) FROM obligation_events WHERE obligation_key = 'target_market' AND source = 'research'`,
		"completions in the log": `SELECT count(*) - 1 FROM session_events, unnest(data) AS d WHERE d::jsonb ->> 'status' = 'completed'`,
	} {
		if n := b.count(query); n != 0 {
			b.t.Errorf("%s: %d too many or too few", what, n)
		}
	}
}

func (b *harness) count(query string) int {
	b.t.Helper()
	n := -1
	batch := postgres.NewBatch(b.scope.Tenant)
	postgrestest.Rows[struct{ N int }](batch, func(r *struct{ N int }) error { n = r.N; return nil }, query)
	b.send(batch)
	return n
}

// A worker that is slow and not dead writes nothing any more once another has its
// task.
func TestSlowWorkerIsFenced(t *testing.T) {
	t.Parallel()

	b := newHarness(t)
	b.stockMarket()
	task := b.marketTask()
	b.save(task)
	first, second := make(chan struct{}), make(chan struct{})
	slow := b.opt
	slow.Pages = func(ctx context.Context, url string) (reader.Page, error) {
		select {
		case first <- struct{}{}:
		default:
		}
		<-second
		return b.reader.Read(ctx, url)
	}
	ended := make(chan error, 1)
	go func() { ended <- research.NewResearcher(slow).Until(t.Context(), b.scope.Tenant, task.ID) }()
	wait(t, first, "the first worker's page")
	b.expire(task.ID)
	quick := b.opt
	if err := research.NewResearcher(quick).Until(t.Context(), b.scope.Tenant, task.ID); err != nil {
		t.Fatal(err)
	}
	before := b.report(task.ID)
	close(second)
	if err := <-ended; err == nil {
		t.Error("the first worker thinks that it finished")
	}

	after := b.report(task.ID)
	if len(after.Claims) != len(before.Claims) || after.Task.Attempt != 2 || after.Task.Summary != before.Task.Summary {
		t.Errorf("the slow worker changed %+v to %+v", before, after)
	}
}
