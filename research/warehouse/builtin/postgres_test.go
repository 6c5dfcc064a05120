package builtin

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// shop is a business that sells things, with the faults that such data have:
// customers of orders that are gone, lines that stand there twice, reviews without
// a text, a column that is coded.
const shop = `
	CREATE SCHEMA shop;
	CREATE TABLE shop.customers (id bigint PRIMARY KEY, full_name text, email text, country text, segment text, signed_up_at timestamptz, birth_year int, is_active boolean);
	INSERT INTO shop.customers SELECT i, 'Name ' || i, 'n' || i || '@example.org', (ARRAY['DE','FR','US','GB','IT','ES','PL','NL'])[1 + (i * i) % 8], (ARRAY['retail','wholesale','partner'])[1 + i % 3], timestamptz '2023-01-01' + i * interval '4 hours', 1950 + i % 55, i % 7 <> 0 FROM generate_series(1, 4000) i;
	CREATE TABLE shop.products (sku text PRIMARY KEY, name text, category text, unit_price numeric(10,2), weight_kg double precision, launched_on date);
	INSERT INTO shop.products SELECT 'P' || lpad(i::text, 4, '0'), 'Product ' || i, (ARRAY['toys','books','garden','food','music'])[1 + i % 5], 5 + (i * 37) % 200, (i % 40) / 10.0, date '2020-01-01' + i * 2 FROM generate_series(1, 500) i;
	CREATE TABLE shop.stores (store_id int PRIMARY KEY, city text, region text, latitude double precision, longitude double precision, opened_on date);
	INSERT INTO shop.stores SELECT i, 'City ' || i, (ARRAY['north','south','east'])[1 + i % 3], 40 + i / 2.0, i / 3.0, date '2015-06-01' + i * 30 FROM generate_series(1, 24) i;
	CREATE TABLE shop.orders (id bigint PRIMARY KEY, customer_id bigint, store_id int REFERENCES shop.stores, status text, channel text, total numeric(12,2), discount_pct numeric(5,2), placed_at timestamptz, shipped_at timestamptz, order_date int);
	INSERT INTO shop.orders SELECT i, 1 + (i::bigint * i) % 4020, 1 + i % 24, (ARRAY['paid','paid','sent','sent','sent','returned','cancelled'])[1 + i % 7], (ARRAY['web','app','store'])[1 + (i / 5) % 3], 10 + (i::bigint * 7919) % 400 + CASE WHEN i % 500 = 0 THEN 20000 ELSE 0 END,
		CASE WHEN i % 3 = 0 THEN (i % 30) END, ts, CASE WHEN i % 7 NOT IN (0, 1) THEN ts + (1 + i % 9) * interval '13 hours' END, to_char(ts, 'YYYYMMDD')::int
		FROM (SELECT i, timestamptz '2023-03-01' + (i * i / 20000.0) * interval '17 minutes' AS ts FROM generate_series(1, 20000) i WHERE i NOT BETWEEN 9000 AND 9200) g;
	CREATE TABLE shop.order_lines (order_id bigint, line_no int, sku text, quantity int, line_total numeric(12,2));
	INSERT INTO shop.order_lines SELECT i / 2, i % 2, 'P' || lpad((1 + (i::bigint * i) % 510)::text, 4, '0'), 1 + i % 6, (1 + i % 6) * (5 + (i * 37) % 200) FROM generate_series(1, 22000) i;
	INSERT INTO shop.order_lines SELECT * FROM shop.order_lines LIMIT 50;
	CREATE TABLE shop.events (event_id uuid, session_id text, user_id bigint, event_name text, occurred_at bigint, url text);
	INSERT INTO shop.events SELECT md5(i::text)::uuid, 's' || i / 8, 1 + (i / 8) % 900, (ARRAY['view','view','view','view','cart','cart','checkout','purchase'])[1 + i % 8], 1700000000 + i * 300, '/p/' || i % 99 FROM generate_series(1, 6000) i;
	CREATE TABLE shop."Customer Reviews 🙂" ("Review ID" int, "order" bigint, "Star ""Rating""" int, "Review Text" text, "Date" text);
	INSERT INTO shop."Customer Reviews 🙂" SELECT i, i * 3, 1 + (i * i) % 5, CASE WHEN i % 4 = 0 THEN NULL ELSE repeat('nice ', i % 30) END, to_char(date '2023-05-01' + i % 400, 'YYYY-MM-DD') FROM generate_series(1, 1500) i;
	CREATE TABLE shop.empty_table (id int, amount numeric);
	ANALYZE`

