package chat_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// The same session under another spelling of its id is the same room: its readers
// are reached and its turn can be stopped.
func TestSessionIDInOtherLettersIsTheSameSession(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	in := d.input("")
	in.SessionID = strings.ToUpper(in.SessionID)

	if started := d.start(in); started.Scope != d.scope {
		t.Errorf("the turn is in %+v, want %+v", started.Scope, d.scope)
	}
	d.until(sessions.Turn{Number: 1}, "the end", func(e sessions.Event) bool { return e.Kind.Last() })
}

// Whoever leaves while a turn begins leaves no turn behind that nobody works.
func TestCallerWhoLeavesAtOnceLeavesNoStuckTurn(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	started, err := d.engine.Start(ctx, d.input("We sell bread"))
	if err != nil {
		t.Fatalf("the turn did not begin: %v", err)
	}

	if done := payload[sessions.DoneEvent](t, d.ended(started.Turn), sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the turn ended with %q, want answered", done.Reason)
	}
}

func TestNobodyLearnsOfOtherPeoplesSessions(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	in := d.input("We sell bread")
	in.ClientMessageID = "known"
	d.take(in)
	for name, change := range map[string]func(*chat.Input){
		"another person":           func(in *chat.Input) { in.User = "stranger" },
		"another person, new text": func(in *chat.Input) { in.User, in.Message = "stranger", "else" },
		"another tenant":           func(in *chat.Input) { in.Tenant = uuid.NewString() },
		"another session":          func(in *chat.Input) { in.SessionID = uuid.NewString() },
		"no id":                    func(in *chat.Input) { in.SessionID = "urn:x" },
	} {
		t.Run(name, func(t *testing.T) {
			other := in
			change(&other)

			if _, err := d.engine.Start(t.Context(), other); !fault.Is(err, fault.NotFound) {
				t.Errorf("Start = %v, want NotFound", err)
			}
		})
	}
	in.User, in.Anyone = "reviewer", true
	if started, err := d.engine.Start(t.Context(), in); err != nil || !started.Replay {
		t.Errorf("a reviewer who repeats the message: %+v, %v", started, err)
	}
}

func TestCreateRefusesUnknownContexts(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	for _, name := range []string{"", "nowhere", "Shop", "a\x00b"} {
		if _, err := d.engine.Create(t.Context(), d.scope.Tenant, "person", name); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("Create of %q = %v, want Unprocessable", name, err)
		}
	}
	if s, err := d.engine.Create(t.Context(), d.scope.Tenant, "person", "shop"); err != nil || s.ContextType != "shop" {
		t.Errorf("Create = %+v, %v", s, err)
	}
}

// Sessions that others make and end in the same moments, over and over, are not made
// a second time: the message is refused, and can be sent again.
func TestSessionsThatComeAndGoAreToldOf(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	super := postgrestest.Superuser(t, d.pool)
	exec := func(sql string) {
		if _, err := super.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE FUNCTION contend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'made meanwhile' USING ERRCODE = 'QF002'; END $$`)
	exec(`CREATE TRIGGER contend BEFORE INSERT ON elicitation_sessions FOR EACH ROW EXECUTE FUNCTION contend()`)
	in := d.input("We sell bread.")
	in.SessionID, in.User, in.ContextType = "", "newcomer", "shop"

	var f *fault.Error
	if _, err := d.engine.Start(t.Context(), in); !errors.As(err, &f) || f.Kind != fault.Conflict || f.Code != "session_contended" {
		t.Errorf("Start = %v, want the conflict session_contended", err)
	}

	exec(`DROP TRIGGER contend ON elicitation_sessions`)
	if _, err := d.engine.Start(t.Context(), in); err != nil {
		t.Errorf("the message sent again: %v", err)
	}
}
