//go:build duckdb && cgo

package duckdb_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/duckdb"
)

// tables reads what a connection holds, one line a table.
func tables(t testing.TB, conn *duckdb.Conn, schemas ...string) []catalog.Table {
	t.Helper()
	var out []catalog.Table
	if err := conn.Tables(t.Context(), schemas, func(table catalog.Table) error { out = append(out, table); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func line(table catalog.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d", table.Ref(), table.Rows)
	if table.Comment != "" {
		fmt.Fprintf(&b, " (%s)", table.Comment)
	}
	for _, c := range table.Columns {
		fmt.Fprintf(&b, ", %s %s", c.Name, c.Type)
		for mark, on := range map[string]bool{"!": c.NotNull, "": false} {
			if on {
				b.WriteString(mark)
			}
		}
		if c.Key {
			b.WriteString(" key")
		}
		if c.Comment != "" {
			fmt.Fprintf(&b, " (%s)", c.Comment)
		}
	}
	for _, f := range table.Foreign {
		fmt.Fprintf(&b, " -> %s%v of %v", f.Table, f.To, f.Columns)
	}
	return b.String()
}

func TestTablesOfAFile(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, `
		CREATE TABLE "select" ("from" INTEGER PRIMARY KEY, "a b" VARCHAR NOT NULL, "😀" DECIMAL(10,2), "qu""ote" TIMESTAMPTZ, l INTEGER[], e ENUM('a', 'b'), s STRUCT(x INTEGER));
		INSERT INTO "select" VALUES (1, 'x', 1.5, now(), [1], 'a', {'x': 1}), (2, 'y', NULL, NULL, NULL, NULL, NULL);
		COMMENT ON TABLE "select" IS 'it''s odd'; COMMENT ON COLUMN "select"."a b" IS 'two words';
		CREATE SCHEMA "Übung"; CREATE TABLE "Übung"."t;--" (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
		CREATE TABLE "Übung".child (x INTEGER, y INTEGER, g INTEGER GENERATED ALWAYS AS (x + 1), FOREIGN KEY (x, y) REFERENCES "Übung"."t;--" (a, b));
		CREATE VIEW v AS SELECT count(*) AS n FROM "select";`), warehouse.Limits{})
	var got []string
	for _, table := range tables(t, conn) {
		got = append(got, line(table))
		r, err := conn.Sample(t.Context(), table, 5)
		if err != nil || len(r.Columns) != len(table.Columns) {
			t.Errorf("sample of %s: %+v (%v)", table.Ref(), r, err)
		}
	}
	want := []string{
		`main.select 2 (it's odd), from INTEGER! key, a b VARCHAR! (two words), 😀 DECIMAL(10,2), qu"ote TIMESTAMP WITH TIME ZONE, l INTEGER[], e ENUM('a', 'b'), s STRUCT(x INTEGER)`,
		`main.v -1, n BIGINT`,
		`Übung.child 0, x INTEGER, y INTEGER, g INTEGER -> Übung.t;--[a b] of [x y]`,
		`Übung.t;-- 0, a INTEGER! key, b INTEGER! key`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the tables are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if some := tables(t, conn, "Übung"); len(some) != 2 {
		t.Errorf("one schema has %d tables, want 2", len(some))
	}
}

func TestTenThousandColumns(t *testing.T) {
	t.Parallel()

	var b strings.Builder
	b.WriteString("CREATE TABLE wide (c0 INTEGER")
	for i := 1; i < 10_000; i++ {
		fmt.Fprintf(&b, ", c%d INTEGER", i)
	}
	conn := open(t, makeFile(t, b.String()+"); INSERT INTO wide (c9999) VALUES (7);"), warehouse.Limits{})
	list := tables(t, conn)
	if len(list) != 1 || len(list[0].Columns) != 10_000 || list[0].Columns[9999].Name != "c9999" {
		t.Fatalf("%d tables", len(list))
	}
	r, err := conn.Sample(t.Context(), list[0], 3)
	if err != nil || len(r.Columns) != 10_000 || r.Columns[9999].Ints[0] != 7 {
		t.Errorf("sample: %v", err)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	write(t, folder, "sales_2023.csv", "id,day,amount\n1,2023-01-02,1.5\n2,2023-01-03,\n")
	write(t, folder, "sales_2024.csv", "id,day,amount\n3,2024-01-02,2.5\n")
	write(t, folder, "Sales-2024.tsv", "id\tname\n1\ta b\n")
	write(t, folder, "events.jsonl", "{\"a\": 1, \"b\": \"x\", \"it's\": [1]}\n{\"a\": 2, \"b\": \"y\"}\n")
	write(t, folder, "list.json", `[{"k": 1}, {"k": 2}, {"k": 3}]`)
	write(t, folder, "O'Brien 😀.csv", "a,\"b c\"\n1,2\n")
	write(t, folder, "broken.parquet", "this is no parquet")
	write(t, folder, "notes.txt", "nothing")
	write(t, folder, ".hidden.csv", "a\n1\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("p,q\n1,2\n"))
	_ = z.Close()
	write(t, folder, "packed.csv.gz", packed.String())
	if err := duckdb.Make(newConnector(t), filepath.Join(t.TempDir(), "x.duckdb"), "COPY (SELECT range AS i FROM range(1000)) TO '"+filepath.Join(folder, "numbers.parquet")+"'"); err != nil {
		t.Fatal(err)
	}
	conn := open(t, folder, warehouse.Limits{})
	var got []string
	for _, table := range tables(t, conn) {
		got = append(got, line(table))
	}
	want := []string{
		"main.broken -1 (cannot be read: Invalid Input Error: No magic bytes found at end of file 'broken.parquet')",
		"main.events 2, a BIGINT, b VARCHAR, it's BIGINT[]", "main.list -1, k BIGINT", "main.numbers 1000, i BIGINT", "main.o_brien 1, a BIGINT, b c BIGINT", "main.packed -1, p BIGINT, q BIGINT",
		"main.sales_2023 2, id BIGINT, day DATE, amount DOUBLE", "main.sales_2024 1, id BIGINT, name VARCHAR", "main.sales_2024_2 1, id BIGINT, day DATE, amount DOUBLE",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the tables are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := must(t, conn, `SELECT sum(amount), max("day") FROM main.sales_2023`); got != "1.5|t1672704000000000\n" {
		t.Errorf("a query of a CSV file gives %q", got)
	}
	if got := must(t, conn, `SELECT sum(a), max("it's"[1]) FROM events`); got != "d3|1\n" {
		t.Errorf("a query of a JSON file gives %q", got)
	}
}

func TestOneFileOfAFolder(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	write(t, folder, "a.csv", "x\n1\n")
	other := write(t, folder, "b.csv", "x\n1\n")
	conn := open(t, filepath.Join(folder, "a.csv"), warehouse.Limits{})
	if list := tables(t, conn); len(list) != 1 || list[0].Name != "a" {
		t.Errorf("the tables are %v", list)
	}
	if _, err := query(conn, "FROM read_csv('"+other+"')"); warehouse.ClassOf(err) != warehouse.Forbidden {
		t.Errorf("another file of the folder gives %v", err)
	}
}

func TestBadPaths(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	c := newConnector(t)
	c.Roots = []string{folder}
	empty := filepath.Join(folder, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	write(t, outside, "a.csv", "x\n1\n")
	link := filepath.Join(folder, "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"sample": "make provision", "": "make provision", "relative/x.db": "must begin with /", filepath.Join(folder, "none.db"): "no file or folder", empty: "holds no CSV", outside: "may read data from", link: "may read data from",
		folder + "/../" + filepath.Base(outside): "may read data from",
	} {
		_, err := c.Open(t.Context(), warehouse.Settings{Options: map[string]string{"path": path}})
		if !fault.Is(err, fault.Unprocessable) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q gives %v, want a fault that says %q", path, err, want)
		}
	}
}

func TestFilesThatAreNone(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	for name, text := range map[string]string{"a.duckdb": "no database", "b.duckdb": "", "c/x.parquet": "no parquet"} {
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, folder, name, text)
		path := strings.TrimSuffix(filepath.Join(folder, name), "/x.parquet")
		conn, err := newConnector(t).Open(t.Context(), warehouse.Settings{Options: map[string]string{"path": path}})
		if err == nil {
			_ = conn.Close()
		}
		if warehouse.ClassOf(err) != warehouse.Unreachable || strings.Contains(err.Error(), folder) {
			t.Errorf("%s gives %v", name, err)
		}
	}
}

// A file that changes is looked at again by the next child; one that goes is a
// clear error, and the others stay.
func TestFilesThatChange(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	write(t, folder, "a.csv", "x\n1\n")
	gone := write(t, folder, "b.csv", "x\n1\n")
	conn := open(t, folder, warehouse.Limits{})
	if got := must(t, conn, "SELECT * FROM b"); got != "1\n" {
		t.Fatalf("before: %q", got)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	_, err := query(conn, "SELECT * FROM b")
	if warehouse.ClassOf(err) != warehouse.Unreachable || strings.Contains(err.Error(), folder) {
		t.Errorf("a file that is gone gives %v", err)
	}
	write(t, folder, "a.csv", "x,name\n1,new\n")
	end(t, conn)
	if got := must(t, conn, "SELECT name FROM a"); got != "new\n" {
		t.Errorf("after the change: %q", got)
	}
	if list := tables(t, conn); len(list) != 2 || list[1].Columns != nil || list[1].Comment == "" {
		t.Errorf("the tables are %v", list)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	write(t, folder, "a.csv", "x\n1\n")
	for _, path := range []string{makeFile(t, lake), folder} {
		r, err := open(t, path, warehouse.Limits{}).Rights(t.Context())
		if err != nil || r.CanWrite || !strings.HasPrefix(r.Server, "DuckDB v") || r.Role == "" {
			t.Errorf("%s gives %+v (%v)", path, r, err)
		}
	}
	if text := newConnector(t).Grant(warehouse.Settings{Options: map[string]string{"path": "/it's here"}}); !strings.Contains(text, `'/it'\''s here'`) {
		t.Errorf("the grant is %s", text)
	}
}

// A file that cannot be read says which it is, and where it is broken, without the text of the line.
func TestUnreadFileSaysWhy(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	write(t, folder, "customers.csv", "id,name\n1,Ada\n")
	write(t, folder, "orders.csv", "id,day,total\n"+strings.Repeat("1,2026-01-02,3.5\n", 40)+"2,2026-01-03,4.5,\"secret\r9\n"+strings.Repeat("1,2026-01-02,3.5\n", 40))
	for _, table := range tables(t, open(t, folder, warehouse.Limits{})) {
		switch broken := table.Name == "orders"; {
		case broken && (len(table.Columns) > 0 || !strings.HasPrefix(table.Unread, "The file orders.csv cannot be read: ") || strings.Contains(table.Unread, "secret") || strings.Contains(table.Unread, folder)):
			t.Errorf("the broken file is told as %q", table.Unread)
		case !broken && table.Unread != "":
			t.Errorf("%s is told as unread: %s", table.Name, table.Unread)
		case broken:
			t.Log(table.Unread, "\n", table.Comment)
		}
	}
}
