package connections_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
)

func TestOpenNeedsAnIndex(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w := l.create(l.draft())
	if _, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{}); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v", err)
	}
}

func TestEveryStatementStandsInTheAudit(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	w, src := l.open(l.store, l.draft())
	run := uuid.NewString()
	for i, q := range []struct {
		sql   string
		class warehouse.ErrorClass
	}{
		{"SELECT count(*) AS n FROM shop.orders", ""},
		{"DELETE FROM shop.orders", warehouse.Forbidden},
		{"SELECT * FROM pg_catalog.pg_shadow", warehouse.UnknownTable},
		{"SELEC 1", warehouse.SyntaxError},
		{"SELECT pg_sleep(1)", warehouse.Forbidden},
		{"SELECT nope FROM shop.orders", warehouse.UnknownColumn},
	} {
		a, err := src.Ask(t.Context(), warehouse.Query{SQL: q.sql, Run: run, Step: i + 1})
		if q.class == "" {
			if err != nil || a.Result.Columns[0].Ints[0] != 100 || len(a.Sent.Tables) != 1 {
				t.Errorf("%s: %+v, %v", q.sql, a, err)
			}
			continue
		}
		if warehouse.ClassOf(err) != q.class {
			t.Errorf("%s: %v", q.sql, err)
		}
	}
	list, err := l.store.Audit(t.Context(), l.tenant, w.ID, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		if e.Run != run || len(e.SHA256) != 32 {
			t.Errorf("%+v", e)
		}
		got = append(got, string(e.Verdict)+" "+e.Rule)
	}
	want := "failed unknown_column, refused function, refused syntax, refused relation, refused statement, passed "
	if strings.Join(got, ", ") != want {
		t.Errorf("audit %q", got)
	}
	if list[0].Sent == "" || list[1].Sent != "" || list[5].Rows != 1 || list[5].Step != 1 {
		t.Errorf("%+v", list)
	}
	if next, err := l.store.Audit(t.Context(), l.tenant, w.ID, list[3].ID, 10); err != nil || len(next) != 2 {
		t.Errorf("%d, %v", len(next), err)
	}
}

func TestFilterHolds(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	d := l.draft()
	d.Filter = guard.Filter{Column: "tenant", Value: "ours"}
	_, src := l.open(l.store, d)
	for _, sql := range []string{"SELECT count(*) FROM shop.orders", "SELECT count(*) FROM shop.orders WHERE tenant = 'theirs' OR true", "SELECT (SELECT count(*) FROM shop.orders AS o)"} {
		a, err := src.Ask(t.Context(), warehouse.Query{SQL: sql})
		if err != nil || a.Result.Columns[0].Ints[0] != 50 {
			t.Errorf("%s: %+v, %v", sql, a.Result, err)
		}
	}
}

func TestMiddlewaresRefuseAndRewrite(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	var seen []string
	see := func(_ context.Context, s warehouse.Statement) (string, error) {
		seen = append(seen, s.Statement.SQL)
		switch {
		case strings.Contains(s.Statement.SQL, "amount"):
			return "", errors.New("amounts are confidential")
		case strings.Contains(s.Statement.SQL, "'all'"):
			return "SELECT count(*) AS n FROM shop.orders WHERE id <= 10", nil
		case strings.Contains(s.Statement.SQL, "'evil'"):
			return "DELETE FROM shop.orders", nil
		}
		return s.Statement.SQL, nil
	}
	w, src := l.open(l.with(l.sealer(), see), l.draft())
	if _, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT sum(amount) FROM shop.orders"}); warehouse.ClassOf(err) != warehouse.Forbidden || !strings.Contains(err.Error(), "confidential") {
		t.Errorf("refused: %v", err)
	}
	a, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT count(*) FROM shop.orders WHERE 'all' = 'all'"})
	if err != nil || a.Result.Columns[0].Ints[0] != 10 || !strings.Contains(a.Sent.SQL, "10") {
		t.Errorf("rewritten: %+v, %v", a, err)
	}
	if _, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT 1 WHERE 'evil' = 'evil'"}); warehouse.ClassOf(err) != warehouse.Forbidden {
		t.Errorf("what it made of it was not checked: %v", err)
	}
	if _, err := src.Ask(t.Context(), warehouse.Query{SQL: "DROP TABLE shop.orders"}); warehouse.ClassOf(err) != warehouse.Forbidden {
		t.Errorf("got %v", err)
	}
	if len(seen) != 3 {
		t.Errorf("it saw %q", seen)
	}
	if list, err := l.store.Audit(t.Context(), l.tenant, w.ID, 0, 10); err != nil || list[3].Rule != "governance" || list[3].Verdict != connections.Refused {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestHookLetsNothingPassThatItDidNotAllow(t *testing.T) {
	t.Parallel()

	answer, status := "", http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in["sql"] != "SELECT 1" || in["tenant"] != "us" || r.Header.Get("Authorization") != "Bearer open" {
			t.Errorf("asked %v, %v", in, err)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(answer))
	}))
	defer srv.Close()
	h := connections.Hook{URL: srv.URL, Token: secret.New("open"), Client: srv.Client()}
	s := warehouse.Statement{Tenant: "us", Statement: guard.Statement{SQL: "SELECT 1"}}
	for _, c := range []struct {
		answer string
		status int
		sql    string
		says   string
	}{
		{`{"allow":true}`, 200, "SELECT 1", ""},
		{`{"allow":true,"sql":"SELECT 2"}`, 200, "SELECT 2", ""},
		{`{"allow":false,"reason":"not on Sundays"}`, 200, "", "not on Sundays"},
		{`{}`, 200, "", "no reason"},
		{`allow`, 200, "", "cannot be read"},
		{`{"allow":true}`, 500, "", "status 500"},
	} {
		answer, status = c.answer, c.status
		got, err := h.Middleware(t.Context(), s)
		if got != c.sql || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", c.answer, got, err)
		}
	}
	srv.Close()
	if _, err := h.Middleware(t.Context(), s); err == nil {
		t.Error("a hook that is not there allows")
	}
}

