package sessions_test

import (
	"testing"
	"time"

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
	waits := func() bool {
		n := 0
		if err := super.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
	deadline := time.Now().Add(20 * time.Second)
	for len(done) == 0 && !waits() {
		if time.Now().After(deadline) {
			t.Fatal("the recording neither waits nor is kept")
		}
	}
	if err := refusing.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if <-done {
		t.Error("the sound is kept although its author has refused")
	}
}
