package settings_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a tenant with rows of its own.
type house struct {
	t         testing.TB
	pool      *pgxpool.Pool // as the program
	super     *pgxpool.Pool // may write what the program may not
	tenant    string
	objective string
}

// open returns a tenant in a database of its own.
func open(t testing.TB) house {
	t.Helper()
	pool := postgrestest.DB(t)
	h := house{t: t, pool: pool, super: postgrestest.Superuser(t, pool)}
	return h.another()
}

// another returns one more tenant of the same database.
func (h house) another() house {
	h.t.Helper()
	h.tenant, h.objective = postgrestest.Tenant(h.t, h.pool), uuid.NewString()
	h.exec(`INSERT INTO discovery_objectives (tenant_id, id, context_type, display_name, config) VALUES ($1, $2, 'shop', 'Shop', '{}')`, h.tenant, h.objective)
	return h
}

func (h house) exec(sql string, args ...any) {
	h.t.Helper()
	if _, err := h.super.Exec(h.t.Context(), sql, args...); err != nil {
		h.t.Fatal(err)
	}
}

// session makes a session that somebody began and that was changed days ago last.
func (h house) session(user, status, reason string, days int) obligations.Scope {
	h.t.Helper()
	id := uuid.NewString()
	h.exec(`INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id, status, stop_reason, created_at, updated_at)
		VALUES ($1, $2, $3, 'shop', $4, $5, nullif($6, ''), now() - make_interval(days => $7 + 1), now() - make_interval(days => $7, mins => 5))`, h.tenant, id, h.objective, user, status, reason, days)
	h.exec(`INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content) VALUES ($1, $2, 1, 'user', $3, 'Hello')`, h.tenant, id, user)
	return obligations.Scope{Tenant: h.tenant, Session: id}
}

// turn lets a turn run in a session.
func (h house) turn(s obligations.Scope) {
	h.t.Helper()
	h.exec(`INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, instance_id) VALUES ($1, $2, 1, 'someone', '', 1, $2)`, s.Tenant, s.Session)
}

// task makes research that was asked for outside of interviews some days ago.
func (h house) task(user, status string, days int) {
	h.t.Helper()
	h.exec(`INSERT INTO discovery_research_tasks (tenant_id, id, task_type, trigger, query, turn, user_id, status, created_at)
		VALUES ($1, gen_random_uuid(), 'domain_research', 'user_request', 'Who?', 1, $2, $3, now() - make_interval(days => $4, mins => 5))`, h.tenant, user, status, days)
}

// count counts rows of the tenant in a table.
func (h house) count(table string) int {
	h.t.Helper()
	n := 0
	if err := h.super.QueryRow(h.t.Context(), `SELECT count(*) FROM `+table+` WHERE tenant_id = $1`, h.tenant).Scan(&n); err != nil {
		h.t.Fatal(err)
	}
	return n
}

// there reports whether a session is.
func (h house) there(s obligations.Scope) bool {
	h.t.Helper()
	n := 0
	if err := h.super.QueryRow(h.t.Context(), `SELECT count(*) FROM elicitation_sessions WHERE tenant_id = $1 AND id = $2`, s.Tenant, s.Session).Scan(&n); err != nil {
		h.t.Fatal(err)
	}
	return n == 1
}
