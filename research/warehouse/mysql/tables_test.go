package mysql

import (
	"errors"
	"fmt"
	"strings"
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
	"CREATE TABLE customers (id bigint unsigned PRIMARY KEY AUTO_INCREMENT, country char(2) NOT NULL DEFAULT 'DE' COMMENT 'ISO 3166', mood enum('sad', 'it''s'), doc json) COMMENT 'who buys; \"quoted\"'",
	"CREATE TABLE `lines` (`order` int, line int, customer_id bigint unsigned, total decimal(12, 2), twice decimal(13, 2) AS (total * 2) STORED, PRIMARY KEY (`order`, line), FOREIGN KEY (customer_id) REFERENCES customers (id))",
	"CREATE TABLE `Odd ``näme` (`select` int, `a b` text, `é\"x` timestamp NULL, order_no int, line_no int, FOREIGN KEY (order_no, line_no) REFERENCES `lines` (`order`, line))",
	"CREATE TABLE gone (id int)", "CREATE VIEW broken AS SELECT id FROM gone", "DROP TABLE gone",
	"CREATE VIEW per_country AS SELECT country, count(*) AS n FROM customers GROUP BY 1",
	"INSERT INTO customers (id) SELECT seq FROM seq_1_to_250", "ANALYZE TABLE customers",
}

func TestTables(t *testing.T) {
	t.Parallel()

	l := newLab(t, odd...)
	got := list(t, l.open(""))
	want := []catalog.Table{
		{Schema: l.name, Name: "Odd `näme", Columns: []catalog.Column{
			{Name: "select", Type: "int(11)"}, {Name: "a b", Type: "text"}, {Name: `é"x`, Type: "timestamp"}, {Name: "order_no", Type: "int(11)"}, {Name: "line_no", Type: "int(11)"}},
			Foreign: []catalog.Foreign{{Columns: []string{"order_no", "line_no"}, Table: l.name + ".lines", To: []string{"order", "line"}}}},
		{Schema: l.name, Name: "broken", Rows: catalog.UnknownRows},
		{Schema: l.name, Name: "customers", Comment: `who buys; "quoted"`, Rows: 250, Columns: []catalog.Column{
			{Name: "id", Type: "bigint(20) unsigned", NotNull: true, Key: true}, {Name: "country", Type: "char(2)", NotNull: true, Comment: "ISO 3166"}, {Name: "mood", Type: "enum('sad','it''s')"}, {Name: "doc", Type: "longtext"}}},
		{Schema: l.name, Name: "lines", Columns: []catalog.Column{
			{Name: "order", Type: "int(11)", NotNull: true, Key: true}, {Name: "line", Type: "int(11)", NotNull: true, Key: true}, {Name: "customer_id", Type: "bigint(20) unsigned"}, {Name: "total", Type: "decimal(12,2)"}, {Name: "twice", Type: "decimal(13,2)"}},
			Foreign: []catalog.Foreign{{Columns: []string{"customer_id"}, Table: l.name + ".customers", To: []string{"id"}}}},
		{Schema: l.name, Name: "per_country", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "country", Type: "char(2)", NotNull: true, Comment: "ISO 3166"}, {Name: "n", Type: "bigint(21)", NotNull: true}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSampleOfOddNames(t *testing.T) {
	t.Parallel()

	l := newLab(t, append(odd, "INSERT INTO `Odd ``näme` (`select`, `a b`) VALUES (1, 'x'), (2, 'y'), (3, 'z')")...)
	r, err := l.open("").Sample(t.Context(), catalog.Table{Schema: l.name, Name: "Odd `näme"}, 2)
	if err != nil || r.Rows != 2 || r.Columns[1].Strings[1] != "y" || r.Columns[2].Name != `é"x` {
		t.Errorf("sample: %+v, %v", r, err)
	}
}

// A role sees the tables and columns that it may read.
func TestTablesOfARole(t *testing.T) {
	t.Parallel()

	l := newLab(t, odd...)
	got := list(t, l.open(l.role("GRANT SELECT ON @.per_country TO %", "GRANT SELECT (id, country) ON @.customers TO %")))
	if len(got) != 2 || got[0].Name != "customers" || len(got[0].Columns) != 2 || got[1].Name != "per_country" {
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

	l := newLab(t)
	views := []string{"CREATE TABLE t0000 (id int PRIMARY KEY, a text, b date) ENGINE=Aria"}
	for i := 1; i < 2000; i++ {
		views = append(views, fmt.Sprintf("CREATE TABLE t%04d LIKE t0000", i))
	}
	l.exec(views...)
	got := list(t, l.open(""))
	if len(got) != 2000 || got[1999].Name != "t1999" || len(got[7].Columns) != 3 || !got[7].Columns[0].Key {
		t.Errorf("%d tables", len(got))
	}
}

// Names are literals, whatever is in them.
func TestLiterals(t *testing.T) {
	t.Parallel()

	l := newLab(t, "CREATE TABLE t (id int)")
	if got := list(t, l.open(""), `x' OR '1'='1`, `y\`, l.name); len(got) != 1 || !strings.HasSuffix(got[0].Ref(), ".t") {
		t.Errorf("tables are %+v", got)
	}
}
