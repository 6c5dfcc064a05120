package guard

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres/postgrestest"
)

// lake makes the tables of the policy, two rows for each of two tenants.
const lake = `
	CREATE SCHEMA sales;
	CREATE TABLE sales.orders (id bigint, tenant text, customer_id bigint, total numeric, status text, placed_at timestamptz, details jsonb);
	CREATE TABLE sales.customers (id bigint, tenant text, country text);
	CREATE TABLE public."Odd Table" ("a b" int, "select" int);
	CREATE TABLE sales.order_items (id bigint, tenant text, order_id bigint, product_id bigint, quantity int, unit_price numeric, discount numeric);
	CREATE TABLE sales.products (id bigint, sku text, name text, category text, price numeric, tags text[], attrs jsonb, created_at timestamptz);
	CREATE TABLE sales.events (id bigint, tenant text, user_id bigint, name text, occurred_at timestamptz, properties jsonb, session_id uuid);
	CREATE TABLE sales.sessions (id uuid, tenant text, user_id bigint, started_at timestamptz, ended_at timestamptz, device text, ip inet);
	CREATE TABLE sales.users (id bigint, tenant text, email text, full_name text, plan text, signed_up date, manager_id bigint, active boolean);
	CREATE TABLE sales.subscriptions (id bigint, tenant text, user_id bigint, plan text, mrr numeric, started_on date, ended_on date);
	CREATE TABLE sales.payments (id bigint, tenant text, order_id bigint, amount numeric, method text, paid_at timestamp, refunded boolean);
	CREATE TABLE sales.employees (id bigint, tenant text, name text, department text, salary numeric, manager_id bigint, hired_on date);
	CREATE TABLE sales.categories (id bigint, parent_id bigint, name text);
	CREATE TABLE sales.calendar (day date, holiday boolean);
	CREATE TABLE public."WebTraffic" ("Page URL" text, "Visits" int, tenant text, "visitedAt" timestamptz);
	CREATE SEQUENCE sales.numbers;
	INSERT INTO sales.orders VALUES (1, 'o''hara', 1, 10, 'paid', '2026-01-02', '{"a": {"b": 1}}'), (2, 'o''hara', 2, 20, 'sent', '2026-02-03', '{}'), (3, 'other', 3, 666, 'paid', '2026-03-04', '{}');
	INSERT INTO sales.customers VALUES (1, 'o''hara', 'DE'), (3, 'other', 'XX');
	INSERT INTO sales.order_items VALUES (1, 'o''hara', 1, 1, 2, 5, 0), (3, 'other', 3, 1, 666, 5, 0);
	INSERT INTO sales.products VALUES (1, 'p1', 'pen', 'paper', 5, '{sale,new}', '{"color": "red", "weight": "1.5"}', '2026-01-01');
	INSERT INTO sales.events VALUES (1, 'o''hara', 1, 'view', '2026-01-02', '{"browser": "x"}', NULL), (3, 'other', 3, 'buy', '2026-01-02', '{"browser": "y"}', NULL);
	INSERT INTO sales.sessions VALUES (NULL, 'o''hara', 1, '2026-01-02 10:00', '2026-01-02 11:00', 'desk', '10.0.0.1'), (NULL, 'other', 3, '2026-01-02 10:00', '2026-01-02 12:00', 'hand', '10.0.0.2');
	INSERT INTO sales.users VALUES (1, 'o''hara', 'a@example.com', 'a', 'pro', '2023-05-01', NULL, true), (3, 'other', 'b@example.org', 'b', 'free', '2023-05-01', NULL, true);
	INSERT INTO sales.subscriptions VALUES (1, 'o''hara', 1, 'pro', 10, '2026-01-01', NULL), (3, 'other', 3, 'free', 666, '2026-01-01', NULL);
	INSERT INTO sales.payments VALUES (1, 'o''hara', 1, 10, 'card', '2026-01-02', false), (3, 'other', 3, 666, 'cash', '2026-03-04', true);
	INSERT INTO sales.employees VALUES (1, 'o''hara', 'a', 'd', 10, NULL, '2020-01-01'), (3, 'other', 'b', 'd', 666, NULL, '2020-01-01');
	INSERT INTO sales.categories VALUES (1, NULL, 'all'), (2, 1, 'some');
	INSERT INTO sales.calendar VALUES ('2026-01-01', true), ('2026-01-02', false);
	INSERT INTO public."WebTraffic" VALUES ('a', 1, 'o''hara', '2026-01-01'), ('b', 666, 'other', '2026-01-01');`

