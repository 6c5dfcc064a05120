package research_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/research/search"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// blank is a search engine that finds nothing.
type blank struct{}

func (blank) Name() string { return "blank" }

func (blank) Search(context.Context, search.Query) ([]search.Hit, error) { return nil, nil }

// stand is a session whose research is timed.
type stand struct {
	pool    *pgxpool.Pool
	library *objectives.Library
	queue   *research.Queue // only enqueues
	scope   obligations.Scope
}

func newStand(b *testing.B) *stand {
	b.Helper()
	pool := postgrestest.DB(b)
	s := &stand{pool: pool, library: objectives.NewLibrary(pool), scope: obligations.Scope{Tenant: postgrestest.Tenant(b, pool), Session: uuid.NewString()}}
	objective, err := s.library.Publish(b.Context(), s.scope.Tenant, obligations.TenantLayer, objectives.Shipped()[0])
	if err != nil {
		b.Fatal(err)
	}
	batch := postgres.NewBatch(s.scope.Tenant)
	if err := sessions.Create(batch, sessions.New{Scope: s.scope, Objective: objective, User: "someone"}); err != nil {
		b.Fatal(err)
	}
	if err := batch.Send(b.Context(), pool); err != nil {
		b.Fatal(err)
	}
	s.queue = s.newQueue(b, -1, nil)
	return s
}

func (s *stand) newQueue(b *testing.B, workers int, researcher *research.Researcher) *research.Queue {
	b.Helper()
	q, err := research.NewQueue(b.Context(), s.pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: workers, Researcher: researcher, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	return q
}

func (s *stand) task() research.Task {
	return research.Task{ID: uuid.NewString(), Scope: s.scope, Status: research.Pending, Turn: 1,
		Order: research.Order{Kind: research.DomainResearch, Trigger: research.UserRequest, Query: "How many lighthouses stood in Norway in 1950?", Priority: 8}}
}

type enqueueFunc func(context.Context, pgx.Tx, *research.Queue, []research.Task) error

// order saves tasks and enqueues them in one transaction.
func (s *stand) order(b *testing.B, tasks []research.Task, enqueue enqueueFunc) {
	b.Helper()
	err := postgres.InTx(b.Context(), s.pool, s.scope.Tenant, func(tx pgx.Tx) error {
		batch := postgres.NewBatch(s.scope.Tenant)
		research.Save(batch, tasks)
		if err := batch.Send(b.Context(), tx); err != nil {
			return err
		}
		return enqueue(b.Context(), tx, s.queue, tasks)
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkOrder says what a job adds to the transaction that orders research.
func BenchmarkOrder(b *testing.B) {
	for _, bb := range []struct {
		name    string
		enqueue enqueueFunc
	}{
		{"task", func(context.Context, pgx.Tx, *research.Queue, []research.Task) error { return nil }},
		{"task and job", research.Enqueue},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := newStand(b)
			for b.Loop() {
				s.order(b, []research.Task{s.task()}, bb.enqueue)
			}
		})
	}
}

// BenchmarkResearcher measures how fast tasks are worked from end to end that find nothing to
// read.
func BenchmarkResearcher(b *testing.B) {
	s := newStand(b)
	hub := sessions.NewHub(s.pool, slog.New(slog.DiscardHandler), "bench")
	b.Cleanup(hub.Close)
	researcher := research.NewResearcher(research.ResearcherOptions{Editor: sessions.Editor{Pool: s.pool, Hub: hub, Library: s.library}, Engines: []search.Engine{blank{}},
		Log: slog.New(slog.DiscardHandler), Daily: b.N + 1})
	q := s.newQueue(b, 0, researcher)
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted)
	defer unsubscribe()
	tasks := make([]research.Task, b.N)
	for i := range tasks {
		tasks[i] = s.task()
	}
	s.order(b, tasks, research.Enqueue)
	b.ResetTimer()
	if err := q.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	for left := b.N; left > 0; {
		select {
		case e := <-news:
			if e.Job.Kind == (research.TaskArgs{}).Kind() {
				left--
			}
		case <-time.After(patience):
			b.Fatalf("%d of %d tasks were not done, and nothing happened for %s", left, b.N, patience)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
	b.StopTimer()
	if err := q.StopAndCancel(background); err != nil {
		b.Fatal(err)
	}
	if outcome := s.outcome(b, tasks[b.N-1].ID); outcome != research.NoEvidence {
		b.Errorf("the last task came to %q", outcome)
	}
}

func (s *stand) outcome(b *testing.B, task string) research.Outcome {
	b.Helper()
	t, err := research.Find(b.Context(), s.pool, s.scope.Tenant, task)
	if err != nil {
		b.Fatal(err)
	}
	return t.Outcome
}
