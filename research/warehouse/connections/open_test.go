package connections_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
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