// newLake returns a transaction in which the tables are, and PostgreSQL looks
// nothing up by a bare name.
func newLake(t *testing.T) pgx.Tx {
	t.Helper()
	tx := newWritingLake(t)
	if _, err := tx.Exec(t.Context(), "SET TRANSACTION READ ONLY"); err != nil {
		t.Fatal(err)
	}
	return tx
}

// newWritingLake is the same for one who may do everything.
func newWritingLake(t *testing.T) pgx.Tx {
	t.Helper()
	pool := postgrestest.Superuser(t, postgrestest.DB(t))
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	for _, sql := range []string{lake, "SET LOCAL search_path = pg_catalog"} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	return tx
}

// Everything that passes runs as it is printed.
func TestAcceptedRuns(t *testing.T) {
	t.Parallel()

	tx, g := newLake(t), newGuard(t, policy)
	for _, sql := range corpus(t, "postgresql_accepted.sql") {
		s, err := g.Check(sql)
		if err != nil {
			continue // another test says so
		}
		nested, err := tx.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := nested.Query(t.Context(), s.SQL)
		if err == nil {
			rows.Close()
			err = rows.Err()
		}
		if err != nil {
			t.Errorf("%s\nprinted as %s\nfails: %v", sql, s.SQL, err)
		}
		_ = nested.Rollback(t.Context())
	}
}

// No statement reads a row of another tenant.
func TestOtherTenantsStayOut(t *testing.T) {
	t.Parallel()

	tx, g := newLake(t), newGuard(t, policy)
	for _, sql := range []string{
		"SELECT max(total) FROM orders", "SELECT max(total) FROM sales.orders WHERE tenant = 'other' OR true", "SELECT max(o.total) FROM orders o, orders p",
		"WITH orders AS (SELECT * FROM orders) SELECT max(total) FROM orders", "SELECT max(x.total) FROM ONLY orders x", "SELECT (SELECT max(total) FROM orders)",
		"SELECT max(total) FROM (TABLE orders) t", "SELECT max(total) FROM (SELECT 0 AS total UNION ALL SELECT total FROM orders) t", "SELECT max((o).total) FROM orders o",
		"SELECT max(total) FROM orders o(id, tenant, a, total)", "SELECT max(y.total) FROM (orders CROSS JOIN customers c(i, t, country)) AS y",
	} {
		s, err := g.Check(sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		var most float64
		if err := tx.QueryRow(t.Context(), s.SQL).Scan(&most); err != nil || most > 20 {
			t.Errorf("%s gives %v (%v)", s.SQL, most, err)
		}
	}
}

// No function on the list changes anything, or gives something else each time.
func TestFunctionsAreNotVolatile(t *testing.T) {
	t.Parallel()

	tx := newLake(t)
	names := make([]string, 0, len(functions))
	for name := range functions {
		if !volatileFunctions[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var volatile []string
	if err := tx.QueryRow(t.Context(), `SELECT coalesce(array_agg(DISTINCT proname::text), '{}') FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 'v' AND proname = ANY ($1)`, names).Scan(&volatile); err != nil {
		t.Fatal(err)
	}
	if len(volatile) > 0 {
		t.Errorf("volatile: %v", volatile)
	}
}
