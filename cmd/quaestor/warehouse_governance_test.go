package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/runs"
)

// governanceAdmin is a governance service that knows four cases.
type governanceAdmin struct {
	t *testing.T

	mu       sync.Mutex // guards the rest
	seen     []string   // statements of steps
	analysed int        // statements with which effects are looked for
}

func (g *governanceAdmin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Tenant, Warehouse, Run, SQL string
		Step                        int
		Tables                      []string
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Tenant == "" || asked.Warehouse == "" || asked.Run == "" || len(asked.Tables) == 0 || r.Header.Get("Authorization") != "Bearer let-me-in" {
		g.t.Errorf("the service is asked %+v, %v, %q", asked, err, r.Header.Get("Authorization"))
	}
	g.mu.Lock()
	if asked.Step > 0 {
		g.seen = append(g.seen, asked.SQL)
	} else {
		g.analysed++
	}
	g.mu.Unlock()
	answer := map[string]any{"allow": true}
	switch {
	case strings.Contains(asked.SQL, "country"):
		answer = map[string]any{"allow": false, "reason": "where customers live is not for analysis"}
	case strings.Contains(asked.SQL, "status"):
		answer["sql"] = "SELECT status, COUNT(*) AS orders FROM shop.orders WHERE status <> 'returned' GROUP BY status ORDER BY status"
	case strings.Contains(asked.SQL, "MAX"), strings.Contains(asked.SQL, "max"):
		answer["sql"] = "DELETE FROM shop.orders"
	case strings.Contains(asked.SQL, "MIN"), strings.Contains(asked.SQL, "min"):
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// TestGovernanceSeesEveryStatement has a service refuse, rewrite, err and fail.
func TestGovernanceSeesEveryStatement(t *testing.T) {
	m := newMart(t, small...)
	g := &governanceAdmin{t: t}
	service := httptest.NewServer(g)
	queries := []string{countOrders, byCountry, byStatus, "SELECT MAX(total) AS most FROM shop.orders", "SELECT MIN(total) AS least FROM shop.orders", "DROP TABLE shop.orders", countCustomers}
	o := newRemoteServer(t, Settings{GovernanceURL: service.URL, GovernanceToken: secret.New("let-me-in")}, script{lines: asking(queries...)})
	t.Cleanup(service.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	id, project := o.connect(m.draft())
	r, steps := o.explore(project, 12)

	if r.Status != runs.Completed || len(steps) != len(queries)+1 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{"", "refused by governance: where customers live is not for analysis", "", "what governance made of it may not run", "the governance service did not answer: status 500", "", ""} {
		if st := steps[i]; i != 5 && (want == "") != (st.Error == "") || !strings.Contains(st.Error, want) || (st.Error != "" && st.Class != warehouse.Forbidden) {
			t.Errorf("step %d says (%s) %q, want %q", st.N, st.Class, st.Error, want)
		}
	}
	if st := steps[2]; st.Rows != 2 || !strings.Contains(st.SQL, "<> 'returned'") {
		t.Errorf("what was rewritten: %+v", st.Step)
	}
	if len(g.seen) != 6 {
		t.Errorf("the service saw %d statements, want all but the one that the guard refused: %q", len(g.seen), g.seen)
	}
	if g.analysed == 0 {
		t.Error("the service was asked about no statement of the analysis")
	}
	o.checkAudit(id, []connections.Verdict{connections.Passed, connections.Refused, connections.Passed, connections.Refused, connections.Refused, connections.Refused, connections.Passed})
}

// checkAudit holds what the audit of a warehouse says of steps against verdicts, the oldest first.
func (o *remoteServer) checkAudit(id string, want []connections.Verdict) {
	o.t.Helper()
	entries, err := o.explorer.store.Audit(o.t.Context(), o.tenant, id, 0, 200)
	entries = slices.DeleteFunc(entries, func(e connections.AuditEntry) bool { return e.Step == 0 })
	if err != nil || len(entries) != len(want) {
		o.t.Fatalf("the audit has %d entries, want %d: %v", len(entries), len(want), err)
	}
	for i, e := range entries {
		if n := len(want) - 1 - i; e.Verdict != want[n] || e.Step != n+1 || (e.Sent == "") != (e.Verdict == connections.Refused) {
			o.t.Errorf("entry %d of the audit is %+v, want %s", n+1, e, want[n])
		}
	}
}

// shared is a shop of two tenants, of whom each row names one.
var shared = []string{
	"CREATE TABLE shop.customers (id int PRIMARY KEY, tenant_id text, country text)",
	"INSERT INTO shop.customers SELECT i, CASE WHEN i % 2 = 0 THEN 'ours' ELSE 'theirs' END, CASE WHEN i % 2 = 0 THEN 'home' || i % 6 ELSE 'SECRETLAND' || i % 5 END FROM generate_series(1, 600) i",
	"CREATE TABLE shop.orders (id int PRIMARY KEY, tenant_id text, customer_id int REFERENCES shop.customers, status text, total numeric(10,2), placed_at timestamptz)",
	"INSERT INTO shop.orders SELECT i, c.tenant_id, c.id, CASE WHEN c.tenant_id = 'ours' THEN (ARRAY['paid','sent'])[1 + i / 2 % 2] ELSE 'SECRETSTATE' END, CASE WHEN c.tenant_id = 'ours' THEN i % 90 ELSE 8131415.92 END, timestamptz '2024-01-01' + i * interval '3 hours' FROM generate_series(1, 4000) i JOIN shop.customers c ON c.id = 1 + i % 600",
	"CREATE TABLE shop.currencies (code text PRIMARY KEY, name text)",
	"INSERT INTO shop.currencies VALUES ('EUR', 'Euro'), ('USD', 'Dollar')",
	"CREATE TABLE shop.lines (id int PRIMARY KEY, order_id int REFERENCES shop.orders, product text, amount numeric(10,2))",
	"INSERT INTO shop.lines SELECT o.id, o.id, CASE WHEN o.tenant_id = 'ours' THEN (ARRAY['cup','spoon'])[1 + o.id % 2] ELSE 'SECRETPRODUCT' END, CASE WHEN o.tenant_id = 'ours' THEN o.id % 70 ELSE 8131415.92 END FROM shop.orders o",
	"CREATE TABLE shop.formulas (name text)", "INSERT INTO shop.formulas VALUES ('SECRETFORMULA')",
	"ANALYZE",
}

// TestFilterHoldsThroughARun has the built-in analyst and a curious one look for
// the rows of another tenant: no step holds any of them.
func TestFilterHoldsThroughARun(t *testing.T) {
	curious := asking("SELECT DISTINCT status FROM shop.orders", "SELECT status FROM shop.orders WHERE tenant_id = 'theirs'", "SELECT status FROM shop.orders WHERE tenant_id = 'theirs' OR 1 = 1",
		"SELECT country FROM shop.customers UNION SELECT status FROM shop.orders", "SELECT c.country FROM shop.orders o RIGHT JOIN shop.customers c ON true", "WITH orders AS (SELECT * FROM shop.customers) SELECT country FROM orders",
		"SELECT (SELECT MAX(country) FROM shop.customers) AS c", "SELECT tenant_id, COUNT(*), MAX(total) FROM shop.orders GROUP BY 1", "SELECT COUNT(*) FROM shop.currencies",
		"SELECT product, MAX(amount) FROM shop.lines GROUP BY 1", "SELECT name FROM shop.formulas", "SELECT l.product FROM shop.currencies c LEFT JOIN shop.lines l ON true", "SELECT CAST(product AS int) FROM shop.lines")
	curious = append(curious, `{"thinking":"The columns.","lookup_schema":["shop.orders","shop.customers","shop.lines","shop.formulas"]}`, `{"thinking":"More.","search_tables":"secretland"}`)
	for name, who := range map[string]warehouse.Analyst{"the built-in analyst": nil, "a curious one": script{lines: curious}} {
		t.Run(name, func(t *testing.T) {
			m := newMart(t, shared...)
			o := newRemoteServer(t, Settings{}, who)
			draft := m.draft()
			draft.Filter = guard.Filter{Column: "tenant_id", Value: "ours"}
			draft.Open = []string{"shop.currencies"}
			_, project := o.connect(draft)
			r, steps := o.explore(project, 30)

			if r.Status != runs.Completed || r.Counters.Successful < 5 || who == nil && r.Counters.Failed > 0 {
				t.Errorf("%+v", r)
			}
			for _, st := range steps {
				body, err := json.Marshal(st)
				if err != nil {
					t.Fatal(err)
				}
				if text := string(body); strings.Contains(text, "SECRET") || strings.Contains(text, "8131415") {
					t.Errorf("step %d shows rows of another tenant: %s", st.N, text)
				}
			}
		})
	}
}
