//go:build duckdb

package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // writes the file
)

// TestTPCHInDuckDBIsExplored does in a file of DuckDB what TestTPCHIsExplored does in servers.
func TestTPCHInDuckDBIsExplored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tpch.duckdb")
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range duckdbWriting.tpch(tpchOrders()) {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	want := map[string]float64{}
	for _, q := range tpchQuestions {
		var n float64
		if err := db.QueryRowContext(t.Context(), "SELECT CAST(("+strings.ReplaceAll(q.sql, "T.", "")+") AS double)").Scan(&n); err != nil {
			t.Fatal(err)
		}
		want[q.sql] = n
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	newRemoteServer(t, Settings{}, nil).tpch(files(path), func(sql string) float64 { return want[sql] })
}
