package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/prerequisite"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/wire"
)

// remoteServer is what explores warehouses, as a server has it, with one organisation.
type remoteServer struct {
	t        *testing.T
	pool     *pgxpool.Pool
	explorer *explorer
	commands runs.Commands
	tenant   string
}

// newRemoteServer starts one. who explores in the place of the analyst of the settings,
// nil for that one. When the test ends nothing of it may be left running.
func newRemoteServer(t *testing.T, s Settings, who warehouse.Analyst) *remoteServer {
	t.Helper()
	at := postgrestest.URL(t)
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		if err := goleak.Find(before); err != nil {
			t.Error(err)
		}
	})
	pool := postgrestest.Open(t, at)
	tenant, err := auth.EnsureTenant(t.Context(), pool, "development")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	s.Auth, s.DataDir, s.ResearchLease = "development", t.TempDir(), 20*time.Second
	o := &remoteServer{t: t, pool: pool, tenant: tenant.ID}
	models, err := newTenantModels(&s, pool, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(models.store.Close)
	if o.explorer, err = newExplorer(&s, pool, nil, models, log); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.explorer.close)
	o.explorer.runner.Rest = 50 * time.Millisecond
	if who != nil {
		o.explorer.runner.Analyst = func(context.Context, runs.Run) (warehouse.Analyst, error) { return who, nil }
	}
	queue, err := research.NewQueue(t.Context(), pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: log, Lanes: o.explorer.lanes(), Add: o.explorer.workers()})
	if err != nil {
		t.Fatal(err)
	}
	if err := queue.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stopQueue(queue, 20*time.Second); err != nil {
			t.Error(err)
		}
	})
	o.commands = runs.Commands{Pool: pool, Queue: queue, Hub: o.explorer.hub}
	return o
}

// connect keeps a warehouse and a project of it.
func (o *remoteServer) connect(d connections.Spec) (warehouse, project string) {
	o.t.Helper()
	w, err := o.explorer.store.Create(o.t.Context(), o.tenant, "someone", d)
	if err != nil {
		o.t.Fatal(err)
	}
	p, err := o.explorer.projects.Create(o.t.Context(), o.tenant, "someone", projects.Spec{Name: d.Name, Warehouse: w.ID}, "")
	if err != nil {
		o.t.Fatal(err)
	}
	return w.ID, p.ID
}

// begin starts a run.
func (o *remoteServer) begin(project string, steps int) string {
	o.t.Helper()
	run, _, err := o.commands.Create(o.t.Context(), o.tenant, runs.Order{Project: project, MaxSteps: steps, By: "someone"})
	if err != nil {
		o.t.Fatal(err)
	}
	return run.ID
}

// over returns a run when it is over, and its steps.
func (o *remoteServer) over(id string) (runs.Run, []runs.StoredStep) {
	o.t.Helper()
	r := untilOver(o.t, o.explorer, o.tenant, id)
	steps, err := runs.Steps(o.t.Context(), o.pool, o.tenant, id, 0, runs.MaxSteps)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Logf("%s %s %s %q %q: %d steps, %d failed, %s", r.Status, r.Outcome, r.Stop, r.Detail, r.Failure, len(steps), r.Counters.Failed, r.Counters.Active)
	for i, st := range steps {
		if st.N != i+1 || st.State != runs.Done {
			o.t.Errorf("step %d of the list is %d, %s", i+1, st.N, st.State)
		}
		o.t.Logf("%d %s %s: %d rows, %s (%s) %s", st.N, st.Type, st.Purpose, st.Rows, st.Took.Round(time.Millisecond), st.Class, st.Error)
	}
	return r, steps
}

// explore runs a project to its end.
func (o *remoteServer) explore(project string, steps int) (runs.Run, []runs.StoredStep) {
	o.t.Helper()
	return o.over(o.begin(project, steps))
}

// script is an analyst that says what stands in it, a line a step, and then that it
// is done.
type script struct {
	lines  []string
	before map[int]func() // what happens before the reply to a step, by its number
}

func (script) Name() string { return "script" }

// Next implements [warehouse.Analyst].
func (s script) Next(ctx context.Context, at warehouse.Situation) (warehouse.Reply, error) {
	n := len(at.Steps)
	if happen := s.before[n+1]; happen != nil {
		happen()
	}
	if n >= len(s.lines) {
		return warehouse.Reply{Text: `{"done": true, "summary": "That is all."}`}, ctx.Err()
	}
	return warehouse.Reply{Text: s.lines[n]}, ctx.Err()
}

// asks is a reply that asks for a query.
func asks(sql string) string {
	body, err := json.Marshal(map[string]string{"thinking": "To see what is there.", "query": sql, "query_purpose": "what is there"})
	if err != nil {
		panic(err) // of text
	}
	return string(body)
}

// asking are replies that ask for queries.
func asking(queries ...string) []string {
	out := make([]string, len(queries))
	for i, q := range queries {
		out[i] = asks(q)
	}
	return out
}

// mart is a PostgreSQL database that is a warehouse, and a role that reads it.
type mart struct {
	t     *testing.T
	super *pgx.Conn
	at    *url.URL
	role  string
}

// newMart returns one in which sql was run. The role reads the schema shop.
func newMart(t *testing.T, sql ...string) *mart {
	t.Helper()
	address := postgrestest.URL(t)
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	m := &mart{t: t, at: at, role: "reader_" + strings.TrimPrefix(at.Path, "/")}
	if m.super, err = pgx.Connect(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, sql := range []string{"DROP OWNED BY " + m.role, "DROP ROLE " + m.role} {
			if _, err := m.super.Exec(context.Background(), sql); err != nil {
				t.Error(err)
			}
		}
		_ = m.super.Close(context.Background())
	})
	m.exec("CREATE ROLE "+m.role+" LOGIN", "CREATE SCHEMA shop")
	m.exec(sql...)
	m.exec("GRANT USAGE ON SCHEMA shop TO "+m.role, "GRANT SELECT ON ALL TABLES IN SCHEMA shop TO "+m.role)
	return m
}

func (m *mart) exec(sql ...string) {
	m.t.Helper()
	for _, s := range sql {
		if _, err := m.super.Exec(context.Background(), s); err != nil {
			m.t.Errorf("%s: %v", s, err)
		}
	}
}

// draft describes the mart as a warehouse.
func (m *mart) draft() connections.Spec {
	q := m.at.Query()
	return connections.Spec{Name: "Shop", Kind: warehouse.PostgreSQL, Schemas: []string{"shop"}, Options: map[string]string{
		wire.Host: q.Get("host"), wire.Port: q.Get("port"), wire.Database: strings.TrimPrefix(m.at.Path, "/"), wire.User: m.role}}
}

// untilOver reads the events of a run until it is over.
func untilOver(t *testing.T, explored *explorer, tenant, id string) runs.Run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(prerequisite.Scale(3, 20))*time.Minute)
	defer cancel()
	sub := explored.hub.Subscribe(tenant, id, 0)
	defer sub.Close()
	for {
		r, err := runs.Find(ctx, explored.projects.Pool, tenant, id)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status.Over() {
			return r
		}
		if _, err := sub.Next(ctx, time.Second); err != nil && ctx.Err() != nil {
			t.Fatalf("%s at %s: %v", r.Status, r.Phase, err)
		}
	}
}
