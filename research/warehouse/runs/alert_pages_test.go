package runs_test

import (
	"os"
	"strings"
	"testing"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse/runs"
)

// crowded gives ann 450 alerts of 450 runs, ten of the same moment each; every third is unread. Others
// have as many.
func (w *world) crowded() {
	w.t.Helper()
	w.exec(`INSERT INTO warehouse_runs (tenant_id, id, project_id, warehouse_id, mask_key, max_steps, status, created_by)
		SELECT $1, gen_random_uuid(), $2, $3, sha256('key'), 10, 'completed', 'ann' FROM generate_series(1, 450)`, w.tenant, w.project, w.house)
	w.exec(`INSERT INTO warehouse_alerts (tenant_id, user_id, project_id, run_id, subject, subject_hash, change, before, insight_run, insight_ref, at, read_at)
		SELECT $1, who, $2, r.id, 's', sha256('s'), 'changed', 'number ' || r.n, r.id, 'a-1', timestamptz '2024-01-01' + r.n / 10 * interval '1 hour', CASE WHEN r.n % 3 > 0 THEN now() END
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM warehouse_runs) AS r CROSS JOIN unnest(ARRAY['ann', 'bob', 'cleo']) AS who`, w.tenant, w.project)
}

// Every alert is on one page, however many have the same time.
func TestAlertsArePaged(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.crowded()
	for unread, want := range map[bool]int{false: 450, true: 150} {
		seen, last := map[string]bool{}, runs.AlertPlace{}
		for range 20 {
			page, err := runs.Alerts(t.Context(), w.pool, w.tenant, "ann", unread, last, 40)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range page {
				if seen[a.ID] || unread && a.Read != nil || last.ID != "" && a.At.After(last.At) {
					t.Fatalf("unread %t: alert %+v is not expected after %+v", unread, a, last)
				}
				seen[a.ID], last = true, runs.AlertPlace{At: a.At, ID: a.ID}
			}
			if len(page) < 40 {
				break
			}
		}
		if len(seen) != want {
			t.Errorf("unread %t: the pages have %d alerts, want %d", unread, len(seen), want)
		}
	}
}

// The list and the number beside "Data", which every page shows, rest on indexes.
func TestAlertsAreReadByIndex(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.crowded()
	super := postgrestest.Superuser(t, w.pool)
	if _, err := super.Exec(t.Context(), `ANALYZE warehouse_alerts`); err != nil {
		t.Fatal(err)
	}
	for query, index := range map[string]string{"AlertPage": "warehouse_alerts_user", "AlertUnreadPage": "warehouse_alerts_unread", "AlertCount": "warehouse_alerts_unread"} {
		plan := w.plan(query)
		if !strings.Contains(plan, index) || strings.Contains(plan, "Seq Scan on warehouse_alerts") || strings.Contains(plan, "Sort") {
			t.Errorf("%s is answered without the index %s:\n%s", query, index, plan)
		}
	}
}

// plan is how the database answers a query of use.sql about ann.
func (w *world) plan(name string) string {
	w.t.Helper()
	source, err := os.ReadFile("internal/dbsqlc/use.sql")
	if err != nil {
		w.t.Fatal(err)
	}
	_, query, ok := strings.Cut(string(source), "-- name: "+name+" ")
	if !ok {
		w.t.Fatalf("there is no query %s", name)
	}
	query, _, _ = strings.Cut(query[strings.Index(query, "SELECT"):], ";")
	query = strings.NewReplacer("@tenant_id", "'"+w.tenant+"'", "@user_id", "'ann'", "@before_at", "'2024-01-02'", "@before_id", "'ffffffff-ffff-ffff-ffff-ffffffffffff'", "@most", "20").Replace(query)
	var lines []string
	b := postgres.NewBatch(w.tenant)
	_, _ = b.Exec(w.t.Context(), `SET LOCAL enable_seqscan = off`) // the table of a test is small enough to read whole
	postgrestest.Rows[struct{ Line string }](b, func(r *struct{ Line string }) error { lines = append(lines, r.Line); return nil }, `EXPLAIN `+query)
	if err := b.Send(w.t.Context(), w.pool); err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
