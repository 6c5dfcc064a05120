//go:build duckdb && cgo

package duckdb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/duckdb"
	"quaestor/research/warehouse/guard"
)

// TestMain is also the child that reads files, and one that answers nonsense.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "child":
			os.Exit(duckdb.Child(os.Stdin, os.Stdout))
		case "child-nonsense":
			_, _ = os.Stdout.WriteString("b\x04\x00\x00\x00\xff\xff\xff\xff")
			select {}
		}
	}
	goleak.VerifyTestMain(m)
}

// newConnector returns a connector whose child is this test.
func newConnector(t testing.TB) *duckdb.Connector {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &duckdb.Connector{Child: []string{program, "child"}}
}

// open opens a path, within limits.
func open(t testing.TB, path string, l warehouse.Limits) *duckdb.Conn {
	t.Helper()
	conn, err := newConnector(t).Open(context.Background(), warehouse.Settings{Options: map[string]string{"path": path}, Limits: l})
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn.(*duckdb.Conn)
}

// makeFile makes a DuckDB file of a script.
func makeFile(t testing.TB, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lake.duckdb")
	if err := duckdb.Make(newConnector(t), path, script); err != nil {
		t.Fatalf("make %s: %v", path, err)
	}
	return path
}

// write writes a file of a folder.
func write(t testing.TB, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// query runs a statement past the guard.
func query(conn warehouse.Conn, sql string) (*warehouse.Result, error) {
	return conn.Query(context.Background(), guard.Statement{SQL: sql}, warehouse.Limits{})
}

// show writes a result as text: rows by lines, null as such.
func show(r *warehouse.Result) string {
	var b strings.Builder
	for row := range r.Rows {
		for i := range r.Columns {
			if i > 0 {
				b.WriteByte('|')
			}
			b.WriteString(cell(r, i, row))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func cell(r *warehouse.Result, i, row int) string {
	c := &r.Columns[i]
	switch {
	case c.Null != nil && c.Null[row]:
		return "null"
	case c.Ints != nil:
		return fmt.Sprint(c.Ints[row])
	case c.Floats != nil:
		return fmt.Sprint(c.Floats[row])
	case c.Bools != nil:
		return fmt.Sprint(c.Bools[row])
	case c.Strings != nil:
		return c.Strings[row]
	case c.Decimals != nil:
		return "d" + c.Decimals[row]
	case c.Micros != nil:
		return fmt.Sprintf("t%d", c.Micros[row])
	default:
		return fmt.Sprintf("%T %s", c.Values[row], c.Values[row])
	}
}

// must runs a statement that has to succeed.
func must(t testing.TB, conn warehouse.Conn, sql string) string {
	t.Helper()
	r, err := query(conn, sql)
	if err != nil {
		t.Fatalf("%.200s: %v", sql, err)
	}
	return show(r)
}

func statement(sql string) guard.Statement { return guard.Statement{SQL: sql} }
