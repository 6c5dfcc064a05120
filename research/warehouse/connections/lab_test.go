package connections_test

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/schema"
	"quaestor/research/warehouse/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a store over a database of its own, and another database as a warehouse.
type lab struct {
	t      *testing.T
	pool   *pgxpool.Pool
	tenant string
	keys   secret.Secret
	url    *url.URL
	super  *pgx.Conn
	store  *connections.Store
}

func newLab(t *testing.T, sql ...string) *lab {
	t.Helper()
	pool := postgrestest.DB(t)
	keys, err := seal.Generate()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, pool: pool, tenant: postgrestest.Tenant(t, pool), keys: keys}
	at := postgrestest.URL(t)
	if l.url, err = url.Parse(at); err != nil {
		t.Fatal(err)
	}
	if l.super, err = pgx.Connect(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.super.Close(context.Background()) })
	for _, s := range append([]string{"CREATE SCHEMA shop", "CREATE TABLE shop.orders (id bigint PRIMARY KEY, tenant text, amount numeric)", "INSERT INTO shop.orders SELECT i, CASE WHEN i % 2 = 0 THEN 'ours' ELSE 'theirs' END, i FROM generate_series(1, 100) AS i", "CREATE TABLE shop.pay (person text)"}, sql...) {
		if _, err := l.super.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	l.store = l.with(l.sealer())
	return l
}

func (l *lab) sealer() seal.Sealer {
	l.t.Helper()
	s, err := seal.New(l.keys)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// with returns a store on the same database.
func (l *lab) with(s seal.Sealer, see ...warehouse.Middleware) *connections.Store {
	l.t.Helper()
	index, err := schema.New(schema.Options{Pool: l.pool})
	if err != nil {
		l.t.Fatal(err)
	}
	return connections.New(connections.Options{Pool: l.pool, Sealer: s, Connectors: []warehouse.Connector{&pgwire.Connector{Reach: wire.Reach{Sockets: true}}}, Index: index, Middleware: see, Log: slog.New(slog.DiscardHandler)})
}

// draft describes the warehouse of the lab.
func (l *lab) draft() connections.Spec {
	return connections.Spec{Name: "Shop", Kind: warehouse.PostgreSQL, Secret: secret.New("sesame-12345"), Schemas: []string{"shop"}, Options: map[string]string{
		wire.Host: l.url.Query().Get("host"), wire.Port: l.url.Query().Get("port"), wire.Database: strings.TrimPrefix(l.url.Path, "/"), wire.User: l.url.User.Username()}}
}

// create keeps a warehouse, which must succeed.
func (l *lab) create(d connections.Spec) connections.Warehouse {
	l.t.Helper()
	w, err := l.store.Create(l.t.Context(), l.tenant, "someone", d)
	if err != nil {
		l.t.Fatal(err)
	}
	return w
}

// open opens a warehouse whose tables were read.
func (l *lab) open(s *connections.Store, d connections.Spec) (connections.Warehouse, warehouse.Gateway) {
	l.t.Helper()
	w := l.create(d)
	if err := s.Refresh(l.t.Context(), l.tenant, w.ID); err != nil {
		l.t.Fatal(err)
	}
	src, err := s.Open(l.t.Context(), l.tenant, w.ID, connections.View{})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = src.Close() })
	return w, src
}
