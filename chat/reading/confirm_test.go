package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// What is neither a yes nor a no to what was read back overwrites nothing.
func TestReadBackIsNotOverwritten(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 3)

	d := chattest.Shipped(m, "business_profile")
	for _, test := range []struct{ key, held, said, want string }{
		{"business_overview", `"a small airline consulting firm"`, "ok back to it: we want more clients in freight", ""},
		{"business_overview", `"a small airline consulting firm"`, "we want more clients in freight", ""},
		{"primary_goal", `"a second van"`, "ok I'm bored now", ""},
		{"primary_goal", `"a second van"`, "no I said the business is called Pawfection Mobile, not Pawfection", ""},
		{"business_overview", `"called it something else"`, "A cheese shop with a small bar, in Ghent.", `business_overview="A cheese shop with a small bar, in Ghent"!`},
		{"primary_goal", `"a second van"`, "No, I meant a third van", `primary_goal="a third van"!`},
	} {
		s := chattest.SceneIn(d, test.key, test.said)
		chattest.Hold(s, test.key, test.held, 1)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, test.key), sessions.ToConfirm)
		u := understand(m, s)
		if got := chattest.Brief(u.Findings); got != test.want {
			m.Errorf("to confirm %s: %q finds %s, want %s", test.held, test.said, got, test.want)
		}
		if test.want == "" && (u.Intent == chat.Agree || u.Intent == chat.Disagree) {
			m.Errorf("to confirm %s: %q is taken for %s", test.held, test.said, u.Intent)
		}
	}
}
