package sessions_test

import (
	"encoding/json"
	"testing"
	"time"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
	"quaestor/sessions/internal/dbsqlc"
)

// step is a step of a plan.
type step struct {
	Relation string  `json:"Relation Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Removed  float64 `json:"Rows Removed by Filter"`
	Plans    []step
}

// reads counts the rows of a table that a plan reads.
func (s step) reads(table string) float64 {
	n := 0.0
	if s.Relation == table {
		n = (s.Rows + s.Removed) * s.Loops
	}
	for _, p := range s.Plans {
		n += p.reads(table)
	}
	return n
}

// However many sessions there are, a page of the list reads little more of them
// than it shows.
func TestReviewPageReadsWhatItShows(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	super := postgrestest.Superuser(t, j.pool)
	for _, sql := range []string{`INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id, created_at)
		SELECT s.tenant_id, gen_random_uuid(), s.objective_id, s.context_type, 'person-' || i % 7, s.created_at - i * interval '1 second' FROM elicitation_sessions AS s, generate_series(1, 5000) AS i WHERE s.id = '` + j.scope.Session + `'`, `ANALYZE elicitation_sessions`} {
		if _, err := super.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	const shown = 51
	var plans []struct{ Plan step }
	sql, args := postgrestest.Statement(func(db postgres.DBTX) {
		_, _ = dbsqlc.New().ReviewPage(t.Context(), db, &dbsqlc.ReviewPageParams{TenantID: j.scope.Tenant, Needs: []string{},
			BeforeAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), BeforeID: "ffffffff-ffff-ffff-ffff-ffffffffffff", Max: shown})
	})
	b := postgres.NewBatch(j.scope.Tenant)
	postgrestest.Rows(b, func(r *struct{ Plan []byte }) error { return json.Unmarshal(r.Plan, &plans) }, `EXPLAIN (ANALYZE, FORMAT JSON) `+sql, args...)
	j.send(b)

	if read := plans[0].Plan.reads("elicitation_sessions"); read > 2*shown {
		t.Errorf("a page of %d reads %.0f rows of sessions", shown, read)
	}
}

func TestCommentsAreBounded(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for range sessions.MaxComments / 200 {
		j.exec(`INSERT INTO review_comments (tenant_id, session_id, author, content) SELECT $1, $2, 'rae', 'x' FROM generate_series(1, 200)`, j.scope.Tenant, j.scope.Session)
	}
	_, err := sessions.AddComment(t.Context(), j.pool, sessions.Comment{Scope: j.scope, Author: "rae", Text: "one more"})
	if err == nil || err.Error() != "a session takes 1000 comments; there are as many" {
		t.Errorf("one comment more gives %v", err)
	}
}
