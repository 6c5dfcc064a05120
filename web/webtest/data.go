package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
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
	"quaestor/research/reader"
	"quaestor/research/search"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packdrafts"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
	"quaestor/research/warehouse/wire"
	"quaestor/sessions"
	"quaestor/sessions/settings/models"
	"quaestor/web/data"
)

// dataParts are what a server explores warehouses with; nothing works its runs.
func dataParts(t testing.TB, pool *pgxpool.Pool, queue *research.Queue, log *slog.Logger) data.Options {
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
	open := func(ctx context.Context, tenant, id, _ string) (warehouse.Gateway, error) {
		return store.Open(ctx, tenant, id, connections.View{})
	}
	drafts := &packdrafts.Store{Pool: pool, Projects: projects.Store{Pool: pool},
		Read: func(context.Context, string) (reader.Page, error) {
			return reader.Page{Text: "Orders are paid or sent back."}, nil
		},
		Metrics: func(context.Context, string, string) ([]packdrafts.Metric, error) { return nil, nil },
		Tables: func(ctx context.Context, tenant, id string) ([]catalog.Table, error) {
			snapshot, err := store.Load(ctx, tenant, id)
			if err != nil {
				return nil, err
			}
			return snapshot.Tables, nil
		}}
	pages, err := reader.New(reader.Options{InProcess: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pages.Close)
	read := func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		return research.ReadAttachment(ctx, pages, name, mediaType, body)
	}
	ownModels := models.New(models.Options{Pool: pool, Sealer: sealer(t), Transport: http.DefaultTransport, Log: log})
	t.Cleanup(ownModels.Close)
	guess := func(_ context.Context, _ string, o runs.Order) (estimate.Estimate, error) {
		return estimate.Of(estimate.Input{Steps: o.MaxSteps}), nil
	}
	return data.Options{Drafts: drafts, Findings: &runs.Searcher{Pool: pool, Log: log}, ReadFile: read, Models: ownModels, Prices: prices.Store{Pool: pool}, Estimate: guess, Open: open, SampleData: samples, Connections: store, Index: index, Projects: projects.Store{Pool: pool}, Commands: runs.Commands{Pool: pool, Queue: queue, Hub: hub}, Queue: queue}
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
	*World
	House, Project string
	Mind           *scripted
	at             string // address of the shop's database
}

// scripted says one reply a step. Before each step it waits for a go, once it is
// told to hold.
type scripted struct {
	mu      sync.Mutex
	Replies []string
	hold    chan struct{} // nil for no wait
}

func (m *scripted) Name() string { return "script" }

func (m *scripted) Next(ctx context.Context, s warehouse.Situation) (warehouse.Reply, error) {
	m.mu.Lock()
	hold, n := m.hold, len(s.Steps)
	text := `{"done":true,"summary":"That is *all* <b>there</b> is."}`
	if n < len(m.Replies) {
		text = m.Replies[n]
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

// Asks is the reply that Asks a query.
func Asks(purpose, sql string) string {
	b, _ := json.Marshal(map[string]string{"thinking": "To see it <i>well</i>.", "query": sql, "query_purpose": purpose})
	return string(b)
}

// OpenData opens a world whose shop has four orders.
func OpenData(t testing.TB) *dataWorld {
	t.Helper()
	w := Open(t, Terms{})
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
	d := &dataWorld{World: w, Mind: &scripted{}, at: at}
	d.House = d.connect("Shop", at)
	if err := w.Server.Data.Connections.Refresh(t.Context(), w.Tenant, d.House); err != nil {
		t.Fatal(err)
	}
	d.Project = Fetch[data.ProjectBody](w, http.StatusCreated, Request{Path: "/api/v1/projects", Body: map[string]any{"name": "Orders <1>", "warehouseId": d.House}}).ID
	return d
}

// Trade gives the shop a table of sales, which fall in one region from August 2024 on.
func (d *dataWorld) Trade() {
	d.T.Helper()
	d.Exec(`CREATE TABLE shop.sales (id bigint PRIMARY KEY, sold_at timestamp, region text, amount double precision)`,
		`INSERT INTO shop.sales SELECT i, at, region, 20 + (i * 7919) % 60 FROM (
			SELECT i, timestamp '2024-01-01' + i * interval '31 minutes' AS at, (ARRAY['north','<i>south</i>','east','west'])[1 + (i * i / 7) % 4] AS region FROM generate_series(1::bigint, 16000) i) x
			WHERE NOT (region LIKE '%south%' AND at > timestamp '2024-08-01' AND i % 5 < 3)`, "ANALYZE shop.sales")
	if err := d.Server.Data.Connections.Refresh(d.T.Context(), d.Tenant, d.House); err != nil {
		d.T.Fatal(err)
	}
}

// Exec runs statements in the shop's database.
func (d *dataWorld) Exec(statements ...string) {
	d.T.Helper()
	db, err := pgx.Connect(d.T.Context(), d.at)
	if err != nil {
		d.T.Fatal(err)
	}
	defer db.Close(context.Background())
	for _, sql := range statements {
		if _, err := db.Exec(d.T.Context(), sql); err != nil {
			d.T.Fatal(err)
		}
	}
}

// Unread connects the shop once more, without its tables having been read, and returns its id.
func (d *dataWorld) Unread() string {
	d.T.Helper()
	return d.connect("Unread", d.at)
}

// connect connects the database at an address.
func (d *dataWorld) connect(name, at string) string {
	d.T.Helper()
	u, err := url.Parse(at)
	if err != nil {
		d.T.Fatal(err)
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
	return Fetch[data.WarehouseBody](d.World, http.StatusCreated, Request{Path: "/api/v1/warehouses", Body: map[string]any{"name": name, "kind": "postgresql", "options": options, "secret": password, "schemas": []string{"shop"}}}).ID
}

// Work has runs worked from now on.
func (d *dataWorld) Work() {
	d.T.Helper()
	log, parts := slog.New(slog.DiscardHandler), d.Server.Data.Options
	runner := runs.NewRunner(runs.Options{Pool: d.Pool, Hub: parts.Commands.Hub, Log: log, Rest: time.Millisecond, Wait: time.Millisecond,
		Open: func(ctx context.Context, tenant, id, _ string) (warehouse.Gateway, error) {
			return parts.Connections.Open(ctx, tenant, id, connections.View{})
		},
		Instructions: func(context.Context, runs.Run) (warehouse.Instructions, string, error) {
			return warehouse.Instructions{Dialect: guard.PostgreSQL, System: "Look into the shop.", Datasets: []string{"shop"}, Language: "en"}, "operations@1.0.0", nil
		},
		Analyst: func(context.Context, runs.Run) (warehouse.Analyst, error) { return d.Mind, nil }})
	queue, err := research.NewQueue(d.T.Context(), d.Pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: log, Lanes: map[string]river.QueueConfig{runs.Lane: runs.LaneConfig(2)}, Add: []research.AddFunc{runner.AddTo(migrations.RiverSchema)}})
	if err != nil {
		d.T.Fatal(err)
	}
	if err := queue.Start(context.WithoutCancel(d.T.Context())); err != nil {
		d.T.Fatal(err)
	}
	d.T.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if err := queue.StopAndCancel(ctx); err != nil {
			d.T.Error(err)
		}
	})
}

