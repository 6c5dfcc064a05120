package connections_test

import (
	"slices"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
)

// tied are tables without the filter's column: keys lead from the lines to the orders of tenants,
// and nothing leads from the prices there.
var tied = []string{
	"CREATE TABLE shop.lines (id int PRIMARY KEY, order_id bigint REFERENCES shop.orders, what text)",
	"INSERT INTO shop.lines SELECT i, i, CASE WHEN i % 2 = 0 THEN 'cup' ELSE 'SECRET' END FROM generate_series(1, 100) AS i",
	"INSERT INTO shop.lines VALUES (101, NULL, 'SECRET')",
	"CREATE TABLE shop.notes (line int REFERENCES shop.lines, text text)",
	"INSERT INTO shop.notes SELECT i, CASE WHEN i % 2 = 0 THEN 'fragile' ELSE 'SECRET' END FROM generate_series(1, 101) AS i",
	"CREATE TABLE shop.prices (name text)", "INSERT INTO shop.prices VALUES ('SECRET')",
	"CREATE TABLE shop.calendar (day int)", "INSERT INTO shop.calendar VALUES (1), (2)",
	"CREATE SCHEMA audit", "CREATE TABLE audit.trail (line int REFERENCES shop.lines, text text)",
	"INSERT INTO audit.trail SELECT i, CASE WHEN i % 2 = 0 THEN 'moved' ELSE 'SECRET' END FROM generate_series(1, 100) AS i",
}

// tiedDraft is the lab's warehouse for one tenant, with one table opened.
func (l *lab) tiedDraft() connections.Spec {
	d := l.draft()
	d.Schemas, d.Filter, d.Open = []string{"shop", "audit"}, guard.Filter{Column: "tenant", Value: "ours"}, []string{"shop.calendar"}
	return d
}

func TestTiedTablesGiveNoRowOfOthers(t *testing.T) {
	t.Parallel()

	l := newLab(t, tied...)
	w, src := l.open(l.store, l.tiedDraft())
	for sql, want := range map[string]int64{
		"SELECT count(*) FROM shop.lines":                                                                 50,
		"SELECT count(*) FROM lines WHERE what = 'SECRET' OR true":                                        50,
		"SELECT count(*) FROM lines l WHERE l.what = 'SECRET'":                                            0,
		"SELECT count(*) FROM notes JOIN lines ON true":                                                   2500,
		"SELECT count(*) FROM calendar LEFT JOIN notes ON true WHERE text = 'SECRET'":                     0,
		"WITH x AS (SELECT * FROM notes), lines AS (SELECT text FROM x) SELECT count(*) FROM lines":       50,
		"SELECT (SELECT count(*) FROM lines AS a, LATERAL (SELECT 1 FROM notes n WHERE n.line = a.id) b)": 50,
		"SELECT count(*) FROM lines TABLESAMPLE BERNOULLI (100)":                                          50,
		"SELECT count(*) FROM (SELECT what FROM lines UNION ALL SELECT text FROM notes) AS u":             100,
		"SELECT sum((what = 'SECRET')::int) FILTER (WHERE true) FROM lines":                               0,
		"SELECT max(count(*)) OVER () FROM lines":                                                         50,
		"SELECT count(*) FROM orders RIGHT JOIN audit.trail ON true WHERE text = 'SECRET'":                0,
		"SELECT count(*) FROM calendar":                                                                   2,
	} {
		a, err := src.Ask(t.Context(), warehouse.Query{SQL: sql})
		if err != nil || a.Result.Columns[0].Ints[0] != want {
			t.Errorf("%s, sent as %s: %+v, %v", sql, a.Sent.SQL, a.Result, err)
		}
	}
	for _, sql := range []string{"SELECT * FROM prices", "SELECT count(*) FROM lines, prices"} {
		if a, err := src.Ask(t.Context(), warehouse.Query{SQL: sql}); warehouse.ClassOf(err) != warehouse.UnknownTable || !strings.Contains(err.Error(), "closed") {
			t.Errorf("%s: %+v, %v", sql, a, err)
		}
	}
	if access := accessIn(t, l, w); access != "audit.trail filtered, shop.calendar opened, shop.lines filtered, shop.notes filtered, shop.orders filtered, shop.pay closed, shop.prices closed" {
		t.Errorf("got %s", access)
	}
}

