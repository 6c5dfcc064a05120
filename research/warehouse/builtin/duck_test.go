//go:build duckdb

package builtin

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// duck asks DuckDB about the files of a folder.
func duck(t *testing.T, folder string) asker {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for table, file := range map[string]string{"flights": "flights-3m.parquet", "airports": "airports.csv", "birdstrikes": "birdstrikes.csv", "seattle_weather": "seattle-weather.csv"} {
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE TABLE %s AS SELECT * FROM '%s'", table, filepath.Join(folder, file))); err != nil {
			t.Fatal(err)
		}
	}
	return func(t testing.TB, query string) (*digest.CompactResult, error) {
		rows, err := db.QueryContext(t.Context(), query)
		if err != nil {
			return nil, warehouse.NewQueryError(warehouse.OtherError, err.Error(), "", err)
		}
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		var cells [][]any
		for rows.Next() {
			row, to := make([]any, len(names)), make([]any, len(names))
			for i := range row {
				to[i] = &row[i]
			}
			if err := rows.Scan(to...); err != nil {
				return nil, err
			}
			cells = append(cells, row)
		}
		return digest.Compact(digest.FromRows(names, cells), digest.Mask{Key: []byte("sample")}), rows.Err()
	}
}
