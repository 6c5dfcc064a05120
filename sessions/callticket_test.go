package sessions_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

func TestCallTicketIsUsedOnce(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	hash := secret()
	made, err := sessions.CreateCallTicket(t.Context(), j.pool, j.scope, "someone", hash, noon)
	if err != nil || made.ExpiresAt != noon.Add(sessions.CallTicketLife) {
		t.Fatalf("CreateCallTicket = %+v, %v", made, err)
	}
	for _, other := range []struct {
		name, tenant string
		hash         []byte
		at           time.Time
	}{
		{"another tenant", uuid.NewString(), hash, noon},
		{"another secret", j.scope.Tenant, secret(), noon},
		{"too late", j.scope.Tenant, hash, noon.Add(sessions.CallTicketLife)},
	} {
		if _, err := sessions.UseCallTicket(t.Context(), j.pool, other.tenant, other.hash, other.at); !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", other.name, err)
		}
	}
	used, err := sessions.UseCallTicket(t.Context(), j.pool, j.scope.Tenant, hash, noon.Add(time.Minute))
	if err != nil || used.Scope != j.scope || used.User != "someone" {
		t.Errorf("UseCallTicket = %+v, %v", used, err)
	}
	if _, err := sessions.UseCallTicket(t.Context(), j.pool, j.scope.Tenant, hash, noon.Add(time.Minute)); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the second time: %v", err)
	}
}

func TestExpiredCallTicketsAreForgotten(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for _, at := range []time.Time{noon, noon.Add(time.Hour)} {
		if _, err := sessions.CreateCallTicket(t.Context(), j.pool, j.scope, "someone", secret(), at); err != nil {
			t.Fatal(err)
		}
	}
	left := 0
	if err := postgrestest.Superuser(t, j.pool).QueryRow(t.Context(), `SELECT count(*) FROM call_tickets WHERE session_id = $1`, j.scope.Session).Scan(&left); err != nil || left != 1 {
		t.Errorf("%d tickets are left, %v", left, err)
	}
}
