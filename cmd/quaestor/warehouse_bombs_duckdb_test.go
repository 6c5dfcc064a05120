//go:build duckdb

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
)

// folderOfFiles writes a shop of two files and returns where.
func folderOfFiles(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var orders, customers strings.Builder
	orders.WriteString("id,customer_id,status,total,placed_at\n")
	for i := range 4000 {
		fmt.Fprintf(&orders, "%d,%d,%s,%d.%02d,2024-%02d-%02d\n", i, i%300, []string{"paid", "sent", "returned"}[i%3], i%90, i%100, 1+i/400, 1+i%28)
	}
	customers.WriteString("id,country,segment\n")
	for i := range 300 {
		fmt.Fprintf(&customers, "%d,%s,%s\n", i, []string{"DE", "FR", "US"}[i%3], []string{"retail", "partner"}[i%2])
	}
	for name, text := range map[string]string{"orders.csv": orders.String(), "customers.csv": customers.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files describes a folder as a warehouse.
func files(dir string) connections.Draft {
	return connections.Draft{Name: "Files", Kind: warehouse.DuckDB, Options: map[string]string{"path": dir}}
}

// TestBombsOverDuckDB has each bomb end within its limits, and the child work on or
// be replaced.
func TestBombsOverDuckDB(t *testing.T) {
	queries := hostile(func(i int) string {
		return fmt.Sprintf("SELECT status, COUNT(*) AS orders FROM orders GROUP BY status ORDER BY status LIMIT %d", 3+i)
	})
	for i := range queries {
		queries[i] = strings.ReplaceAll(queries[i], "shop.", "")
	}
	o := newOutpost(t, Settings{}, script{lines: asking(queries...)})
	draft := files(folderOfFiles(t))
	draft.Limits.Time = bombLimit
	draft.Limits.Memory = 256 << 20
	_, project := o.connect(draft)
	checkBombs(t, o, project, queries)
}
