//go:build duckdb

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
)

// folderOfFiles writes a shop of three files and returns where.
func folderOfFiles(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var orders, customers, products strings.Builder
	orders.WriteString("id,customer_id,product_id,status,channel,quantity,total,placed_at,shipped_at\n")
	placed := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 4000 {
		at := placed.Add(time.Duration(i*100+i*i/50) * time.Minute)
		fmt.Fprintf(&orders, "%d,%d,%d,%s,%s,%d,%d.%02d,%s,%s\n", i, i*i%300, i*7%120, []string{"paid", "sent", "returned"}[i%7%3], []string{"web", "app"}[i/5%2], 1+i%6, i%90, i%100,
			at.Format(time.DateTime), at.Add(time.Duration(1+i%9)*13*time.Hour).Format(time.DateTime))
	}
	customers.WriteString("id,country,segment,signed_up_on\n")
	for i := range 300 {
		fmt.Fprintf(&customers, "%d,%s,%s,%s\n", i, []string{"DE", "FR", "US"}[i%3], []string{"retail", "partner"}[i%2], placed.AddDate(0, 0, -i).Format(time.DateOnly))
	}
	products.WriteString("id,name,category,price,weight_kg\n")
	for i := range 120 {
		fmt.Fprintf(&products, "%d,Product %d,%s,%d.50,%d.%d\n", i, i, []string{"toys", "books", "garden"}[i%3], 5+i*37%200, i%4, i%10)
	}
	for name, text := range map[string]string{"orders.csv": orders.String(), "customers.csv": customers.String(), "products.csv": products.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files describes a folder as a warehouse.
func files(dir string) connections.Spec {
	return connections.Spec{Name: "Files", Kind: warehouse.DuckDB, Options: map[string]string{"path": dir}}
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
	o := newRemoteServer(t, Settings{}, script{lines: asking(queries...)})
	draft := files(folderOfFiles(t))
	draft.Limits.Time = bombLimit
	draft.Limits.Memory = 256 << 20
	_, project := o.connect(draft)
	checkBombs(t, o, project, queries)
}
