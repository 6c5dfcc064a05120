package schema_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/embedding"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a warehouse that holds what a test says.
type house struct {
	mu      sync.Mutex // guards what follows
	tables  []catalog.Table
	broken  map[string]string              // by qualified name, why it cannot be sampled
	values  map[string]map[string][]string // by qualified name and column, what is sampled; nil for the same of all
	fails   error                          // after the last table
	listed  int
	sampled []string
	before  func(at int) // table at of a listing
}

func (h *house) Tables(_ context.Context, schemas []string, found func(catalog.Table) error) error {
	h.mu.Lock()
	list, fails, before := slices.Clone(h.tables), h.fails, h.before
	h.listed++
	h.mu.Unlock()
	for i, t := range list {
		if before != nil {
			before(i)
		}
		if len(schemas) > 0 && !slices.Contains(schemas, t.Schema) {
			continue
		}
		if err := found(t); err != nil {
			return err
		}
	}
	return fails
}

func (h *house) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	h.mu.Lock()
	h.sampled = append(h.sampled, t.Ref())
	why := h.broken[t.Ref()]
	h.mu.Unlock()
	switch why {
	case "":
	case "hangs":
		<-ctx.Done()
		return nil, ctx.Err()
	default:
		return nil, warehouse.NewQueryError(warehouse.NoPermission, why, "", nil)
	}
	cells := func(string) []string { return []string{"a@example.org", strings.Repeat("long ", 100), "plain"} }
	if h.values != nil {
		cells = func(column string) []string { return h.values[t.Ref()][column] }
	}
	out := &warehouse.Result{}
	for _, c := range t.Columns {
		list := cells(c.Name)
		out.Rows = max(out.Rows, min(n, len(list)))
		out.Columns = append(out.Columns, digest.Column{Name: c.Name, Strings: list[:min(n, len(list))], Text: true})
	}
	return out, nil
}

func (h *house) Query(context.Context, guard.Statement, warehouse.Limits) (*warehouse.Result, error) {
	return nil, errors.New("nothing is to be asked")
}

func (h *house) Rights(context.Context) (warehouse.Rights, error) { return warehouse.Rights{}, nil }
func (h *house) Close() error                                     { return nil }

// change changes what the house holds.
func (h *house) change(f func(tables []catalog.Table) []catalog.Table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tables = f(slices.Clone(h.tables))
}

// asked returns what was sampled since it was last called.
func (h *house) asked() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.sampled
	h.sampled = nil
	slices.Sort(out)
	return out
}

// lab is a tenant with a warehouse.
type lab struct {
	t      testing.TB
	pool   *pgxpool.Pool
	tenant string
	id     string
	house  *house
	index  *schema.Index
	calls  *calls
	extra  int // warehouses that were connected later
}

func newLab(t testing.TB, e embedding.Encoder, tables ...catalog.Table) *lab {
	t.Helper()
	pool, c := counted(t, postgrestest.DB(t))
	l := &lab{t: t, pool: pool, tenant: postgrestest.Tenant(t, pool), house: &house{tables: tables, broken: map[string]string{}}, calls: c}
	l.id = l.warehouse(l.tenant)
	l.index = l.open(e)
	return l
}

func (l *lab) open(e embedding.Encoder) *schema.Index {
	l.t.Helper()
	x, err := schema.New(schema.Options{Pool: l.pool, Encoder: e})
	if err != nil {
		l.t.Fatal(err)
	}
	return x
}

// warehouse connects one for a tenant.
func (l *lab) warehouse(tenant string) string { return l.warehouseNamed(tenant, "Sales") }

func (l *lab) warehouseNamed(tenant, name string) (id string) {
	l.t.Helper()
	b := postgres.NewBatch(tenant)
	postgrestest.Rows[struct{ ID string }](b, func(r *struct{ ID string }) error {
		id = r.ID
		return nil
	}, `INSERT INTO warehouses (tenant_id, name, kind) VALUES ($1, $2, 'postgresql') RETURNING id::text`, tenant, name)
	if err := b.Send(l.t.Context(), l.pool); err != nil {
		l.t.Fatal(err)
	}
	return id
}

func (l *lab) refresh() schema.Drift {
	l.t.Helper()
	d, err := l.index.Refresh(l.t.Context(), l.tenant, l.id, l.house, nil, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return d
}

func (l *lab) encode() int {
	l.t.Helper()
	n, err := l.index.Encode(l.t.Context(), l.tenant, l.id, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}

func (l *lab) load() *schema.Snapshot {
	l.t.Helper()
	s, err := l.index.Load(l.t.Context(), l.tenant, l.id)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

func (l *lab) search(words string, topK int) []warehouse.Hit {
	l.t.Helper()
	hits, err := l.index.Search(l.t.Context(), l.load(), words, topK)
	if err != nil {
		l.t.Fatal(err)
	}
	return hits
}

// refs returns the names of hits.
func refs(hits []warehouse.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Ref)
	}
	return out
}

// row is a table as it is stored.
type row struct {
	Name, State, Why, Samples string
	Version                   string // of the row itself
}

func (l *lab) rows() map[string]row {
	l.t.Helper()
	out := map[string]row{}
	b := postgres.NewBatch(l.tenant)
	postgrestest.Rows[row](b, func(r *row) error {
		out[r.Name] = *r
		return nil
	}, `SELECT schema_name || '.' || name, state::text, why, samples::text, xmin::text || ctid::text FROM warehouse_tables WHERE tenant_id = $1 AND warehouse_id = $2`, l.tenant, l.id)
	if err := b.Send(context.Background(), l.pool); err != nil {
		l.t.Fatal(err)
	}
	return out
}

// count returns a number that a query of the tenant gives.
func (l *lab) count(sql string) (n int) {
	l.t.Helper()
	b := postgres.NewBatch(l.tenant)
	postgrestest.Rows[struct{ N int64 }](b, func(r *struct{ N int64 }) error {
		n = int(r.N)
		return nil
	}, sql)
	if err := b.Send(context.Background(), l.pool); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// calls counts what goes to the database and back.
type calls struct{ trips, statements atomic.Int64 }

func (c *calls) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	c.trips.Add(1)
	c.statements.Add(int64(d.Batch.Len()))
	return ctx
}
func (c *calls) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *calls) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
func (c *calls) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.trips.Add(1)
	c.statements.Add(1)
	return ctx
}
func (c *calls) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// counted returns a pool on the same database that counts.
func counted(t testing.TB, pool *pgxpool.Pool) (*pgxpool.Pool, *calls) {
	t.Helper()
	c := &calls{}
	config := pool.Config()
	config.ConnConfig.Tracer = c
	out, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Close)
	return out, c
}

// encoder returns one over HTTP that knows words only.
func encoder(t testing.TB, model string) (embedding.Encoder, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Key: secret.New("k"), Model: model})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	e, err := embedding.NewRemote(client, 256)
	if err != nil {
		t.Fatal(err)
	}
	return e, srv
}
