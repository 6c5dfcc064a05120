//go:build duckdb

package insight_test

import (
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/insight"
)

func init() { engines["duckdb"] = duck }

// duck loads a warehouse into DuckDB.
func duck(t *testing.T, g grown) (guard.Dialect, insight.Asker) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA w"); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, table := range g.tables {
		path := filepath.Join(folder, table.name+".csv")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := csv.NewWriter(f)
		for _, row := range table.rows {
			line := make([]string, len(row))
			for i, v := range row {
				switch v := v.(type) {
				case nil:
				case time.Time:
					line[i] = v.Format("2006-01-02 15:04:05.999999")
				default:
					line[i] = fmt.Sprint(v)
				}
			}
			if err := w.Write(line); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		var columns []string
		for _, c := range table.columns {
			columns = append(columns, fmt.Sprintf(`%q %s`, c.Name, c.Type))
		}
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf(`CREATE TABLE w.%q (%s)`, table.name, strings.Join(columns, ", "))); err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf(`COPY w.%q FROM '%s' (HEADER false)`, table.name, path)); err != nil {
			t.Fatal(err)
		}
	}
	return guard.DuckDB, askDuck(db)
}

func askDuck(db *sql.DB) insight.Asker {
	return func(ctx context.Context, _, query string) (*warehouse.Result, error) {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, query)
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
		return &warehouse.Result{Columns: digest.FromRows(names, cells), Rows: len(cells)}, rows.Err()
	}
}

// TestFiles prints what is found in a folder of files; only by hand.
func TestFiles(t *testing.T) {
	folder := os.Getenv("INSIGHT_FILES")
	if folder == "" {
		return
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var tables []catalog.Table
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))
		if _, err := db.Exec(fmt.Sprintf(`CREATE TABLE %q AS SELECT * FROM '%s'`, name, f)); err != nil {
			continue
		}
		rows, err := db.Query(fmt.Sprintf(`DESCRIBE %q`, name))
		if err != nil {
			t.Fatal(err)
		}
		table := catalog.Table{Name: name, Rows: -1}
		for rows.Next() {
			var c catalog.Column
			var x any
			if err := rows.Scan(&c.Name, &c.Type, &x, &x, &x, &x); err != nil {
				t.Fatal(err)
			}
			table.Columns = append(table.Columns, c)
		}
		tables = append(tables, table)
	}
	ask := askDuck(db)
	f := insight.NewFinder(guard.DuckDB, catalog.NewIndex(tables), len(tables), ask)
	for _, table := range tables {
		begin := time.Now()
		found, err := f.Find(t.Context(), table.Name)
		t.Logf("%s: %d insights, %d tests, %v %v %v", table.Name, len(found.Insights), found.Tests, err, found.Left, time.Since(begin))
		for _, i := range found.Insights {
			review, err := insight.Check(t.Context(), &i, ask)
			t.Logf("%s\n%v", story(i), err)
			t.Logf("  review %s %s", review.Status, review.Reason)
		}
	}
}