// accessIn lists how the tables of a warehouse may be read, by name.
func accessIn(t *testing.T, l *lab, w connections.Warehouse) string {
	t.Helper()
	all, err := l.store.Index.Load(t.Context(), l.tenant, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range w.AccessTo(all) {
		out = append(out, a.Ref+" "+string(a.Access))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// A view keeps to its schemas, and is held by keys that lead through others.
func TestViewsKeepTheTies(t *testing.T) {
	t.Parallel()

	l := newLab(t, tied...)
	w, _ := l.open(l.store, l.tiedDraft())
	for filter, want := range map[guard.Filter]int64{{}: 50, {Column: "id", Value: "4"}: 1} {
		src, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{Schemas: []string{"audit"}, Filter: filter})
		if err != nil {
			t.Fatal(err)
		}
		if a, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT count(*) FROM audit.trail"}); err != nil || a.Result.Columns[0].Ints[0] != want {
			t.Errorf("%v: %+v, %v", filter, a, err)
		}
		if _, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT count(*) FROM shop.orders"}); warehouse.ClassOf(err) != warehouse.UnknownTable {
			t.Errorf("%v: the view is left: %v", filter, err)
		}
		_ = src.Close()
	}
}

// Neither samples nor messages show rows of others, also of tables that only keys tie.
func TestTiedTablesShowNothingOfOthers(t *testing.T) {
	t.Parallel()

	l := newLab(t, tied...)
	d := l.tiedDraft()
	filter := d.Filter
	d.Filter, d.Open = guard.Filter{}, nil
	w, src := l.open(l.store, d)
	if shown := describedIn(t, src); !strings.Contains(shown, "SECRET") {
		t.Fatalf("without a filter there are samples: %s", shown)
	}
	d.Filter, d.Open = filter, []string{"shop.calendar"}
	w, err := l.store.Update(t.Context(), l.tenant, w.ID, w.Version, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, moment := range []string{"at once", "after a refresh"} {
		src, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{})
		if err != nil {
			t.Fatal(err)
		}
		if shown := describedIn(t, src); strings.Contains(shown, "SECRET") || strings.Contains(shown, "theirs") {
			t.Errorf("%s: %s", moment, shown)
		}
		for _, sql := range []string{"SELECT count(*) FROM lines WHERE what::int = 1", "SELECT 1 FROM notes WHERE ('{' || text)::int[] IS NOT NULL", "SELECT 1 / (char_length(what) - 6) FROM lines"} {
			if _, err := src.Ask(t.Context(), warehouse.Query{SQL: sql}); err != nil && strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%s: %v", sql, err)
			}
		}
		_ = src.Close()
		if err := l.store.Refresh(t.Context(), l.tenant, w.ID); err != nil {
			t.Fatal(err)
		}
	}
	src, err = l.store.Open(t.Context(), l.tenant, w.ID, connections.View{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if found, err := src.Lookup(t.Context(), []string{"shop.calendar"}); err != nil || len(found.Tables) != 1 || !strings.Contains(found.Tables[0].Text, "Samples") {
		t.Errorf("an open table has samples: %+v, %v", found, err)
	}
}

// describedIn is what a gateway returns about all tables.
func describedIn(t *testing.T, src warehouse.Gateway) string {
	t.Helper()
	out := ""
	for i := range src.Catalog().Len() {
		found, err := src.Lookup(t.Context(), []string{src.Catalog().Table(i).Ref()})
		if err != nil || len(found.Tables) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		out += found.Tables[0].Text
	}
	return out
}

// Values of tables that a filter is on find nothing: they could be others'.
func TestFilteredValuesFindNothing(t *testing.T) {
	t.Parallel()

	l := newLab(t, tied...)
	d := l.tiedDraft()
	filter := d.Filter
	d.Filter, d.Open = guard.Filter{}, nil
	w, src := l.open(l.store, d)
	if hits, err := src.Search(t.Context(), "fragile secret", 10); err != nil || len(hits) == 0 || !strings.Contains(hits[0].Because, "has the value") {
		t.Fatalf("without a filter: %+v, %v", hits, err)
	}
	viewed, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{Filter: filter})
	if err != nil {
		t.Fatal(err)
	}
	defer viewed.Close()
	if hits, err := viewed.Search(t.Context(), "secret", 10); err != nil || len(hits) != 0 {
		t.Errorf("a view finds %+v, %v", hits, err)
	}
	d.Filter = filter
	if _, err := l.store.Update(t.Context(), l.tenant, w.ID, w.Version, d); err != nil {
		t.Fatal(err)
	}
	filtered, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{})
	if err != nil {
		t.Fatal(err)
	}
	defer filtered.Close()
	if hits, err := filtered.Search(t.Context(), "fragile secret", 10); err != nil || len(hits) != 0 {
		t.Errorf("got %+v, %v", hits, err)
	}
}
