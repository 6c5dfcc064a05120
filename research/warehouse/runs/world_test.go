package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"go.uber.org/goleak"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/runs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// background outlives the test, for what is cleaned up after it.
var background = context.Background()

// patience bounds every wait in these tests.
const patience = 30 * time.Second

// world is a tenant with a project over a shop's warehouse.
type world struct {
	t       testing.TB
	pool    *pgxpool.Pool
	hub     *runs.Hub
	queue   *river.Client[pgx.Tx] // only enqueues
	tenant  string
	house   string
	project string
	shop    *shop
	analyst *scriptedAnalyst
	o       runs.Options
}

func newWorld(t testing.TB) *world {
	t.Helper()
	pool := postgrestest.DB(t)
	w := &world{t: t, pool: pool, tenant: postgrestest.Tenant(t, pool), house: uuid.NewString(), project: uuid.NewString(), shop: newShop(), analyst: &scriptedAnalyst{}}
	w.exec(`INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Shop', 'postgresql')`, w.tenant, w.house)
	w.exec(`INSERT INTO warehouse_projects (tenant_id, id, name, pack_slug, pack_version, warehouse_id) VALUES ($1, $2, 'Shop', 'generic', '1', $3)`, w.tenant, w.project, w.house)
	w.hub = runs.NewHub(pool, quiet)
	t.Cleanup(w.hub.Close)
	w.queue = w.client(nil)
	w.o = runs.Options{Pool: pool, Hub: w.hub, Log: quiet, Rest: time.Millisecond, Wait: time.Millisecond,
		Open: func(context.Context, string, string, string) (warehouse.Gateway, error) { return w.shop, nil },
		Instructions: func(_ context.Context, r runs.Run) (warehouse.Instructions, string, error) {
			return warehouse.Instructions{Dialect: guard.PostgreSQL, System: fmt.Sprintf("Look into the shop. %d runs before.", len(r.Previous)), Datasets: []string{"sales"}, Language: "en"}, "generic@1", nil
		},
		Analyst: func(context.Context, runs.Run) (warehouse.Analyst, error) { return w.analyst, nil },
	}
	return w
}

var quiet = slog.New(slog.DiscardHandler)

// client returns River's, which only enqueues unless it has workers.
func (w *world) client(workers *river.Workers) *river.Client[pgx.Tx] {
	w.t.Helper()
	c := &river.Config{Schema: migrations.RiverSchema, Logger: quiet, FetchCooldown: time.Millisecond, FetchPollInterval: 20 * time.Millisecond}
	if workers != nil {
		c.Workers = workers
		c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2}, runs.Lane: runs.LaneConfig(4)}
	}
	q, err := river.NewClient(riverpgxv5.New(w.pool), c)
	if err != nil {
		w.t.Fatal(err)
	}
	return q
}

// pays sets what the tenant pays.
func (w *world) pays(list ...prices.Price) {
	w.o.Prices = func(context.Context, string) (prices.List, error) { return prices.NewList(list...), nil }
}

func (w *world) commands() runs.Commands {
	return runs.Commands{Pool: w.pool, Queue: w.queue, Hub: w.hub}
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	b := postgres.NewBatch(w.tenant)
	_, _ = b.Exec(background, sql, args...)
	if err := b.Send(background, w.pool); err != nil {
		w.t.Fatal(err)
	}
}

