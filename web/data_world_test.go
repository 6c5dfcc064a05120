package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret/seal"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
	"quaestor/research/warehouse/wire"
)

// dataParts are what a server explores warehouses with; nothing works its runs.
func dataParts(t testing.TB, pool *pgxpool.Pool, queue *research.Queue, log *slog.Logger) Warehouses {
	t.Helper()
	index, err := schema.New(schema.Options{Pool: pool, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	hub := runs.NewHub(pool, log)
	t.Cleanup(hub.Close)
	reach := wire.Reach{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Sockets: true}
	store := connections.New(connections.Options{Pool: pool, Sealer: sealer(t), Index: index, Log: log, Connectors: []warehouse.Connector{&pgwire.Connector{Reach: reach, Make: warehouse.PostgreSQL}}})
	samples := sampledata.New(filepath.Join(t.TempDir(), "sample"), false)
	t.Cleanup(samples.Close)
	return Warehouses{SampleData: samples, Connections: store, Index: index, Projects: projects.Store{Pool: pool}, Office: runs.Commands{Pool: pool, Queue: queue, Hub: hub}, Queue: queue}
}

func sealer(t testing.TB) seal.Sealer {
	t.Helper()
	keys, err := seal.FromFile(t.TempDir() + "/keys.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := seal.New(keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// dataWorld is a world with a shop's database, a project over it, and somebody who
// explores it by a script.
type dataWorld struct {
	*world
	house, project string
	mind           *scripted
}

// scripted says one reply a step. Before each step it waits for a go, once it is
// told to hold.
type scripted struct {
	mu      sync.Mutex
	replies []string
	hold    chan struct{} // nil for no wait
}

func (m *scripted) Name() string { return "script" }

func (m *scripted) Next(ctx context.Context, s warehouse.Situation) (warehouse.Reply, error) {
	m.mu.Lock()
	hold, n := m.hold, len(s.Steps)
	text := `{"done":true,"summary":"That is *all* <b>there</b> is."}`
	if n < len(m.replies) {
		text = m.replies[n]
	}
	m.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return warehouse.Reply{}, ctx.Err()
		}
	}
	return warehouse.Reply{Text: text, Spent: warehouse.TokenUsage{In: 100, Out: 10, Calls: 1}}, nil
}

// asks is the reply that asks a query.
func asks(purpose, sql string) string {
	b, _ := json.Marshal(map[string]string{"thinking": "To see it <i>well</i>.", "query": sql, "query_purpose": purpose})
	return string(b)
}

// openData opens a world whose shop has four orders.
func openData(t testing.TB) *dataWorld {
	t.Helper()
	w := open(t, terms{})
	at := postgrestest.URL(t)
	db, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	for _, sql := range []string{"CREATE SCHEMA shop", "CREATE TABLE shop.orders (id int PRIMARY KEY, day date, state text, total int)",
		"INSERT INTO shop.orders VALUES (1, '2026-01-01', 'paid', 10), (2, '2026-01-02', 'paid', 30), (3, '2026-01-03', '<b>open</b>', 5), (4, '2026-01-04', 'paid', 20)", "ANALYZE shop.orders"} {
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	d := &dataWorld{world: w, mind: &scripted{}}
	d.house = d.connect("Shop", at)
	if err := w.server.Warehouses.Connections.Refresh(t.Context(), w.tenant, d.house); err != nil {
		t.Fatal(err)
	}
	d.project = fetch[projectBody](w, http.StatusCreated, request{path: "/api/v1/projects", body: map[string]any{"name": "Orders <1>", "warehouseId": d.house}}).ID
	return d
}

// connect connects the database at an address.
func (d *dataWorld) connect(name, at string) string {
	d.t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		d.t.Fatal(err)
	}
	password, _ := u.User.Password()
	host, port := u.Hostname(), u.Port()
	if h := u.Query().Get("host"); h != "" {
		host, port = h, u.Query().Get("port")
	}
	options := map[string]string{wire.Host: host, wire.Database: u.Path[1:], wire.User: u.User.Username(), wire.Security: "disable"}
	if port != "" {
		options[wire.Port] = port
	}
	return fetch[warehouseBody](d.world, http.StatusCreated, request{path: "/api/v1/warehouses", body: map[string]any{"name": name, "kind": "postgresql", "options": options, "secret": password, "schemas": []string{"shop"}}}).ID
}

// work has runs worked from now on.
func (d *dataWorld) work() {
	d.t.Helper()
	log, parts := slog.New(slog.DiscardHandler), d.server.Warehouses
	runner := runs.NewRunner(runs.Options{Pool: d.pool, Hub: parts.Office.Hub, Log: log, Rest: time.Millisecond, Wait: time.Millisecond,
		Open: func(ctx context.Context, tenant, id, _ string) (warehouse.Gateway, error) {
			return parts.Connections.Open(ctx, tenant, id, connections.View{})
		},
		Instructions: func(context.Context, runs.Run) (warehouse.Instructions, string, error) {
			return warehouse.Instructions{Dialect: guard.PostgreSQL, System: "Look into the shop.", Datasets: []string{"shop"}, Language: "en"}, "operations@1.0.0", nil
		},
		Analyst: func(context.Context, string) (warehouse.Analyst, error) { return d.mind, nil }})
	queue, err := research.NewQueue(d.t.Context(), d.pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: log, Lanes: map[string]river.QueueConfig{runs.Lane: runs.LaneConfig(2)}, Add: []research.AddFunc{runner.AddTo(migrations.RiverSchema)}})
	if err != nil {
		d.t.Fatal(err)
	}
	if err := queue.Start(context.WithoutCancel(d.t.Context())); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := queue.StopAndCancel(ctx); err != nil {
			d.t.Error(err)
		}
	})
}

// start orders a run.
func (d *dataWorld) start(order map[string]any) explorationBody {
	d.t.Helper()
	if order == nil {
		order = map[string]any{}
	}
	return fetch[explorationBody](d.world, http.StatusCreated, request{path: "/api/v1/projects/" + d.project + "/runs", body: order})
}

// until follows a run's events to the first of a type.
func (d *dataWorld) until(run, kind string) []told {
	d.t.Helper()
	return d.stream(request{path: "/api/v1/runs/" + run + "/events"}).untilType(kind)
}

// untilType returns what follows up to and including the first event of a type.
func (s *stream) untilType(kind string) []told {
	s.t.Helper()
	var out []told
	for {
		e, ok := s.next()
		if !ok {
			s.t.Fatalf("the stream ended before %q; it brought %d events", kind, len(out))
		}
		if out = append(out, e); fmt.Sprint(e.Data["type"]) == kind {
			return out
		}
	}
}
