//go:build duckdb && cgo

package duckdb_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"quaestor/research/warehouse"
)

// Past the guard nothing is written or read either but the data: the engine holds
// alone.
func TestPastTheGuard(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	csv := write(t, folder, "a.csv", "x\n1\n")
	other := write(t, t.TempDir(), "other.csv", "x\n1\n")
	file := makeFile(t, lake)
	for _, path := range []string{file, folder} {
		conn := open(t, path, warehouse.Limits{})
		before := fingerprint(t, path)
		for _, sql := range append(corpus(t, "duckdb_refused.sql"),
			"COPY (SELECT 1) TO '"+csv+"'", "COPY (SELECT 1) TO '"+other+"'", "FROM '"+other+"'", "FROM read_text('"+other+"')", "FROM glob('/*')",
			"ATTACH '"+file+"' AS again", "ATTACH '"+other+".db'", "SELECT 1; CREATE TABLE x (a INTEGER)", "CREATE TEMP TABLE x (a INTEGER)", "SELECT * FROM query('COPY (SELECT 1) TO ''"+csv+"''')",
			"SELECT * FROM enable_logging(storage := 'file', storage_path := '"+folder+"')", "FROM checkpoint()") {
			if _, err := conn.Query(t.Context(), statement(sql), warehouse.Limits{Time: 300 * time.Millisecond, Rows: 10}); err == nil && (sql == "FROM '"+other+"'" || sql == "FROM read_text('"+other+"')") {
				t.Errorf("%s may run", sql)
			}
		}
		for _, sql := range []string{"CREATE TABLE x (a INTEGER)", "CREATE TEMP TABLE x (a INTEGER)", "SET threads = 9", "PRAGMA threads = 9", "COPY (SELECT 1) TO '" + csv + "'", "SELECT 1; SELECT 2", "EXPLAIN ANALYZE SELECT 1", "BEGIN", "INSTALL httpfs", "CALL pragma_version()"} {
			if _, err := query(conn, sql); err == nil {
				t.Errorf("%s runs past the guard", sql)
			}
		}
		if after := fingerprint(t, path); after != before {
			t.Errorf("%s is changed", path)
		}
	}
}

// fingerprint is what the files at a path hold.
func fingerprint(t testing.TB, path string) string {
	t.Helper()
	var all string
	err := filepath.Walk(path, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		all += name + "\x00" + string(b) + "\x00"
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