// number returns what a query counts.
func (w *world) number(sql string, args ...any) int {
	w.t.Helper()
	n := -1
	b := postgres.NewBatch(w.tenant)
	postgrestest.Rows[struct{ N int }](b, func(r *struct{ N int }) error { n = r.N; return nil }, sql, args...)
	if err := b.Send(background, w.pool); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// order makes a run.
func (w *world) order(o runs.Order) runs.Run {
	w.t.Helper()
	o.Project = w.project
	r, made, err := w.commands().Create(w.t.Context(), w.tenant, o)
	if err != nil || !made {
		w.t.Fatalf("Create = %t, %v", made, err)
	}
	return r
}

func (w *world) find(id string) runs.Run {
	w.t.Helper()
	r, err := runs.Find(background, w.pool, w.tenant, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) steps(id string) []runs.StoredStep {
	w.t.Helper()
	list, err := runs.Steps(background, w.pool, w.tenant, id, 0, runs.MaxSteps)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// events returns all events of a run, and fails when their numbers have gaps.
func (w *world) events(id string) []runs.Event {
	w.t.Helper()
	var out []runs.Event
	for more := true; more; {
		list, rest, err := runs.Events(background, w.pool, w.tenant, id, int64(len(out)))
		if err != nil {
			w.t.Fatal(err)
		}
		out, more = append(out, list...), rest
	}
	for i, e := range out {
		if e.Seq != int64(i+1) {
			w.t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
	}
	return out
}

// kinds are those of events, in order, without steps and counters.
func kinds(events []runs.Event) string {
	var out []string
	for _, e := range events {
		switch e.Kind {
		case runs.EventStep, runs.EventCounters:
		case runs.EventPhase:
			var d struct{ Phase string }
			_ = json.Unmarshal(e.Data, &d)
			out = append(out, d.Phase)
		default:
			out = append(out, string(e.Kind))
		}
	}
	return strings.Join(out, " ")
}

// work takes a run to its end.
func (w *world) work(id string) runs.Run {
	w.t.Helper()
	if err := runs.NewRunner(w.o).Until(w.t.Context(), w.tenant, id); err != nil {
		w.t.Fatal(err)
	}
	return w.find(id)
}

// expire lets the lease of a run run out.
func (w *world) expire(id string) {
	w.t.Helper()
	w.exec(`UPDATE warehouse_runs SET lease_until = now() - interval '1 second' WHERE tenant_id = $1 AND id = $2 AND status = 'running'`, w.tenant, id)
}

// scriptedAnalyst is an analyst that says what its script says.
type scriptedAnalyst struct {
	mu     sync.Mutex
	script map[int][]string // by step, the reply and those after corrections; "!" fails
	always func(s warehouse.Situation) (string, error)
	before func(ctx context.Context, s warehouse.Situation)
	seen   []warehouse.Situation
	spent  warehouse.TokenUsage
}

func (m *scriptedAnalyst) Name() string { return "script" }

func (m *scriptedAnalyst) Next(ctx context.Context, s warehouse.Situation) (warehouse.Reply, error) {
	m.mu.Lock()
	m.seen = append(m.seen, s)
	always, before, spent, list := m.always, m.before, m.spent, m.script[len(s.Steps)+1]
	m.mu.Unlock()
	if before != nil {
		before(ctx, s)
	}
	if err := ctx.Err(); err != nil {
		return warehouse.Reply{}, err
	}
	if always != nil {
		text, err := always(s)
		return warehouse.Reply{Text: text, Spent: spent}, err
	}
	text := `{"done":true,"summary":"That is all."}`
	if len(list) > 0 {
		text = list[min(slices.Index(list, s.Rejected)+1, len(list)-1)]
	}
	if text == "!" {
		return warehouse.Reply{}, errors.New("the model is away")
	}
	return warehouse.Reply{Text: text, Spent: spent}, nil
}

func (m *scriptedAnalyst) calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.seen)
}

// says makes the script: one reply a step.
func (m *scriptedAnalyst) says(replies ...string) {
	m.script = map[int][]string{}
	for i, r := range replies {
		m.script[i+1] = []string{r}
	}
}

// ask is the reply that asks a query.
func ask(sql string) string {
	b, _ := json.Marshal(map[string]string{"thinking": "hm", "query": sql, "query_purpose": "to see " + sql})
	return string(b)
}

// shop is a warehouse in memory.
type shop struct {
	mu       sync.Mutex
	catalog  *catalog.Index
	answers  map[string]func() (*warehouse.Result, error)
	before   func(ctx context.Context, q warehouse.Query)
	asked    []warehouse.Query
	looked   [][]string
	searched []string
	closed   int
	broken   error // what lookups and searches give
}

func newShop() *shop {
	table := func(name string) catalog.Table {
		return catalog.Table{Schema: "sales", Name: name, Rows: 1000, Columns: []catalog.Column{{Name: "id", Type: "integer"}, {Name: "total", Type: "numeric"}}}
	}
	tables := []catalog.Table{table("orders"), table("customers"), table("refunds")}
	for i := range 40 {
		tables = append(tables, table(fmt.Sprintf("t%02d", i)))
	}
	return &shop{catalog: catalog.NewIndex(tables), answers: map[string]func() (*warehouse.Result, error){}}
}

func (s *shop) Dialect() guard.Dialect  { return guard.PostgreSQL }
func (s *shop) Filter() guard.Filter    { return guard.Filter{} }
func (s *shop) Catalog() *catalog.Index { return s.catalog }

func (s *shop) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed++
	return nil
}

func (s *shop) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	s.mu.Lock()
	s.asked = append(s.asked, q)
	answer, before := s.answers[q.SQL], s.before
	s.mu.Unlock()
	if before != nil {
		before(ctx, q)
	}
	if err := ctx.Err(); err != nil {
		return warehouse.Answer{}, warehouse.NewQueryError(warehouse.TimedOut, "cancelled", "", err)
	}
	if answer == nil {
		answer = func() (*warehouse.Result, error) { return sales(30), nil }
	}
	r, err := answer()
	return warehouse.Answer{Result: r, Sent: guard.Statement{SQL: q.SQL + " /* sent */", Tables: []string{"sales.orders"}}}, err
}

