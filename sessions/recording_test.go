package sessions_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// Somebody refuses to be recorded while the sound of what they said is being kept: whichever comes
// first, no sound stays.
func TestRefusalBesideARecording(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	if _, err := sessions.Decide(t.Context(), j.pool, j.scope, "someone", true); err != nil {
		t.Fatal(err)
	}
	super := postgrestest.Superuser(t, j.pool)
	refusing, err := super.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := refusing.Exec(t.Context(), `UPDATE recording_consents SET allowed = false WHERE session_id = $1`, j.scope.Session); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool, 1)
	go func() {
		kept, err := sessions.KeepRecording(t.Context(), j.pool, j.scope, sessions.Recording{Turn: 1, User: "someone", Length: time.Second, Sound: []byte{0, 0}})
		done <- kept && err == nil
	}()
	awaitBlocked(t, super, done, "the recording neither waits nor is kept")
	if err := refusing.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if <-done {
		t.Error("the sound is kept although its author has refused")
	}
}

// Somebody changes their mind about being recorded while a turn, which has locked the session, is
// about to write: both get their way.
func TestDecisionBesideATurn(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	if _, err := sessions.Decide(t.Context(), j.pool, j.scope, "someone", true); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	err := postgres.InTx(t.Context(), j.pool, j.scope.Tenant, func(tx pgx.Tx) error {
		var session *sessions.Session
		b := postgres.NewBatch(j.scope.Tenant)
		sessions.Lock(b, j.scope, &session)
		if err := b.Send(t.Context(), tx); err != nil {
			return err
		}
		go func() {
			_, err := sessions.Decide(t.Context(), j.pool, j.scope, "someone", false)
			done <- err
		}()
		awaitBlocked(t, postgrestest.Superuser(t, j.pool), done, "the decision neither waits nor is recorded")
		b = postgres.NewBatch(j.scope.Tenant)
		sessions.Append(b, j.scope, sessions.Events(0, []sessions.Payload{sessions.PhaseEvent{}}))
		return b.Send(t.Context(), tx)
	})
	if err != nil {
		t.Errorf("the turn: %v", err)
	}
	if err := <-done; err != nil {
		t.Errorf("the decision: %v", err)
	}
}

// awaitBlocked waits until something in the database waits for a lock, or done has a result.
func awaitBlocked[T any](t *testing.T, super *pgxpool.Pool, done <-chan T, otherwise string) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for n := 0; len(done) == 0 && n == 0; {
		if err := super.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal(otherwise)
		}
	}
}
