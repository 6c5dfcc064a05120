//go:build duckdb && cgo

package duckdb_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/duckdb"
	"quaestor/research/warehouse/guard"
)

// lake has the tables of the sample data, few rows of each, and two of many tenants.
const lake = `
CREATE TABLE flights AS SELECT TIMESTAMP '2001-01-01' + to_minutes(i * 61) AS date, CAST(i * 37 % 90 - 20 AS INTEGER) AS delay, CAST(200 + i * 13 % 2000 AS INTEGER) AS distance,
	['SEA', 'LAX', 'JFK'][1 + i % 3] AS origin, ['ORD', 'SEA'][1 + i % 2] AS destination FROM range(2000) r(i);
CREATE TABLE airports (iata VARCHAR PRIMARY KEY, name VARCHAR, city VARCHAR, state VARCHAR, country VARCHAR, latitude DOUBLE, longitude DOUBLE);
INSERT INTO airports VALUES ('SEA', 'Seattle-Tacoma Intl', 'Seattle', 'WA', 'USA', 47.4, -122.3), ('LAX', 'Los Angeles Field', 'Los Angeles', 'CA', 'USA', 33.9, -118.4), ('JFK', 'Kennedy', 'New York', 'NY', 'USA', 40.6, -73.8), ('ORD', 'O''Hare', 'Chicago', 'IL', 'USA', 42, -88);
CREATE TABLE birdstrikes ("Airport Name" VARCHAR, "Flight Date" DATE, "Origin State" VARCHAR, "Wildlife Size" VARCHAR, "Wildlife Species" VARCHAR, "Time of day" VARCHAR, "Cost Other" BIGINT, "Cost Repair" BIGINT, "Cost Total $" BIGINT, "Speed IAS in knots" BIGINT);
INSERT INTO birdstrikes VALUES ('X', DATE '1990-01-08', 'Louisiana', 'Large', 'Turkey vulture', 'Day', 0, 10, 10, 300);
CREATE TABLE seattle_weather AS SELECT DATE '2012-01-01' + i::INTEGER AS date, i % 7 / 2 AS precipitation, 10.0::DOUBLE + i % 9 AS temp_max, 5.0::DOUBLE AS temp_min, 3.0::DOUBLE AS wind, ['sun', 'rain', 'fog'][1 + i % 3] AS weather FROM range(100) r(i);
CREATE TABLE "Odd Table" ("a b" INTEGER, "select" INTEGER, "🙂" VARCHAR, "o""clock" VARCHAR);
CREATE SCHEMA sales;
CREATE TABLE sales.orders (id BIGINT, tenant VARCHAR, customer_id BIGINT, total DECIMAL(12, 2), status VARCHAR, placed_at TIMESTAMP, tags VARCHAR[], details JSON);
INSERT INTO sales.orders VALUES (1, 'o''hara', 1, 10, 'paid', '2026-01-02', ['x', 'y'], '{"a": 1, "b": "c", "n": 3, "items": [1]}'), (2, 'o''hara', 2, 20, 'sent', '2026-02-03', [], '{}'), (3, 'other', 3, 666, 'paid', '2026-03-04', ['z'], '{}');
CREATE TABLE sales.customers (id BIGINT, tenant VARCHAR, country VARCHAR);
INSERT INTO sales.customers VALUES (1, 'o''hara', 'DE'), (3, 'other', 'XX');
CREATE MACRO my_macro(x) AS x + 1;
CREATE MACRO my_table_macro(x) AS TABLE SELECT x AS y;`

