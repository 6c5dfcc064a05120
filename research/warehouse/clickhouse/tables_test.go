package clickhouse

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	"CREATE TABLE @.customers (id UInt64, at Date, country FixedString(2) COMMENT 'ISO 3166', score Nullable(Decimal(9, 2)), tags Array(String)) ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY (at, id)",
	"CREATE TABLE @.`select ``Odd 🚀` (`a b` Int8, `é\"x` DateTime, n Nested(x Int8, y String)) ENGINE = Memory",
	"CREATE TABLE @.empty (id UInt64) ENGINE = MergeTree ORDER BY id",
	"CREATE VIEW @.per_country AS SELECT country, count() AS n FROM @.customers GROUP BY country",
	"CREATE MATERIALIZED VIEW @.stored ENGINE = Memory AS SELECT id FROM @.customers",
	"INSERT INTO @.customers (id, at, country) SELECT number, toDate('2024-01-01') + number, 'DE' FROM (SELECT number FROM system.numbers LIMIT 250)",
}

func TestTables(t *testing.T) {
	t.Parallel()

	l := newLab(t, odd...)
	for _, user := range []string{"default", "reader"} {
		got := list(t, l.open(user))
		want := []catalog.Table{
			{Schema: l.name, Name: "customers", Rows: 250, Columns: []catalog.Column{
				{Name: "id", Type: "UInt64", NotNull: true, Key: true}, {Name: "at", Type: "Date", NotNull: true, Key: true}, {Name: "country", Type: "FixedString(2)", NotNull: true, Comment: "ISO 3166"}, {Name: "score", Type: "Nullable(Decimal(9, 2))"}, {Name: "tags", Type: "Array(String)", NotNull: true}}},
			{Schema: l.name, Name: "empty", Columns: []catalog.Column{{Name: "id", Type: "UInt64", NotNull: true, Key: true}}},
			{Schema: l.name, Name: "per_country", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "country", Type: "FixedString(2)", NotNull: true}, {Name: "n", Type: "UInt64", NotNull: true}}},
			{Schema: l.name, Name: "select `Odd 🚀", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "a b", Type: "Int8", NotNull: true}, {Name: `é"x`, Type: "DateTime", NotNull: true}, {Name: "n.x", Type: "Array(Int8)", NotNull: true}, {Name: "n.y", Type: "Array(String)", NotNull: true}}},
			{Schema: l.name, Name: "stored", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "id", Type: "UInt64", NotNull: true}}},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSampleOfOddNames(t *testing.T) {
	t.Parallel()

	l := newLab(t, append(odd, "INSERT INTO @.`select ``Odd 🚀` (`a b`) SELECT number FROM (SELECT number FROM system.numbers LIMIT 3)")...)
	r, err := l.open("reader").Sample(t.Context(), catalog.Table{Schema: l.name, Name: "select `Odd 🚀"}, 2)
	if err != nil || r.Rows != 2 || r.Columns[0].Ints[1] != 1 || r.Columns[1].Name != `é"x` {
		t.Errorf("sample: %+v, %v", r, err)
	}
}

// The caller stops the list with its own error.
func TestTablesStop(t *testing.T) {
	t.Parallel()

	c, enough, n := newLab(t, odd...).open("default"), errors.New("enough"), 0
	err := c.Tables(t.Context(), nil, func(catalog.Table) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("Tables = %v after %d tables, want the caller's error after 1", err, n)
	}
	works(t, c)
}

func TestManyTables(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for i := range 2000 {
		l.exec(fmt.Sprintf("CREATE TABLE @.t%04d (id UInt64, a String, b Date) ENGINE = Memory", i))
	}
	if got := list(t, l.open("default"), l.name, `x' OR '1'='1`, `y\`); len(got) != 2000 || got[1999].Name != "t1999" || len(got[7].Columns) != 3 {
		t.Errorf("%d tables", len(got))
	}
}
