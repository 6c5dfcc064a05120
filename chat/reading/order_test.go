package reading

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/sessions"
)

// People are counted one by one, and what is put right at once holds.
func TestPeopleCountedAndFiguresPutRight(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, asked, said, want string }{
		{"en", "team_size", "just me", "team_size=1"},
		{"en", "team_size", "me and one developer", "team_size=2"},
		{"en", "team_size", "me and the three girls", "team_size=4"},
		{"en", "team_size", "me plus two", "team_size=3"},
		{"en", "team_size", "Six including me", "team_size=6"},
		{"en", "team_size", "just me, since 2019, about £38k", `team_size=1; founded="2019"+`},
		{"en", "team_size", "12 people, not 15", "team_size=12"},
		{"en", "budget", "£18k, no wait 16", "budget=16000"},
		{"en", "budget", "about 5k. no, make it 6", "budget=6000"},
		{"en", "budget", "not 5, more like 6 thousand", "budget=6000"},
		{"en", "annual_revenue", "182,000 last year I think, no 178", "annual_revenue=178000~"},
		{"en", "primary_goal", "grow weddings from 6 to 25 a year within two years", `primary_goal="grow weddings from 6 to 25 a year within two years"`},
		{"en", "target_market_size", "200. sorry, 2000", "target_market_size=2000"},
		{"en", "timeline", "june, no wait, july", `timeline="2027-07"`},
		{"de", "team_size", "nur ich", "team_size=1"},
		{"de", "team_size", "ich und zwei Gesellen", "team_size=3"},
		{"de", "team_size", "meine Frau und ich", "team_size=2"},
		{"de", "team_size", "meine Schwester und ich, seit vier Jahren, so 24.000", "team_size=2"},
		{"de", "time_available", "5 Stunden, nein, eher 4", "time_available=4"},
	} {
		d := chattest.Shipped(t, "business_profile").In(tt.language)
		s := chattest.SceneIn(d, tt.asked, tt.said)
		s.Session.Language = tt.language
		if got := chattest.Brief(understand(t, s).Findings); got != tt.want {
			t.Errorf("asked %s, %q tells %s, want %s", tt.asked, tt.said, got, tt.want)
		}
	}
}

// A sentence may take one item off a list and add another.
func TestListsChangedTwiceInASentence(t *testing.T) {
	t.Parallel()

	d := chattest.Shipped(t, "project_discovery")
	for _, said := range []string{"take Priya out and add the trustees", "In Users take Priya out and add the trustees"} {
		s := chattest.SceneIn(d, "success_criteria", said)
		chattest.Hold(s, "user_groups", `"volunteers; Priya; Tom"`, 3)
		if got, want := chattest.Brief(understand(t, s).Findings), `user_groups="volunteers; Tom; trustees"!`; got != want {
			t.Errorf("%q tells %s, want %s", said, got, want)
		}
	}
}

// A field may be taken out by its name, and by "it" once it was named; a sentence that only has the name
// at its end takes nothing out.
func TestFieldsTakenOut(t *testing.T) {
	t.Parallel()

	d := chattest.Shipped(t, "business_profile")
	for _, tt := range []struct{ said, held, want string }{
		{"Take market size out, and the subscription too, please.", "target_market_size", "target_market_size deny"},
		{"The point is market size. Delete it.", "target_market_size", "target_market_size deny"},
		{"Nothing to do with market size, please throw that out.", "target_market_size", "target_market_size deny"},
		{"Hang on, three from may when my sister joins part time", "time_available", `founded="2026-05"`}, // which was asked for
	} {
		s := chattest.SceneIn(d, "founded", tt.said)
		chattest.Hold(s, tt.held, "25", 3)
		if got := chattest.Brief(understand(t, s).Findings); got != tt.want {
			t.Errorf("%q tells %q, want %q", tt.said, got, tt.want)
		}
	}
	s := chattest.SceneIn(d, "founded", "read it back to me please")
	if u := understand(t, s); u.Intent != chat.AskMemory {
		t.Errorf("a wish to hear the notes is understood as %s", u.Intent)
	}
}

// What asks something is no answer, and a word that ends a tale does not end the interview.
func TestNoAnswerAndNoEnd(t *testing.T) {
	t.Parallel()

	s := chattest.SceneIn(chattest.Shipped(t, "business_profile"), "main_challenge", "whats the point of these questions")
	if u := understand(t, s); len(u.Findings) > 0 {
		t.Errorf("a question is taken for %s", chattest.Brief(u.Findings))
	}
	s = chattest.SceneIn(chattest.Shipped(t, "project_discovery").In("de"), "typical_task", "Man rennt halt runter und guckt, fertig.")
	s.Session.Language = "de"
	if u := understand(t, s); u.Intent == "finish" || !strings.Contains(chattest.Brief(u.Findings), "typical_task") {
		t.Errorf("a tale is understood as %s, %s", u.Intent, chattest.Brief(u.Findings))
	}
}

// What somebody answers to a form, one after the other, goes to its fields in their order.
func TestFormsInOrder(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ keys, said, want string }{
		{"timeline,budget,time_available", "March, 20k, 3", `timeline="2027-03"; budget=20000; time_available=3`},
		{"timeline,budget,time_available", "end of next year, twenty grand, five or six", `timeline="2027-12"~; budget=20000; time_available={"min":5,"max":6}~`},
		{"team_size,founded,annual_revenue", "4, 2011 and roughly 320k", `team_size=4; founded="2011"; annual_revenue=320000~`},
		{"team_size,founded,annual_revenue", "just me, nine years, no idea", `team_size=1; founded="2017"~; annual_revenue unsure`},
	} {
		keys := strings.Split(tt.keys, ",")
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile"), keys[0], tt.said)
		s.Asked = &sessions.Question{Purpose: sessions.ToForm}
		for _, key := range keys {
			s.Asked.Fields = append(s.Asked.Fields, sessions.Question{Purpose: sessions.ToAsk, Key: key})
		}
		if got := chattest.Brief(understand(t, s).Findings); got != tt.want {
			t.Errorf("%q tells %s, want %s", tt.said, got, tt.want)
		}
	}
}
