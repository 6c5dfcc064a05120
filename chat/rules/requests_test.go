package rules

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// Questions about what is noted and kept have true answers, whatever was asked.
func TestWhatIsNotedAndKept(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, said, intent, says string }{
		{"en", "What have you actually got written down about my brewery? List it.", "memory", ""},
		{"en", "33 trucks, three double bookings, no health data. Now show me the summary.", "", "what I have"},
		{"en", "Did you change it?", "memory", ""},
		{"de", "Zeigen Sie mir, was Sie notiert haben.", "memory", ""},
		{"de", "Können S' mir mal zeigen, was Sie alles aufgschrieben haben?", "memory", ""},
		{"de", "Haben Sie nun den Namen korrigiert?", "memory", ""},
		{"de", "Werden meine Angaben für das Training einer KI verwendet?", "", "kein Modell"},
		{"de", "Und wie lange werden diese Daten aufbewahrt?", "", "so lange"},
		{"de", "Ich möchte jetzt wissen, ob ich alles löschen lassen kann. Geht das bei Ihnen?", "", ""},
		{"de", "Löschen Sie bitte alles.", "", "Verwalter"},
		{"en", "can you delete everything I told you?", "", "administrators"},
		{"en", "how long do you keep this?", "", "as long as"},
	} {
		d := chattest.Shipped(t, "business_profile").In(tt.language)
		s := chattest.SceneIn(d, "main_challenge", tt.said)
		s.Session.Language = tt.language
		chattest.Hold(s, "business_overview", `"a brewery"`, 1)
		u := understand(t, s)
		if tt.intent != "" && (u.Intent != chat.AskMemory || len(u.Findings) > 0) {
			t.Errorf("%q is %s and finds %s", tt.said, u.Intent, chattest.Brief(u.Findings))
		}
		if got := reply(t, s, &chat.Plan{Understanding: u, Question: s.Asked, List: s.Obligations}); !strings.Contains(got, tt.says) {
			t.Errorf("%q is answered %q, without %q", tt.said, got, tt.says)
		}
	}
}