// Answer has research worked from now on, with these search engines.
func (d *dataWorld) Answer(engines ...search.Engine) {
	d.T.Helper()
	log, commands := slog.New(slog.DiscardHandler), d.Server.Research.Commands
	researcher := research.NewResearcher(research.ResearcherOptions{Editor: commands.Editor, Engines: engines, Data: commands.Data, Log: log})
	queue, err := research.NewQueue(d.T.Context(), d.Pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: log, Researcher: researcher})
	if err != nil {
		d.T.Fatal(err)
	}
	if err := queue.Start(context.WithoutCancel(d.T.Context())); err != nil {
		d.T.Fatal(err)
	}
	d.T.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		if err := queue.StopAndCancel(ctx); err != nil {
			d.T.Error(err)
		}
	})
}

// Start orders a run.
func (d *dataWorld) Start(order map[string]any) data.ExplorationBody {
	d.T.Helper()
	if order == nil {
		order = map[string]any{}
	}
	return Fetch[data.ExplorationBody](d.World, http.StatusCreated, Request{Path: "/api/v1/projects/" + d.Project + "/runs", Body: order})
}

// Until follows a run's events to the first of a type.
func (d *dataWorld) Until(run, kind string) []Told {
	d.T.Helper()
	return d.Stream(Request{Path: "/api/v1/runs/" + run + "/events"}).UntilType(kind)
}

// UntilType returns what follows up to and including the first event of a type.
func (s *Stream) UntilType(kind string) []Told {
	s.T.Helper()
	var out []Told
	for {
		e, ok := s.Next()
		if !ok {
			s.T.Fatalf("the stream ended before %q; it brought %d events", kind, len(out))
		}
		if out = append(out, e); fmt.Sprint(e.Data["type"]) == kind {
			return out
		}
	}
}

const ForeignID = "00000000-0000-4000-8000-000000000000"

// CheckRunPage looks at the page of the run above.
func (d *dataWorld) CheckRunPage(id string) {
	d.T.Helper()
	text := Words(d.Drawn("/data/runs/" + id))
	for _, want := range []string{"Done", "Orders by state", "<b>open</b>", "To see it <i>well</i>.", "A column that is not there", "All (4)", "Findings (2)", "Errors (1)", "That is all there is."} {
		if !strings.Contains(text, want) {
			d.T.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if text := Words(d.Drawn("/data/runs/" + id + "?show=errors")); strings.Contains(text, "Orders by state") || !strings.Contains(text, "nonsense") {
		d.T.Errorf("errors are %s", text)
	}
	live := Words(d.Drawn("/data/runs/" + id + "/live?since=2"))
	if strings.Contains(live, "Orders by day") || !strings.Contains(live, "nonsense") {
		d.T.Errorf("after step 2 comes %s", live)
	}
	if text := Words(d.Drawn("/data/runs/" + id + "/steps/2")); !strings.Contains(text, "2026-01-01") || !strings.Contains(text, "A line of total from 2026-01-01 to 2026-01-04: between 5 and 30.") {
		d.T.Errorf("step 2 is %s", text)
	}
	if resp := d.Do(Request{Path: "/data/runs/" + id + "/steps/99"}); resp.StatusCode != http.StatusNotFound {
		d.T.Errorf("a step that is not there answers %d", resp.StatusCode)
	}
}

// ReadAll is the body of an answer.
func ReadAll(t testing.TB, resp *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Post sends a form as a browser does.
func (d *dataWorld) Post(path string, form url.Values) (*http.Response, string) {
	d.T.Helper()
	resp := d.Do(Request{Method: http.MethodPost, Path: path, Body: form.Encode(), Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", "Sec-Fetch-Site": "same-origin"}})
	return resp, ReadAll(d.T, resp)
}
