package rules

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/sessions"
)

// Who asks for a human being is told the truth, and nothing of the wish is noted.
func TestWishForHumanIsAnswered(t *testing.T) {
	t.Parallel()

	for _, test := range []struct {
		language, asked, message, contact string
		noted                             string // key of what else is told
		want                              []string
	}{
		{"", "business", "Can I speak to a human?", "", "", []string{"program", "note", "get in touch"}},
		{"", "business", "agent please", "", "", []string{"program", "note"}},
		{"", "target_market", "I'd rather talk to a real person.", "Jane Doe, +1 555 0100.", "", []string{"program", "note", "You can reach: Jane Doe, +1 555 0100."}},
		{"", "team_size", "12. Is there somebody I can talk to?", "", "team_size", []string{"12", "program", "note"}},
		{"", "business", "Let me talk to a human, I want to stop here", "Jane Doe", "", []string{"program", "Jane Doe"}},
		{"de", "business", "Kann ich mit einem Menschen sprechen?", "", "", []string{"Programm", "Notiz", "melden"}},
		{"de", "business", "Gibt es einen Ansprechpartner?", "Frau Meier, 030 1234", "", []string{"Programm", "Notiz", "Sie erreichen: Frau Meier, 030 1234."}},
		{"de", "business", "Mitarbeiter bitte", "", "", []string{"Programm", "Notiz"}},
	} {
		t.Run(test.message, func(t *testing.T) {
			t.Parallel()

			s := chattest.Scene(test.asked, test.message)
			s.Session.Language, s.Contact = test.language, test.contact
			if test.language != "" {
				s.Session.LanguageSource = sessions.LanguageAsked
			}
			p := planOf(t, s, "launch")
			p.Understanding = chat.Screen(s, p.Understanding, nil)
			u := &p.Understanding
			if !chat.AsksForHuman(u) {
				t.Fatalf("understood as %+v, want a wish for a human being", *u)
			}
			for _, f := range u.Findings {
				if f.Key != test.noted {
					t.Errorf("%s is taken from it: %s %s", f.Key, f.Act, f.Value)
				}
			}
			text := reply(t, s, p)
			for _, w := range test.want {
				if !strings.Contains(text, w) {
					t.Errorf("the reply %q lacks %q", text, w)
				}
			}
			if strings.Count(text, "rogram") > 1 {
				t.Errorf("the reply %q says it twice", text)
			}
		})
	}

	for _, message := range []string{"We speak to people at the market", "we have 7 people", "Our customers talk to a human on the phone",
		"id love to get to the point where i can hire someone cos im knackered", "thats right aye. that an someone to hand the van keys to", "Ich brauche jemanden, der mir im Laden hilft"} {
		s := chattest.Scene("business", message)
		if u := chat.Screen(s, understand(t, s), nil); chat.AsksForHuman(&u) {
			t.Errorf("%q is heard as a wish for a human being: %+v", message, u.Beside)
		}
	}
}
