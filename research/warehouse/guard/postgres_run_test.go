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
	INSERT INTO sales.orders VALUES (1, 'o''hara', 1, 10, 'paid', '2026-01-02', '{"a": {"b": 1}}'), (2, 'o''hara', 2, 20, 'sent', '2026-02-03', '{}'), (3, 'other', 3, 666, 'paid', '2026-03-04', '{}');
	INSERT INTO sales.customers VALUES (1, 'o''hara', 'DE'), (3, 'other', 'XX');`

// newLake returns a transaction in which the tables are, and PostgreSQL looks
// nothing up by a bare name.
func newLake(t *testing.T) pgx.Tx {
	t.Helper()
	pool := postgrestest.Superuser(t, postgrestest.DB(t))
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	for _, sql := range []string{lake, "SET LOCAL search_path = pg_catalog", "SET TRANSACTION READ ONLY"} {
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
		names = append(names, name)
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
