package research_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a session that may order research.
type lab struct {
	t       *testing.T
	pool    *pgxpool.Pool
	library *objectives.Library
	queue   *research.Queue // only enqueues
	stop    []func()        // the workers that run
	scope   obligations.Scope
}

func newLab(t *testing.T) *lab {
	t.Helper()
	pool := postgrestest.DB(t)
	tenant := postgrestest.Tenant(t, pool)
	library := objectives.NewLibrary(pool)
	objective, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, objectives.Shipped()[0])
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, pool: pool, library: library, scope: obligations.Scope{Tenant: tenant, Session: uuid.NewString()}, queue: newQueue(t, pool, -1, nil)}
	b := postgres.NewBatch(tenant)
	if err := sessions.Create(b, sessions.New{Scope: l.scope, Objective: objective, User: "someone"}); err != nil {
		t.Fatal(err)
	}
	l.send(b)
	return l
}

func newQueue(t *testing.T, pool *pgxpool.Pool, workers int, researcher *research.Researcher) *research.Queue {
	t.Helper()
	q, err := research.NewQueue(t.Context(), pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: workers, Researcher: researcher, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (l *lab) send(b *postgres.Batch) {
	l.t.Helper()
	if err := b.Send(l.t.Context(), l.pool); err != nil {
		l.t.Fatal(err)
	}
}

// task returns a task for an obligation; an empty key is a question of its own.
func (l *lab) task(key string) research.Task {
	return research.Task{ID: uuid.NewString(), Scope: l.scope, Status: research.Pending, Turn: 3, Order: research.Order{Key: key,
		Kind: research.MarketResearch, Trigger: research.UserRequest, Query: "How large is the market for cheese?", Priority: 7}}
}

func (l *lab) save(tasks ...research.Task) {
	l.t.Helper()
	b := postgres.NewBatch(l.scope.Tenant)
	research.Save(b, tasks)
	l.send(b)
}

func (l *lab) find(id string) research.Task {
	l.t.Helper()
	task, err := research.Find(l.t.Context(), l.pool, l.scope.Tenant, id)
	if err != nil {
		l.t.Fatal(err)
	}
	return task
}

// jobs counts those that are queued.
func (l *lab) jobs() (n int) {
	l.t.Helper()
	if err := l.pool.QueryRow(l.t.Context(), `SELECT count(*) FROM river.river_job WHERE kind = 'research_desk'`).Scan(&n); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// order saves tasks and enqueues their jobs as a turn does, in one transaction,
// which ends as end says.
func (l *lab) order(end error, tasks ...research.Task) error {
	return postgres.InTx(l.t.Context(), l.pool, l.scope.Tenant, func(tx pgx.Tx) error {
		b := postgres.NewBatch(l.scope.Tenant)
		research.Save(b, tasks)
		if err := b.Send(l.t.Context(), tx); err != nil {
			return err
		}
		if err := research.Enqueue(l.t.Context(), tx, l.queue, tasks); err != nil {
			return err
		}
		return end
	})
}

func TestSavedTaskIsFoundWhole(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	first, noted := l.task("market"), l.task("")
	noted.Note, noted.Order.Query = "later", "‘Who’ else\nsells cheese?"
	l.save(first)
	l.save(noted)

	got, err := research.List(t.Context(), l.pool, l.scope)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]research.Task{first, noted}, got, cmpopts.IgnoreFields(research.Task{}, "Created")); diff != "" {
		t.Errorf("List (-saved +got):\n%s", diff)
	}
	if diff := cmp.Diff(got[1], l.find(noted.ID)); diff != "" || got[1].Created.IsZero() {
		t.Errorf("Find, made at %v (-listed +found):\n%s", got[1].Created, diff)
	}
	l.save() // none is no fault
}

func TestOneOpenTaskAnObligation(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	first, second, free, more := l.task("market"), l.task("market"), l.task(""), l.task("")

	l.save(first, second, free, more)

	got, err := research.List(t.Context(), l.pool, l.scope)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, task := range got {
		ids[task.ID] = true
	}
	if diff := cmp.Diff(map[string]bool{first.ID: true, free.ID: true, more.ID: true}, ids); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
}

func TestThePastTellsWhatWasResearched(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.save(l.task("market"))
	l.save(l.task(""))
	l.save(l.task("rivals"))
	b := postgres.NewBatch(l.scope.Tenant)
	_, _ = b.Exec(t.Context(), `UPDATE discovery_research_tasks SET status = 'failed', error_message = 'nothing found' WHERE obligation_key = 'market'`)
	l.send(b)

	var got, none research.History
	b = postgres.NewBatch(l.scope.Tenant)
	research.LoadHistory(b, l.scope, &got)
	research.LoadHistory(b, obligations.Scope{Tenant: l.scope.Tenant, Session: uuid.NewString()}, &none)
	l.send(b)

	if diff := cmp.Diff([]string{"market", "rivals"}, got.Keys()); diff != "" || none != nil {
		t.Errorf("LoadPast, of another session %v (-want +got):\n%s", none, diff)
	}
}

func TestTasksThatAreNotThere(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	task := l.task("market")
	l.save(task)
	other := postgrestest.Tenant(t, l.pool)
	for _, tt := range []struct{ name, tenant, id string }{
		{"another tenant's", other, task.ID}, {"unknown", l.scope.Tenant, uuid.NewString()}, {"no id", l.scope.Tenant, "nonsense"}, {"empty", l.scope.Tenant, ""},
	} {
		if got, err := research.Find(t.Context(), l.pool, tt.tenant, tt.id); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: Find = %+v, %v, want not_found", tt.name, got, err)
		}
	}
	list, err := research.List(t.Context(), l.pool, obligations.Scope{Tenant: other, Session: l.scope.Session})
	if err != nil || len(list) > 0 {
		t.Errorf("List for another tenant = %v, %v, want none", list, err)
	}
}

func TestTaskAndJobAreOneDecision(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	undone := errors.New("the turn was fenced")
	if err := l.order(undone, l.task("market"), l.task("rivals")); !errors.Is(err, undone) {
		t.Fatal(err)
	}
	list, err := research.List(t.Context(), l.pool, l.scope)
	if err != nil || len(list) != 0 || l.jobs() != 0 {
		t.Errorf("after a rollback there are %d tasks and %d jobs, %v, want none", len(list), l.jobs(), err)
	}

	if err := l.order(nil, l.task("market"), l.task("rivals")); err != nil {
		t.Fatal(err)
	}

	list, err = research.List(t.Context(), l.pool, l.scope)
	if err != nil || len(list) != 2 || l.jobs() != 2 {
		t.Errorf("after a commit there are %d tasks and %d jobs, %v, want 2 and 2", len(list), l.jobs(), err)
	}
	if err := l.order(nil); err != nil {
		t.Errorf("no tasks: %v", err)
	}
}

// events returns the session's events of a kind, their texts by name.
func (l *lab) events(kind sessions.Kind) []map[string]string {
	l.t.Helper()
	list, _, err := sessions.After(l.t.Context(), l.pool, l.scope, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	var out []map[string]string
	for _, e := range list {
		if e.Kind != kind {
			continue
		}
		var all map[string]any
		if err := json.Unmarshal(e.Data, &all); err != nil {
			l.t.Fatal(err)
		}
		said := map[string]string{}
		for name, v := range all {
			if text, ok := v.(string); ok {
				said[name] = text
			}
		}
		out = append(out, said)
	}
	return out
}

// background outlives the test, for what is cleaned up after it.
var background = context.Background()
