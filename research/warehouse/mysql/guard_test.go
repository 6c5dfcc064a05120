package mysql

import (
	"os"
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// onlyMySQL are parts of statements that MySQL 8 runs and MariaDB 10.11 does not,
// needs a full-text index for, or (INSERT) is printed with a name it does not know.
var onlyMySQL = []string{"LEAD(total, 2, 0)", "RANGE BETWEEN INTERVAL", "VALUES ROW(", "LATERAL (", "AS JSON)", "WITH ROLLUP HAVING", "MATCH (", "INSERT('abc'"}

// Everything that analysts write and the guard lets pass runs on MariaDB as the
// guard prints it.
func TestAcceptedRuns(t *testing.T) {
	t.Parallel()

	l := newLab(t, "CREATE DATABASE sales CHARACTER SET utf8mb4", "CREATE DATABASE public CHARACTER SET utf8mb4",
		"CREATE TABLE sales.orders (id bigint, tenant varchar(20), customer_id bigint, total decimal(12, 2), status varchar(20), placed_at datetime, details longtext)",
		"CREATE TABLE sales.customers (id bigint, tenant varchar(20), country char(2))", "CREATE TABLE public.`Odd Table` (`a b` int, `select` int)",
		"INSERT INTO sales.orders VALUES (1, 'o''hara', 1, 10, 'paid', '2026-01-02', '{\"a\": {\"b\": 1}}'), (2, 'o''hara', 2, 20, 'sent', '2026-02-03', '{}'), (3, 'other', 3, 666, 'paid', '2026-03-04', '{}')",
		"INSERT INTO sales.customers VALUES (1, 'o''hara', 'DE'), (3, 'other', 'XX')")
	g, err := guard.New(guard.Policy{Dialect: guard.MariaDB, Schemas: []string{"sales", "public"}, Filter: guard.Filter{Column: "tenant", Value: "o'hara"}, Relations: []guard.Relation{
		{Schema: "sales", Name: "orders", Columns: []string{"id", "tenant", "customer_id", "total", "status", "placed_at", "details"}},
		{Schema: "sales", Name: "customers", Columns: []string{"id", "tenant", "country"}}, {Schema: "public", Name: "Odd Table", Columns: []string{"a b", "select"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../guard/testdata/mysql_accepted.sql")
	if err != nil {
		t.Fatal(err)
	}
	c, ran := l.open(""), 0
	for _, sql := range strings.Split(string(data), "\n\n") {
		s, err := g.Check(sql)
		if err != nil || slices.ContainsFunc(onlyMySQL, func(part string) bool { return strings.Contains(sql, part) }) {
			continue // the guard's own test says so
		}
		ran++
		if _, err := c.Query(t.Context(), s, warehouse.Limits{}); err != nil {
			t.Errorf("%s\nprinted as %s\nfails: %v", sql, s.SQL, err)
		}
	}
	if ran < 50 {
		t.Errorf("only %d statements ran", ran)
	}
}

// What foreign keys tie to one tenant is read through them: no row of another's comes out.
func TestTiesHold(t *testing.T) {
	t.Parallel()

	l := newLab(t, "CREATE DATABASE shop CHARACTER SET utf8mb4",
		"CREATE TABLE shop.orders (id bigint PRIMARY KEY, tenant varchar(20))", "INSERT INTO shop.orders VALUES (1, 'ours'), (2, 'OURS'), (3, 'theirs'), (4, 'ours')",
		"CREATE TABLE shop.items (id bigint PRIMARY KEY, order_id bigint, what varchar(20), FOREIGN KEY (order_id) REFERENCES shop.orders (id))",
		"INSERT INTO shop.items VALUES (1, 1, 'cup'), (2, 2, 'SECRET'), (3, 3, 'SECRET'), (4, NULL, 'SECRET'), (5, 4, 'tea')",
		"CREATE TABLE shop.moves (source bigint, target bigint, why varchar(20), FOREIGN KEY (source) REFERENCES shop.items (id), FOREIGN KEY (target) REFERENCES shop.items (id))",
		"INSERT INTO shop.moves VALUES (1, 5, 'merge'), (1, NULL, 'split'), (1, 2, 'SECRET'), (NULL, NULL, 'SECRET')")
	c := l.open("")
	p := guard.Policy{Dialect: guard.MariaDB, Schemas: []string{"shop"}, Filter: guard.Filter{Column: "tenant", Value: "ours"}, Close: true}
	err := c.Tables(t.Context(), []string{"shop"}, func(table catalog.Table) error {
		r := guard.Relation{Schema: table.Schema, Name: table.Name}
		for _, column := range table.Columns {
			r.Columns = append(r.Columns, column.Name)
		}
		for _, f := range table.Foreign {
			r.Keys = append(r.Keys, guard.Key{Columns: f.Columns, Table: f.Table, To: f.To})
		}
		p.Relations = append(p.Relations, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := guard.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]int64{
		"SELECT count(*) FROM items": 2, "SELECT count(*) FROM moves": 2, "SELECT count(*) FROM moves m JOIN items i ON TRUE WHERE i.what = 'SECRET' OR m.why = 'SECRET'": 0,
		"WITH x AS (SELECT * FROM items) SELECT count(*) FROM x": 2, "SELECT count(*) FROM (SELECT what FROM items UNION ALL SELECT why FROM moves) u": 4,
	} {
		s, err := g.Check(sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if got, err := c.Query(t.Context(), s, warehouse.Limits{}); err != nil || got.Columns[0].Ints[0] != want {
			t.Errorf("%s\nprinted as %s\ngives %+v, %v; want %d", sql, s.SQL, got, err, want)
		}
	}
}
