package question_test

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

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

// trade is a business with flights, as a warehouse of its own.
var trade = []string{
	`CREATE SCHEMA shop`,
	`CREATE TABLE shop.customers (id bigint PRIMARY KEY, full_name text, city text, country text, is_active boolean, signed_up_at timestamptz)`,
	`INSERT INTO shop.customers SELECT i, 'Name ' || i, (ARRAY['Braga','Porto','Lisbon'])[1 + i % 3], 'PT', i % 4 <> 0, timestamptz '2024-01-01' + i * interval '1 day' FROM generate_series(1, 300) i`,
	`CREATE TABLE shop.orders (id bigint PRIMARY KEY, customer_id bigint REFERENCES shop.customers, status text, amount numeric(10,2), discount_pct numeric(5,2), placed_at timestamptz, shipped_at timestamptz)`,
	`INSERT INTO shop.orders SELECT i, 1 + i % 300, (ARRAY['paid','open','cancelled'])[1 + i % 3], 10 + i % 50, i % 10, timestamptz '2024-01-01' + i * interval '12 hours', NULL FROM generate_series(1, 1000) i`,
	`CREATE TABLE shop.flights (date timestamp, delay integer, distance integer, origin text, destination text)`,
	`INSERT INTO shop.flights SELECT timestamp '2001-01-01' + i * interval '1 hour', (i * 13) % 31 - 10, 100 + i % 900, (ARRAY['ATL','ORD','DFW'])[1 + i % 3], (ARRAY['LAX','ATL','SFO'])[1 + i % 3] FROM generate_series(0, 4000) i`,
	`CREATE TABLE shop.weather (weather_date integer, precipitation numeric, temperature_max numeric)`,
	`INSERT INTO shop.weather SELECT to_char(date '2020-01-01' + i, 'YYYYMMDD')::int, i % 10, 20 + i % 7 FROM generate_series(0, 729) i`,
	`ANALYZE`,
}

// lab is a connected warehouse.
type lab struct {
	*testing.T
	super   *pgx.Conn
	pool    *pgxpool.Pool
	store   *connections.Store
	at      *url.URL // of the warehouse
	tenant  string
	id      string
	gateway warehouse.Gateway
}

func newLab(t *testing.T, script []string) *lab {
	t.Helper()
	pool := postgrestest.DB(t)
	l := &lab{T: t, pool: pool, tenant: postgrestest.Tenant(t, pool)}
	at := postgrestest.URL(t)
	u, err := url.Parse(at)
	l.must(err)
	l.super, err = pgx.Connect(t.Context(), at)
	l.must(err)
	t.Cleanup(func() { _ = l.super.Close(context.Background()) })
	for _, sql := range script {
		_, err := l.super.Exec(t.Context(), sql)
		l.must(err)
	}
	index, err := schema.New(schema.Options{Pool: pool})
	l.must(err)
	keys, err := seal.Generate()
	l.must(err)
	sealer, err := seal.New(keys)
	l.must(err)
	l.store = connections.New(connections.Options{Pool: pool, Sealer: sealer, Connectors: []warehouse.Connector{&pgwire.Connector{Reach: wire.Reach{Sockets: true}}}, Index: index, Log: slog.New(slog.DiscardHandler)})
	l.at = u
	l.id = l.connect(l.tenant, "Trade")
	l.gateway, err = l.store.Open(t.Context(), l.tenant, l.id, connections.View{})
	l.must(err)
	t.Cleanup(func() { _ = l.gateway.Close() })
	return l
}

// connect connects the warehouse for a tenant, reads its tables, and returns its id.
func (l *lab) connect(tenant, name string) string {
	l.Helper()
	w, err := l.store.Create(l.Context(), tenant, "someone", connections.Spec{Name: name, Kind: warehouse.PostgreSQL, Secret: secret.New("sesame-12345"), Schemas: []string{"shop"}, Options: map[string]string{
		wire.Host: l.at.Query().Get("host"), wire.Port: l.at.Query().Get("port"), wire.Database: strings.TrimPrefix(l.at.Path, "/"), wire.User: l.at.User.Username()}})
	l.must(err)
	l.must(l.store.Refresh(l.Context(), tenant, w.ID))
	return w.ID
}

func (l *lab) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// truth asks the database directly.
func (l *lab) truth(sql string) float64 {
	l.Helper()
	var v float64
	l.must(l.super.QueryRow(l.Context(), "SELECT ("+sql+")::float8").Scan(&v))
	return v
}

// today is the day of all questions.
var today = time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
