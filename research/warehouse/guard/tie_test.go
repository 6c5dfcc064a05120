package guard

import (
	"strings"
	"testing"
)

// tiedPolicy is a shop in which only orders names the customer. What else is a customer's follows
// from foreign keys.
func tiedPolicy(d Dialect) Policy {
	key := func(column, table, to string) Key {
		return Key{Columns: []string{column}, Table: table, To: []string{to}}
	}
	return Policy{Dialect: d, Schemas: []string{"shop"}, Filter: Filter{Column: "CUSTOMER_ID", Value: "o'hara"}, Close: true, Relations: []Relation{
		{Schema: "shop", Name: "customers", Columns: []string{"id", "name"}},
		{Schema: "shop", Name: "orders", Columns: []string{"id", "customer_id"}, Keys: []Key{key("customer_id", "shop.customers", "id")}},
		{Schema: "shop", Name: "items", Columns: []string{"order_id", "product_id", "amount"}, Keys: []Key{key("order_id", "shop.orders", "id"), key("product_id", "shop.products", "id")}},
		{Schema: "shop", Name: "notes", Columns: []string{"line", "text"}, Keys: []Key{key("line", "shop.items", "order_id")}},
		{Schema: "shop", Name: "moves", Columns: []string{"from_order", "to_order"}, Keys: []Key{key("from_order", "shop.orders", "id"), key("to_order", "shop.orders", "id")}},
		{Schema: "shop", Name: "products", Columns: []string{"id", "parent"}, Keys: []Key{key("parent", "shop.products", "id")}},
		{Schema: "shop", Name: "calendar", Columns: []string{"day"}, Open: true},
		{Schema: "shop", Name: "odd", Columns: []string{"order_id"}, Keys: []Key{key("gone", "shop.orders", "id")}},
	}}
}

func TestTies(t *testing.T) {
	t.Parallel()

	p := tiedPolicy(PostgreSQL)
	want := map[string]string{"customers": "id", "orders": "customer_id", "items": "order_id → shop.orders.customer_id", "notes": "line → shop.items.order_id → shop.orders.customer_id",
		"moves": "from_order → shop.orders.customer_id and to_order → shop.orders.customer_id"}
	for i, tie := range Ties(p.Relations, p.Filter) {
		if name := p.Relations[i].Name; tie.Path != want[name] || tie.Tied() != (want[name] != "") {
			t.Errorf("%s is tied by %q, want %q", name, tie.Path, want[name])
		}
	}
	for _, tie := range Ties(p.Relations, Filter{}) {
		if tie.Tied() {
			t.Errorf("without a filter there is %+v", tie)
		}
	}
}

// A key to a name that two tables share leads nowhere: it could be the wrong one.
func TestTiesOfAmbiguousNames(t *testing.T) {
	t.Parallel()

	list := []Relation{{Schema: "a.b", Name: "c", Columns: []string{"id", "tenant"}}, {Schema: "a", Name: "b.c", Columns: []string{"id"}},
		{Schema: "a", Name: "d", Columns: []string{"c"}, Keys: []Key{{[]string{"c"}, "a.b.c", []string{"id"}}}}}
	if ties := Ties(list, Filter{"tenant", "x"}); ties[2].Tied() {
		t.Errorf("got %+v", ties[2])
	}
}

// tiedDialects are those in which foreign keys can be declared and that need no parser of their own.
var tiedDialects = []Dialect{PostgreSQL, Redshift, MySQL, MariaDB, BigQuery, Snowflake, SQLServer}

func TestTiedTablesAreReadThroughTheirKeys(t *testing.T) {
	t.Parallel()

	for d, want := range map[Dialect]string{
		PostgreSQL: `SELECT l.amount FROM (SELECT * FROM shop.items items WHERE EXISTS (SELECT 1 FROM shop.orders quaestor_tie_1 WHERE quaestor_tie_1.id = items.order_id AND quaestor_tie_1.customer_id = 'o''hara')) l`,
		Snowflake:  `SELECT l.amount FROM (SELECT * FROM "shop"."items" AS "items" WHERE EXISTS (SELECT 1 FROM "shop"."orders" AS "quaestor_tie_1" WHERE "quaestor_tie_1"."id" = "items"."order_id" AND "quaestor_tie_1"."customer_id" = 'o''hara')) AS "L"`,
	} {
		got, err := newGuard(t, tiedPolicy(d)).Check("SELECT l.amount FROM items l")
		if err != nil || got.SQL != want || strings.Join(got.Filtered, " ") != "shop.items shop.orders" {
			t.Errorf("%s: it becomes %s (%v), of %q\nwant %s", d, got.SQL, err, got.Filtered, want)
		}
	}
	for _, d := range tiedDialects {
		g := newGuard(t, tiedPolicy(d))
		for sql, ties := range map[string]int{
			"SELECT amount FROM items":   1,
			"SELECT name FROM customers": 0, "SELECT count(*) FROM notes": 2, "SELECT count(*) FROM moves": 2,
			"WITH x AS (SELECT * FROM items) SELECT (SELECT count(*) FROM notes) AS n FROM x JOIN items AS y ON x.order_id = y.order_id": 4,
		} {
			got, err := g.Check(sql)
			if n := strings.Count(got.SQL, "EXISTS"); err != nil || n != ties || !strings.Contains(got.SQL, "hara") {
				t.Errorf("%s: %s becomes %s (%v) with %d keys, want %d", d, sql, got.SQL, err, n, ties)
			}
			if _, err := g.Check(got.SQL); err != nil {
				t.Errorf("%s: %s cannot be read again: %v", d, got.SQL, err)
			}
		}
	}
}

func TestUntiedTablesAreClosed(t *testing.T) {
	t.Parallel()

	for _, d := range tiedDialects {
		g := newGuard(t, tiedPolicy(d))
		for _, sql := range []string{"SELECT * FROM products", "SELECT 1 FROM shop.odd", "SELECT * FROM items WHERE product_id IN (SELECT id FROM Products)"} {
			if got, err := g.Check(sql); err == nil || !strings.Contains(err.Error(), "is closed") {
				t.Errorf("%s: %s becomes %s (%v)", d, sql, got.SQL, err)
			}
		}
		if got, err := g.Check("SELECT day FROM calendar"); err != nil || strings.Contains(got.SQL, "hara") {
			t.Errorf("%s: an open table is read by %s (%v)", d, got.SQL, err)
		}
	}
}

// A tie may lead through a table that statements must not name.
func TestHiddenTablesCarryTies(t *testing.T) {
	t.Parallel()

	for _, d := range tiedDialects {
		p := tiedPolicy(d)
		p.Hidden, p.Relations = p.Relations[:2], p.Relations[2:]
		g := newGuard(t, p)
		if got, err := g.Check("SELECT * FROM items"); err != nil || !strings.Contains(got.SQL, "hara") {
			t.Errorf("%s: it becomes %s (%v)", d, got.SQL, err)
		}
		if got, err := g.Check("SELECT * FROM orders"); err == nil {
			t.Errorf("%s: a hidden table is read by %s", d, got.SQL)
		}
	}
}
