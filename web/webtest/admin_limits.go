package webtest

import (
	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
)

// Age makes an interview as if it was changed days ago last.
func (w *World) Age(session string, days int, status string) {
	w.T.Helper()
	super := postgrestest.Superuser(w.T, w.Pool)
	defer super.Close()
	tag, err := super.Exec(w.T.Context(), `UPDATE elicitation_sessions SET status = $3, created_at = now() - make_interval(days => $2 + 1), updated_at = now() - make_interval(days => $2, mins => 5) WHERE id = $1`, session, days, status)
	if err != nil || tag.RowsAffected() != 1 {
		w.T.Fatalf("age session %s: %v", session, err)
	}
}

// TenantOf is the id of the tenant a world's token is of.
func (w *World) TenantOf() string {
	w.T.Helper()
	a, err := auth.Authenticate(w.T.Context(), w.Pool, w.Token)
	if err != nil {
		w.T.Fatal(err)
	}
	return a.Tenant
}