func TestRefreshOfWhatCannotBeReachedIsShown(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	d := l.draft()
	d.Options["host"] = "/nowhere"
	w := l.create(d)
	if err := l.store.Refresh(t.Context(), l.tenant, w.ID); warehouse.ClassOf(err) != warehouse.Unreachable {
		t.Errorf("got %v", err)
	}
	if w, err := l.store.Find(t.Context(), l.tenant, w.ID); err != nil || w.Test == nil || w.Test.Well {
		t.Errorf("%+v, %v", w.Test, err)
	}
}

func TestViewsNarrow(t *testing.T) {
	t.Parallel()

	l := newLab(t, "CREATE SCHEMA hr", "CREATE TABLE hr.people (id bigint, tenant text)", "INSERT INTO hr.people VALUES (1, 'ours')")
	d := l.draft()
	d.Schemas, d.Filter, d.Open = []string{"shop", "hr"}, guard.Filter{Column: "tenant", Value: "ours"}, []string{"shop.pay"}
	w, whole := l.open(l.store, d)
	src, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{Schemas: []string{"shop"}, Filter: guard.Filter{Column: "id", Value: "4"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for id, want := range map[string]int64{"4": 1, "5": 0} { // 4 is ours, 5 is theirs
		src, err := l.store.Open(t.Context(), l.tenant, w.ID, connections.View{Filter: guard.Filter{Column: "id", Value: id}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT count(*) FROM shop.orders"})
		if err != nil || a.Result.Columns[0].Ints[0] != want {
			t.Errorf("id %s: %+v, %v", id, a.Result, err)
		}
		_ = src.Close()
	}
	if _, err := src.Ask(t.Context(), warehouse.Query{SQL: "SELECT * FROM hr.people"}); warehouse.ClassOf(err) != warehouse.UnknownTable {
		t.Errorf("another schema: %v", err)
	}
	if a, err := src.Lookup(t.Context(), []string{"hr.people", "shop.orders"}); err != nil || len(a.Tables) != 1 || len(a.NotFound) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	if hits, err := src.Search(t.Context(), "people orders", 10); err != nil || len(hits) != 1 || hits[0].Ref != "shop.orders" {
		t.Errorf("%+v, %v", hits, err)
	}
	if n := src.Catalog().Len(); n != 2 {
		t.Errorf("%d tables", n)
	}
	if a, err := whole.Ask(t.Context(), warehouse.Query{SQL: "SELECT count(*) FROM hr.people"}); err != nil || a.Result.Columns[0].Ints[0] != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Samples of a table that a filter is on would show rows of others: neither the
// filter of the warehouse nor that of a view lets them be seen.
func TestFilteredTablesHaveNoSamples(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	of := guard.Filter{Column: "TENANT", Value: "ours"}
	d := l.draft()
	_, src := l.open(l.store, d)
	shown := lookedUp(t, src)
	if !strings.Contains(shown, "theirs") {
		t.Fatalf("without a filter there are samples: %s", shown)
	}
	w := l.create(connections.Spec{Name: "Ours", Kind: d.Kind, Secret: d.Secret, Schemas: d.Schemas, Options: d.Options, Filter: of})
	for name, open := range map[string]func() (warehouse.Gateway, error){
		"of the warehouse": func() (warehouse.Gateway, error) {
			if err := l.store.Refresh(t.Context(), l.tenant, w.ID); err != nil {
				return nil, err
			}
			return l.store.Open(t.Context(), l.tenant, w.ID, connections.View{})
		},
		"of a view": func() (warehouse.Gateway, error) {
			list, err := l.store.List(t.Context(), l.tenant)
			if err != nil {
				return nil, err
			}
			return l.store.Open(t.Context(), l.tenant, list[len(list)-1].ID, connections.View{Filter: of})
		},
	} {
		src, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = src.Close() })
		if shown := lookedUp(t, src); strings.Contains(shown, "theirs") || !strings.Contains(shown, "amount") {
			t.Errorf("the filter %s shows %s", name, shown)
		}
	}
}

// lookedUp is what a gateway returns about the orders.
func lookedUp(t *testing.T, src warehouse.Gateway) string {
	t.Helper()
	found, err := src.Lookup(t.Context(), []string{"shop.orders"})
	if err != nil || len(found.Tables) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	return found.Tables[0].Text
}

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
