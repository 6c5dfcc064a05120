//go:build duckdb && cgo

package duckdb_test

import (
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// tiedLake is a shop in which only orders name the customer. What is another's says so.
const tiedLake = `
CREATE SCHEMA shop;
CREATE TABLE shop.customers (id VARCHAR PRIMARY KEY, name VARCHAR);
INSERT INTO shop.customers VALUES ('o''hara', 'Ann'), ('other', 'SECRET Bob');
CREATE TABLE shop.products (id INTEGER PRIMARY KEY, name VARCHAR);
INSERT INTO shop.products VALUES (1, 'SECRET price list');
CREATE TABLE shop.calendar (day INTEGER);
INSERT INTO shop.calendar VALUES (1), (2);
CREATE TABLE shop.orders (id INTEGER PRIMARY KEY, customer_id VARCHAR REFERENCES shop.customers (id), note VARCHAR);
INSERT INTO shop.orders VALUES (1, 'o''hara', 'tea'), (2, 'other', 'SECRET order'), (3, 'o''hara', 'milk'), (4, NULL, 'SECRET nobody');
CREATE TABLE shop.lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES shop.orders (id), product_id INTEGER REFERENCES shop.products (id), what VARCHAR);
INSERT INTO shop.lines VALUES (1, 1, 1, 'cup'), (2, 2, 1, 'SECRET line'), (3, 3, 1, 'spoon'), (4, NULL, 1, 'SECRET loose line'), (5, 4, 1, 'SECRET line of nobody');
CREATE TABLE shop.notes (line INTEGER REFERENCES shop.lines (id), text VARCHAR);
INSERT INTO shop.notes VALUES (1, 'fragile'), (2, 'SECRET note'), (NULL, 'SECRET note of nothing');
CREATE TABLE shop.moves (source INTEGER REFERENCES shop.orders (id), target INTEGER REFERENCES shop.orders (id), why VARCHAR);
INSERT INTO shop.moves VALUES (1, 3, 'merge'), (1, NULL, 'split'), (1, 2, 'SECRET move'), (2, 2, 'SECRET'), (NULL, NULL, 'SECRET');`

// tiedGuard returns the guard of the shop for one customer.
func tiedGuard(t *testing.T) (*guard.Guard, func(sql string) string) {
	t.Helper()
	conn := open(t, makeFile(t, tiedLake), warehouse.Limits{})
	p := guard.Policy{Dialect: guard.DuckDB, Schemas: []string{"shop"}, Filter: guard.Filter{Column: "customer_id", Value: "o'hara"}, Close: true, Parser: conn}
	err := conn.Tables(t.Context(), nil, func(table catalog.Table) error {
		r := guard.Relation{Schema: table.Schema, Name: table.Name, Open: table.Name == "calendar"}
		for _, c := range table.Columns {
			r.Columns = append(r.Columns, c.Name)
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
	return g, func(sql string) string { return must(t, conn, sql) }
}

func TestNoRowOfAnotherCustomer(t *testing.T) {
	t.Parallel()

	g, ask := tiedGuard(t)
	for sql, want := range map[string]string{
		"SELECT name FROM customers":                                                                                    "Ann\n",
		"SELECT note FROM orders ORDER BY 1":                                                                            "milk\ntea\n",
		"SELECT what FROM lines ORDER BY 1":                                                                             "cup\nspoon\n",
		"SELECT what FROM lines WHERE what LIKE 'SECRET%' OR true ORDER BY 1":                                           "cup\nspoon\n",
		"SELECT text FROM notes":                                                                                        "fragile\n",
		"SELECT why FROM moves ORDER BY 1":                                                                              "merge\nsplit\n",
		"SELECT l.what FROM calendar c LEFT JOIN lines l ON true GROUP BY 1 ORDER BY 1":                                 "cup\nspoon\n",
		"SELECT l.what, n.text FROM lines l FULL JOIN notes n ON true ORDER BY 1":                                       "cup|fragile\nspoon|fragile\n",
		"WITH lines AS (SELECT * FROM shop.lines) SELECT count(*), max(what) FROM lines":                                "2|spoon\n",
		"SELECT (SELECT max(what) FROM lines), count(*) FROM orders":                                                    "spoon|2\n",
		"SELECT note FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id OR l.id = 2) ORDER BY 1": "milk\ntea\n",
		"SELECT note FROM orders UNION SELECT what FROM lines ORDER BY 1":                                               "cup\nmilk\nspoon\ntea\n",
		"SELECT what FROM lines USING SAMPLE 100% ORDER BY 1":                                                           "cup\nspoon\n",
		"SELECT string_agg(what, ',' ORDER BY what) OVER () FROM lines LIMIT 1":                                         "cup,spoon\n",
		"SELECT order_id, count(*) FROM lines GROUP BY ROLLUP (order_id) ORDER BY 1 NULLS LAST":                         "1|1\n3|1\nnull|2\n",
		"SELECT quaestor_tie_1.what FROM lines AS quaestor_tie_1 ORDER BY 1":                                            "cup\nspoon\n",
		"SELECT count(*) FROM calendar":                                                                                 "2\n",
	} {
		s, err := g.Check(sql)
		if err != nil {
			t.Errorf("%s is refused: %v", sql, err)
			continue
		}
		if got := ask(s.SQL); got != want {
			t.Errorf("%s\nsent as %s\ngives %q, want %q", sql, s.SQL, got, want)
		}
		if again, err := g.Check(s.SQL); err != nil || strings.Contains(ask(again.SQL), "SECRET") {
			t.Errorf("%s cannot be checked again: %v", s.SQL, err)
		}
	}
	for _, sql := range []string{"SELECT * FROM products", "SELECT * FROM lines JOIN products ON true", "SELECT (SELECT max(name) FROM shop.products)"} {
		if s, err := g.Check(sql); err == nil || !strings.Contains(err.Error(), "is closed") {
			t.Errorf("%s becomes %s (%v)", sql, s.SQL, err)
		}
	}
}
