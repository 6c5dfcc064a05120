package rules

import (
	"testing"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// What is neither a yes nor a no to what was read back overwrites nothing.
func TestReadBackIsNotOverwritten(t *testing.T) {
	t.Parallel()
	m := measured(t, 3)

	d := shipped(m, "business_profile")
	for _, test := range []struct{ key, held, said, want string }{
		{"business_overview", `"a small airline consulting firm"`, "ok back to it: we want more clients in freight", ""},
		{"business_overview", `"a small airline consulting firm"`, "we want more clients in freight", ""},
		{"primary_goal", `"a second van"`, "ok I'm bored now", ""},
		{"primary_goal", `"a second van"`, "no I said the business is called Pawfection Mobile, not Pawfection", ""},
		{"business_overview", `"called it something else"`, "A cheese shop with a small bar, in Ghent.", `business_overview="A cheese shop with a small bar, in Ghent"!`},
		{"primary_goal", `"a second van"`, "No, I meant a third van", `primary_goal="a third van"!`},
	} {
		s := sceneIn(d, test.key, test.said)
		hold(s, test.key, test.held, 1)
		s.Asked = ask(obligations.Find(s.Obligations, test.key), sessions.ToConfirm)
		u := understand(m, s)
		if got := brief(u.Findings); got != test.want {
			m.Errorf("to confirm %s: %q finds %s, want %s", test.held, test.said, got, test.want)
		}
		if test.want == "" && (u.Intent == chat.Agree || u.Intent == chat.Disagree) {
			m.Errorf("to confirm %s: %q is taken for %s", test.held, test.said, u.Intent)
		}
	}
}