func (s *shop) Lookup(_ context.Context, refs []string) (warehouse.LookupAnswer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = append(s.looked, refs)
	var out warehouse.LookupAnswer
	for _, ref := range refs {
		i, ok, candidates := s.catalog.Find(ref)
		if !ok {
			out.NotFound = append(out.NotFound, warehouse.NotFound{Ref: ref, Candidates: candidates})
			continue
		}
		out.Tables = append(out.Tables, warehouse.TableDetail{Ref: s.catalog.Table(i).Ref(), Text: s.catalog.Describe(i)})
	}
	return out, s.broken
}

func (s *shop) Search(_ context.Context, words string, topK int) ([]warehouse.Hit, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searched = append(s.searched, words)
	var out []warehouse.Hit
	for i := range min(topK, s.catalog.Len()) {
		if t := s.catalog.Table(i); strings.Contains(t.Name, words) {
			out = append(out, warehouse.Hit{Ref: t.Ref(), Line: t.Ref() + " | 2c", Score: 0.9, Because: "its name"})
		}
	}
	return out, s.broken
}

func (s *shop) questions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// sales is a result of so many rows.
func sales(rows int) *warehouse.Result {
	ids, totals := make([]int64, rows), make([]float64, rows)
	for i := range rows {
		ids[i], totals[i] = int64(i+1), float64(i)*1.5
	}
	return &warehouse.Result{Columns: []digest.Column{{Name: "id", Ints: ids}, {Name: "total", Floats: totals}}, Rows: rows, Scanned: 4096, Took: 2 * time.Millisecond}
}

// wait waits for a channel.
func wait[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s never came", what)
		panic("unreachable")
	}
}

// types are those of steps, in order.
func types(steps []runs.StoredStep) string {
	out := make([]string, len(steps))
	for i, s := range steps {
		out[i] = string(s.Type)
		if s.Repeats > 0 {
			out[i] += fmt.Sprintf("=%d", s.Repeats)
		}
		if s.Error != "" {
			out[i] += ":" + string(s.Class)
		}
		if s.State != runs.Done {
			out[i] += "?"
		}
	}
	return strings.Join(out, " ")
}

func isPaused(err error) bool { return errors.Is(err, runs.ErrPaused) }
func isLost(err error) bool   { return errors.Is(err, runs.ErrLost) }
