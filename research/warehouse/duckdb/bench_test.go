//go:build duckdb && cgo

package duckdb_test

import (
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
)

// A scan of 100,000 rows of five columns, from the child into columns.
func BenchmarkScan(b *testing.B) {
	conn := open(b, makeFile(b, lake), warehouse.Limits{})
	const sql = "SELECT range AS i, range / 3 AS f, TIMESTAMP '2001-01-01' + to_minutes(range) AS t, 'origin' || range % 300 AS o, range % 2 = 0 AS b FROM range(100000)"
	b.ReportAllocs()
	for b.Loop() {
		if r, err := query(conn, sql); err != nil || r.Rows != 100_000 {
			b.Fatalf("%v (%v)", r, err)
		}
	}
}

func BenchmarkGuard(b *testing.B) {
	g := newGuard(b, open(b, makeFile(b, lake), warehouse.Limits{}), tenant)
	const sql = `WITH firsts AS (SELECT customer_id, min(placed_at) AS first FROM orders GROUP BY 1)
		SELECT date_trunc('week', first) AS week, count(*) AS n, sum(o.total) FILTER (WHERE o.status = 'paid') FROM firsts f JOIN orders o USING (customer_id) GROUP BY 1 ORDER BY 1`
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Check(sql); err != nil {
			b.Fatal(err)
		}
	}
}

// A child that is started for one statement.
func BenchmarkStart(b *testing.B) {
	path := makeFile(b, lake)
	for b.Loop() {
		conn := open(b, path, warehouse.Limits{})
		if _, err := conn.Query(b.Context(), guard.Statement{SQL: "SELECT 1"}, warehouse.Limits{}); err != nil {
			b.Fatal(err)
		}
		_ = conn.Close()
	}
}