// open returns a transaction in which the tables of script are.
func open(t *testing.T, script string) pgx.Tx {
	t.Helper()
	pool := postgrestest.Superuser(t, postgrestest.DB(t))
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	for _, sql := range strings.Split(script, ";\n") {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return tx
}

// tablesOf reads the catalog of a schema.
func tablesOf(t *testing.T, tx pgx.Tx, schema string) []catalog.Table {
	t.Helper()
	rows, err := tx.Query(t.Context(), `
		SELECT c.relname, c.reltuples::bigint, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, COALESCE(a.attnum = ANY (i.indkey), false)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
		WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' ORDER BY c.relname, a.attnum`, schema)
	if err != nil {
		t.Fatal(err)
	}
	var out []catalog.Table
	for rows.Next() {
		var table string
		var n int64
		var c catalog.Column
		if err := rows.Scan(&table, &n, &c.Name, &c.Type, &c.NotNull, &c.Key); err != nil {
			t.Fatal(err)
		}
		if len(out) == 0 || out[len(out)-1].Name != table {
			out = append(out, catalog.Table{Schema: schema, Name: table, Rows: n})
		}
		last := &out[len(out)-1]
		last.Columns = append(last.Columns, c)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return out
}

// guarded asks PostgreSQL what passes the guard.
func guarded(t *testing.T, tx pgx.Tx, tables []catalog.Table) asker {
	t.Helper()
	g := newGuard(t, guard.PostgreSQL, tables)
	return func(t testing.TB, sql string) (*digest.CompactResult, error) {
		s, err := g.Check(sql)
		if err != nil {
			return nil, refused(err)
		}
		nested, err := tx.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = nested.Rollback(context.Background()) }()
		return asked(t.Context(), nested, s.SQL)
	}
}

// newGuard returns the guard of a warehouse of tables.
func newGuard(t testing.TB, dialect guard.Dialect, tables []catalog.Table) *guard.Guard {
	t.Helper()
	p := guard.Policy{Dialect: dialect}
	for _, c := range tables {
		r := guard.Relation{Schema: c.Schema, Name: c.Name}
		for _, col := range c.Columns {
			r.Columns = append(r.Columns, col.Name)
		}
		p.Relations = append(p.Relations, r)
	}
	g, err := guard.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// asked runs a statement and returns the digest of its rows.
func asked(ctx context.Context, tx pgx.Tx, sql string) (*digest.CompactResult, error) {
	rows, err := tx.Query(ctx, sql)
	if err != nil {
		return nil, warehouse.NewQueryError(warehouse.OtherError, err.Error(), "", err)
	}
	defer rows.Close()
	var names []string
	for _, f := range rows.FieldDescriptions() {
		names = append(names, f.Name)
	}
	var cells [][]any
	for rows.Next() {
		v, err := rows.Values()
		if err != nil {
			return nil, err
		}
		cells = append(cells, v)
	}
	if err := rows.Err(); err != nil {
		return nil, warehouse.NewQueryError(warehouse.OtherError, err.Error(), "", err)
	}
	return digest.Compact(digest.FromRows(names, cells), digest.Mask{Key: []byte("k")}), nil
}

// Every statement of a long run passes the guard, runs, and gives no more than a
// result that can be shown.
func TestShop(t *testing.T) {
	t.Parallel()

	tx := open(t, shop)
	tables := tablesOf(t, tx, "shop")
	w := newWorld(guard.PostgreSQL, tables, 80, guarded(t, tx, tables))
	w.situation.Instructions.Areas = []warehouse.Area{
		{ID: "sales", Name: "Sales", Keywords: []string{"order", "revenue", "total"}, Priority: 1},
		{ID: "returning", Name: "Returning customers", Keywords: []string{"customer", "retention"}, Priority: 2},
		{ID: "reviews", Name: "Reviews", Keywords: []string{"review", "rating"}, Priority: 3},
	}
	summary := w.run(t)
	for _, f := range w.failures() {
		t.Errorf("fails: %s", f)
	}
	if len(w.situation.Steps) < 60 || !strings.Contains(summary, "What stands out: ") {
		t.Errorf("after %d steps: %q", len(w.situation.Steps), summary)
	}
	checkSteps(t, w)
}

// checkSteps checks what is true of every run.
func checkSteps(t *testing.T, w *world) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range w.situation.Steps {
		if s.Rows > 2000 {
			t.Errorf("step %d gives %d rows", s.N, s.Rows)
		}
		if s.Query != "" && (seen[s.Query] || s.Purpose == "" || s.Thinking == "") {
			t.Errorf("step %d repeats a query, or says nothing: %s", s.N, fmt.Sprint(s))
		}
		seen[s.Query] = s.Query != ""
		for _, private := range []string{`("email")`, `("full_name")`} {
			if strings.Contains(s.Query, "MIN"+private) || strings.Contains(s.Query, "GROUP BY "+private[1:len(private)-1]) {
				t.Errorf("step %d shows what is personal: %s", s.N, s.Query)
			}
		}
	}
}
