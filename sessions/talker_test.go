package sessions_test

import (
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/sessions"
)

// The right to speak is the database's to give, so that it holds on all servers.
func TestOneCallSpeaksAtATime(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	take := func(call string, lasts time.Duration) (*sessions.Talker, error) {
		return sessions.TakeTalk(t.Context(), j.pool, j.scope, call, lasts)
	}
	first, err := take("one-call", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := take("two-calls", time.Minute); !fault.Is(err, fault.Conflict) {
		t.Errorf("another call speaks at the same time: %v", err)
	}
	again, err := take("one-call", time.Minute) // the same call, from elsewhere
	if err != nil {
		t.Fatal(err)
	}
	if held, err := first.Keep(t.Context()); held || err != nil {
		t.Errorf("the connection before still speaks: %t, %v", held, err)
	}
	if err := first.Leave(t.Context()); err != nil { // takes nothing from the one after it
		t.Fatal(err)
	}
	if held, err := again.Keep(t.Context()); !held || err != nil {
		t.Errorf("the connection lost its right: %t, %v", held, err)
	}
	if err := again.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := take("two-calls", -time.Second); err != nil { // runs out at once, as with a server that dies
		t.Errorf("after the end of a call nobody may speak: %v", err)
	}
	if _, err := take("one-call", time.Minute); err != nil {
		t.Errorf("a right that ran out stays: %v", err)
	}
}
