package pgwire

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// list returns the tables of schemas.
func list(t *testing.T, c warehouse.Conn, schemas ...string) []catalog.Table {
	t.Helper()
	var out []catalog.Table
	err := c.Tables(t.Context(), schemas, func(table catalog.Table) error {
		out = append(out, table)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// odd is a catalog of what names and tables can be.
var odd = []string{
	`CREATE SCHEMA "Odd ""schema"""`,
	`CREATE SCHEMA sales`,
	`CREATE TYPE sales.mood AS ENUM ('sad', 'glad')`,
	`CREATE TABLE sales.customers (id bigint PRIMARY KEY, country char(2) NOT NULL DEFAULT 'DE', mood sales.mood, tags text[], doc jsonb)`,
	`COMMENT ON TABLE sales.customers IS 'who buys; "quoted"'`,
	`COMMENT ON COLUMN sales.customers.country IS 'ISO 3166'`,
	`CREATE TABLE sales.lines ("order" int, line int, customer_id bigint REFERENCES sales.customers, total numeric(12, 2), twice numeric GENERATED ALWAYS AS (total * 2) STORED, PRIMARY KEY ("order", line))`,
	`CREATE TABLE "Odd ""schema""".🚀 ("select" int, "a b" text, "é""x" timestamptz, dropped int, order_no int, line_no int, FOREIGN KEY (order_no, line_no) REFERENCES sales.lines)`,
	`ALTER TABLE "Odd ""schema""".🚀 DROP COLUMN dropped`,
	`CREATE TABLE sales.nothing ()`,
	`CREATE TABLE sales.parts (at date, n int) PARTITION BY RANGE (at)`,
	`CREATE TABLE sales.parts_2024 PARTITION OF sales.parts FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')`,
	`INSERT INTO sales.parts SELECT '2024-01-01', g FROM generate_series(1, 30) g`,
	`CREATE VIEW sales.per_country AS SELECT country, count(*) AS n FROM sales.customers GROUP BY 1`,
	`CREATE MATERIALIZED VIEW sales.stored AS SELECT g AS n FROM generate_series(1, 7) g`,
	`INSERT INTO sales.customers SELECT g FROM generate_series(1, 250) g`,
	`ANALYZE sales.customers, sales.parts_2024, sales.stored`,
}

func TestTables(t *testing.T) {
	t.Parallel()

	got := list(t, newLab(t, odd...).open(""), "sales", `Odd "schema"`)
	want := []catalog.Table{
		{Schema: `Odd "schema"`, Name: "🚀", Rows: catalog.UnknownRows, Columns: []catalog.Column{
			{Name: "select", Type: "integer"}, {Name: "a b", Type: "text"}, {Name: `é"x`, Type: "timestamp with time zone"}, {Name: "order_no", Type: "integer"}, {Name: "line_no", Type: "integer"}},
			Foreign: []catalog.Foreign{{Columns: []string{"order_no", "line_no"}, Table: "sales.lines", To: []string{"order", "line"}}}},
		{Schema: "sales", Name: "customers", Comment: `who buys; "quoted"`, Rows: 250, Columns: []catalog.Column{
			{Name: "id", Type: "bigint", NotNull: true, Key: true}, {Name: "country", Type: "character(2)", NotNull: true, Comment: "ISO 3166"}, {Name: "mood", Type: "sales.mood"}, {Name: "tags", Type: "text[]"}, {Name: "doc", Type: "jsonb"}}},
		{Schema: "sales", Name: "lines", Rows: catalog.UnknownRows, Columns: []catalog.Column{
			{Name: "order", Type: "integer", NotNull: true, Key: true}, {Name: "line", Type: "integer", NotNull: true, Key: true}, {Name: "customer_id", Type: "bigint"}, {Name: "total", Type: "numeric(12,2)"}, {Name: "twice", Type: "numeric"}},
			Foreign: []catalog.Foreign{{Columns: []string{"customer_id"}, Table: "sales.customers", To: []string{"id"}}}},
		{Schema: "sales", Name: "nothing", Rows: catalog.UnknownRows},
		{Schema: "sales", Name: "parts", Rows: 30, Columns: []catalog.Column{{Name: "at", Type: "date"}, {Name: "n", Type: "integer"}}},
		{Schema: "sales", Name: "per_country", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "country", Type: "character(2)"}, {Name: "n", Type: "bigint"}}},
		{Schema: "sales", Name: "stored", Rows: 7, Columns: []catalog.Column{{Name: "n", Type: "integer"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSampleOfOddNames(t *testing.T) {
	t.Parallel()

	c := newLab(t, append(odd, `INSERT INTO "Odd ""schema""".🚀 ("select", "a b") VALUES (1, 'x'), (2, 'y'), (3, 'z')`)...).open("")
	r, err := c.Sample(t.Context(), catalog.Table{Schema: `Odd "schema"`, Name: "🚀"}, 2)
	if err != nil || r.Rows != 2 || r.Columns[1].Strings[1] != "y" || r.Columns[2].Name != `é"x` {
		t.Errorf("sample: %+v, %v", r, err)
	}
}

// A role sees the tables and columns that it may read.
func TestTablesOfARole(t *testing.T) {
	t.Parallel()

	l := newLab(t, odd...)
	got := list(t, l.open(l.role("GRANT USAGE ON SCHEMA sales TO %", "GRANT SELECT ON sales.stored TO %", "GRANT SELECT (id, country) ON sales.customers TO %")))
	if len(got) != 2 || got[0].Name != "customers" || len(got[0].Columns) != 2 || got[1].Name != "stored" {
		t.Errorf("the role sees %+v", got)
	}
}

// The caller stops the list with its own error.
func TestTablesStop(t *testing.T) {
	t.Parallel()

	c, enough, n := newLab(t, odd...).open(""), errors.New("enough"), 0
	err := c.Tables(t.Context(), nil, func(catalog.Table) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("Tables = %v after %d tables, want the caller's error after 1", err, n)
	}
	works(t, c)
}

func TestManyTables(t *testing.T) {
	t.Parallel()

	l := newLab(t, "CREATE SCHEMA many")
	var batch pgx.Batch
	for i := range 2000 {
		batch.Queue(fmt.Sprintf("CREATE TABLE many.t%04d (id int PRIMARY KEY, a text, b date)", i))
	}
	if err := l.super.SendBatch(t.Context(), &batch).Close(); err != nil {
		t.Fatal(err)
	}
	got := list(t, l.open(""), "many")
	if len(got) != 2000 || got[1999].Name != "t1999" || len(got[7].Columns) != 3 || !got[7].Columns[0].Key {
		t.Errorf("%d tables", len(got))
	}
}
