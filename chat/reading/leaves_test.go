package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// Who has to go, or wants to go on another day, leaves; whoever speaks of the business does not.
func TestWhoGoesLeaves(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, in string
		leaves       bool
	}{
		{"en", "I need to leave for a meeting", true}, {"en", "I'm about to leave for lunch", true}, {"en", "I'm too tired to go on", true}, {"en", "And I said bye.", true},
		{"en", "ok i need to sleep now, can we carry on another day?", true}, {"en", "Can we wrap up?", true}, {"en", "I have to go to a meeting", true},
		{"de", "ich muss jetzt schlafen, können wir morgen weitermachen?", true}, {"de", "Damit möchte ich schließen.", true}, {"de", "ich muss gleich rein", true},
		{"en", "we have to go to every trade fair in the county", false}, {"en", "people leave after one season", false}, {"de", "die Leute müssen weit fahren", false},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile").In(tt.language), "main_challenge", tt.in)
		s.Session.Language = tt.language
		u := understand(t, s)
		if got := u.Intent == chat.Leave || u.Intent == chat.Finish; got != tt.leaves || got && len(u.Findings) > 0 {
			t.Errorf("%q is %s with %s", tt.in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}