// newGuard returns a guard of what a connection holds, for one tenant.
func newGuard(t testing.TB, conn *duckdb.Conn, f guard.Filter) *guard.Guard {
	t.Helper()
	p := guard.Policy{Dialect: guard.DuckDB, Schemas: []string{"main", "sales"}, Filter: f, Parser: conn}
	err := conn.Tables(t.Context(), nil, func(table catalog.Table) error {
		r := guard.Relation{Schema: table.Schema, Name: table.Name}
		for _, c := range table.Columns {
			r.Columns = append(r.Columns, c.Name)
		}
		p.Relations = append(p.Relations, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := guard.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var tenant = guard.Filter{Column: "tenant", Value: "o'hara"}

// corpus returns the statements of a file of the guard's.
func corpus(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("../guard/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range strings.Split(string(data), "\n\n") {
		lines := strings.Split(strings.TrimSpace(p), "\n")
		for len(lines) > 1 && strings.HasPrefix(lines[0], "-- ") {
			lines = lines[1:]
		}
		if s := strings.Join(lines, "\n"); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func TestRefused(t *testing.T) {
	t.Parallel()

	g := newGuard(t, open(t, makeFile(t, lake), warehouse.Limits{}), tenant)
	for _, sql := range corpus(t, "duckdb_refused.sql") {
		got, err := g.Check(sql)
		var r *guard.Refusal
		if !errors.As(err, &r) || r.What == "" {
			t.Errorf("%s\nmay run as %s (%v)", sql, got.SQL, err)
		}
	}
}

// Everything ordinary passes, runs as it is printed, and passes again as such.
func TestAccepted(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	g, plain := newGuard(t, conn, tenant), newGuard(t, conn, guard.Filter{})
	for _, sql := range corpus(t, "duckdb_accepted.sql") {
		s, err := g.Check(sql)
		if err != nil {
			t.Errorf("%s\nis refused: %v", sql, err)
			continue
		}
		if _, err := conn.Query(t.Context(), s, warehouse.Limits{}); err != nil {
			t.Errorf("%s\nprinted as %s\nfails: %v", sql, s.SQL, err)
		}
		free, err := plain.Check(sql)
		if err != nil {
			t.Errorf("%s\nis refused without a filter: %v", sql, err)
			continue
		}
		again, err := plain.Check(free.SQL)
		if err != nil || again.SQL != free.SQL && !strings.Contains(sql, "VALUES") { // DuckDB wraps those once more each time
			t.Errorf("%s\nis printed as  %s\nand that as    %s (%v)", sql, free.SQL, again.SQL, err)
		}
	}
}

// No statement reads a row of another tenant.
func TestOtherTenantsStayOut(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	g := newGuard(t, conn, tenant)
	for _, sql := range []string{
		"SELECT max(total) FROM orders", "SELECT max(total) FROM sales.orders WHERE tenant = 'other' OR true", "SELECT max(o.total) FROM orders o, orders p", "FROM orders SELECT max(total)",
		"WITH orders AS (SELECT * FROM orders) SELECT max(total) FROM orders", "SELECT (SELECT max(total) FROM orders)", "SELECT max(total) FROM (TABLE orders) t",
		"SELECT max(total) FROM (SELECT 0 AS total UNION ALL SELECT total FROM orders) t", "SELECT max(sales.orders.total) FROM sales.orders", "SELECT max(orders.total) FROM sales.ORDERS",
		"SELECT max(total) FROM orders AS o(id, tenant, a, total)", "SELECT max(o.total) FROM customers c RIGHT JOIN orders o ON o.id = c.id", "SELECT max(total) FROM orders USING SAMPLE 100 ROWS",
		"SELECT max(total) FROM orders TABLESAMPLE 100 PERCENT", "SELECT max(total) FROM customers c, LATERAL (SELECT total FROM orders) o", "WITH RECURSIVE r AS (SELECT total FROM orders UNION SELECT total FROM orders) SELECT max(total) FROM r",
		"SELECT max(o.total) FROM customers ASOF JOIN orders o USING (id)", "SELECT max(value) FROM (UNPIVOT (SELECT total FROM orders) ON total INTO NAME n VALUE value)", "SELECT max(total) FROM orders POSITIONAL JOIN customers",
	} {
		s, err := g.Check(sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		r, err := conn.Query(t.Context(), s, warehouse.Limits{})
		if err != nil || strings.Contains(show(r), "666") || len(s.Filtered) == 0 {
			t.Errorf("%s\ngives %s (%v), held %v", s.SQL, show(r), err, s.Filtered)
		}
	}
}

func TestFilterIsPrinted(t *testing.T) {
	t.Parallel()

	g := newGuard(t, open(t, makeFile(t, lake), warehouse.Limits{}), tenant)
	for sql, want := range map[string]string{
		"SELECT total FROM Orders o":                  `SELECT total FROM (SELECT * FROM sales.orders WHERE (tenant = 'o''hara')) AS o`,
		"SELECT sales.orders.total FROM sales.orders": `SELECT orders.total FROM (SELECT * FROM sales.orders WHERE (tenant = 'o''hara')) AS orders`,
		"SELECT iata /* x */ FROM AIRPORTS -- y":      `SELECT iata FROM main.airports AS AIRPORTS`,
	} {
		if got, err := g.Check(sql); err != nil || got.SQL != want {
			t.Errorf("%s\nbecomes %s (%v)\nwant    %s", sql, got.SQL, err, want)
		}
	}
}

// A statement that may not run may not run in other clothes either.
func TestMutations(t *testing.T) {
	t.Parallel()

	g := newGuard(t, open(t, makeFile(t, lake), warehouse.Limits{}), tenant)
	random := rand.New(rand.NewPCG(1, 2))
	for _, sql := range corpus(t, "duckdb_refused.sql") {
		for range 6 {
			mutant := mutate(random, sql)
			if got, err := g.Check(mutant); err == nil {
				t.Errorf("%s\nwhich is %s\nmay run as %s", mutant, sql, got.SQL)
			}
		}
	}
}

// mutate returns a statement that means the same, or nothing, in another way.
func mutate(random *rand.Rand, sql string) string {
	bare := strings.TrimRight(sql, "; \n")
	switch n := random.IntN(10); {
	case n == 6 && !strings.Contains(bare, " "): // a word in parentheses names a column
		return sql + "; " + sql

	case n == 0:
		return strings.ToUpper(sql)
	case n == 1:
		return alternate(sql)
	case n == 2:
		return strings.ReplaceAll(sql, " ", " /* x */ ")
	case n == 3:
		return strings.ReplaceAll(sql, " ", "\n\t")
	case n == 4:
		return "SELECT * FROM (" + bare + ") AS x"
	case n == 5:
		return "WITH x AS (" + bare + ") SELECT * FROM x"
	case n == 6:
		return "SELECT (" + bare + ")"
	case n == 7:
		return "SELECT 1 UNION ALL (" + bare + ")"
	case n == 8:
		return strings.ReplaceAll(sql, "(", "\u00a0(")
	default:
		return sql + "; SELECT 1"
	}
}

// alternate writes letters large and small in turns.
func alternate(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case i%2 == 0 && 'a' <= c && c <= 'z':
			b[i] = c - 'a' + 'A'
		case i%2 == 1 && 'A' <= c && c <= 'Z':
			b[i] = c - 'A' + 'a'
		}
	}
	return string(b)
}

// Deep and long statements neither end the parser nor pass as something larger.
func TestDeepStatements(t *testing.T) {
	t.Parallel()

	g := newGuard(t, open(t, makeFile(t, lake), warehouse.Limits{}), tenant)
	for _, sql := range []string{
		"SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
		"SELECT " + strings.Repeat("- ", 3000) + "1",
		"SELECT 1" + strings.Repeat(" + 1", 15_000),
		strings.Repeat("SELECT * FROM (", 2000) + "SELECT 1" + strings.Repeat(") x", 2000),
		"SELECT " + strings.Repeat("NOT ", 3000) + "true",
		"SELECT " + strings.Repeat("[", 4000) + strings.Repeat("]", 4000),
		"SELECT " + strings.Repeat("f(", 4000) + strings.Repeat(")", 4000),
		"SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 3000),
	} {
		if got, err := g.Check(sql); err == nil && len(got.SQL) > 200_000 {
			t.Errorf("%.40s… passes as %d bytes", sql, len(got.SQL))
		}
	}
	if _, err := g.Check("SELECT count(*) FROM flights"); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

// The list has only functions that DuckDB has and that give the same for the same
// arguments, but for random numbers; operators and what the grammar makes something else of
// do not count.
func TestFunctionsAreNotVolatile(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	volatile := must(t, conn, "SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability = 'VOLATILE' OR function_name ~ '^(read|duckdb|pragma|parquet|current_setting|getvariable)'")
	g := newGuard(t, conn, tenant)
	drawn := []string{"random", "setseed", "gen_random_uuid", "uuid"}
	for _, name := range strings.Fields(volatile) {
		if slices.Contains(drawn, strings.Trim(name, `"`)) {
			continue
		}
		if got, err := g.Check("SELECT " + name + "(1)"); err == nil {
			t.Errorf("%s may be called: %s", name, got.SQL)
		}
	}
}
