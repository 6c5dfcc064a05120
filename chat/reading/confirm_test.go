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

// What begins with nobody or nothing in answer to a read-back is told as it stands: without the word it
// would be the contrary.
func TestNobodyIsNoNo(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, said, want string }{
		{"en", "nobody knows who has the key", `"nobody knows who has the key"`},
		{"en", "nothing works in the cellar", `"nothing works in the cellar"`},
		{"en", "no, the key is always gone", `"the key is always gone"`},
		{"de", "niemand weiß, wer den Schlüssel hat", `"niemand weiß, wer den Schlüssel hat"`},
	} {
		d := chattest.Shipped(t, "idea_discovery").In(tt.language)
		s := chattest.SceneIn(d, "problem", tt.said)
		s.Session.Language = tt.language
		chattest.Hold(s, "problem", `"the kids are ill"`, 1)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, "problem"), sessions.ToConfirm)
		u := understand(t, s)
		if len(u.Findings) != 1 || string(u.Findings[0].Value) != tt.want {
			t.Errorf("%q tells %q, want %s", tt.said, chattest.Brief(u.Findings), tt.want)
		}
	}
}
