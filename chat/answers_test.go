package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/sessions"
)

// A widget for something that the session does not ask used to be dropped silently. It is
// refused by name, and neither a turn nor a session begins.
func TestAnswerToWhatIsNotAskedIsRefusedByName(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	before := d.session()
	for name, change := range map[string]func(*chat.Input){
		"in its session":        func(*chat.Input) {},
		"in the active session": func(in *chat.Input) { in.SessionID, in.ContextType = "", "shop" },
		"in a session to begin": func(in *chat.Input) { in.SessionID, in.ContextType, in.User = "", "shop", "newcomer" },
		"by a reviewer":         func(in *chat.Input) { in.User, in.Anyone = "rita", true },
	} {
		t.Run(name, func(t *testing.T) {
			in := d.input("We sell bread")
			in.Answers = map[string]json.RawMessage{"team_size": json.RawMessage(`4`), "colour": json.RawMessage(`"red"`)}
			change(&in)

			_, err := d.engine.Start(t.Context(), in)

			if f, ok := err.(*fault.Error); !ok || f.Kind != fault.Unprocessable || f.Field != "answers.colour" || f.Code != "answer_unknown" {
				t.Errorf("Start = %#v, want Unprocessable at answers.colour", err)
			}
		})
	}
	if after := d.session(); after.Turns != before.Turns || after.Version != before.Version {
		t.Errorf("the session is at turn %d, version %d, want %d and %d as before", after.Turns, after.Version, before.Turns, before.Version)
	}
	if list, err := sessions.List(t.Context(), d.pool, sessions.Filter{Tenant: d.scope.Tenant, User: "newcomer", Max: 5}); err != nil || len(list) != 0 {
		t.Errorf("a refused message began %d sessions, %v", len(list), err)
	}
	in := d.input("")
	in.Answers = map[string]json.RawMessage{"team_size": json.RawMessage(`4`)}
	if done := payload[sessions.DoneEvent](t, d.take(in), sessions.KindDone); done.Reason != "answered" {
		t.Errorf("an answer to what is asked ended with %q", done.Reason)
	}
}

// An answer that cannot be the value used to become a turn, and only the reply told that it
// was in vain. It is refused by name, and no turn begins.
func TestAnswerThatDoesNotFitIsRefusedByNameAndRemedy(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	before := d.session()
	for _, tt := range []struct{ key, value, says string }{
		{"team_size", `"four"`, "must be a number"},
		{"team_size", `null`, "must be a number"},
		{"team_size", `3.5`, "must be a whole number"},
		{"team_size", `9000`, "must be at most 500"},
		{"channel", `"nowhere"`, "must be one of street, online"},
		{"channel", `["street"]`, "must be one of street, online"},
		{"founded", `"soon"`, "must be a date such as"},
		{"business", `{"min":1,"max":2}`, "must be a text"},
	} {
		in := d.input("We sell bread")
		in.Answers = map[string]json.RawMessage{tt.key: json.RawMessage(tt.value)}

		_, err := d.engine.Start(t.Context(), in)

		if f, ok := err.(*fault.Error); !ok || f.Kind != fault.Unprocessable || f.Field != "answers."+tt.key || f.Code != "answer_unfit" || !strings.Contains(f.Message, tt.says) {
			t.Errorf("Start with %s for %s = %v, want one at answers.%s that says %q", tt.value, tt.key, err, tt.key, tt.says)
		}
	}
	if after := d.session(); after.Turns != before.Turns || after.Version != before.Version {
		t.Errorf("the session is at turn %d, version %d, want %d and %d as before", after.Turns, after.Version, before.Turns, before.Version)
	}
}

// Errors about answers tell strangers nothing about a session that is not theirs.
func TestUnknownAnswersDoNotGiveSessionsAway(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	in := d.input("")
	in.User, in.Answers = "stranger", map[string]json.RawMessage{"colour": json.RawMessage(`1`)}

	if _, err := d.engine.Start(t.Context(), in); !fault.Is(err, fault.NotFound) {
		t.Errorf("Start = %v, want NotFound", err)
	}
}
