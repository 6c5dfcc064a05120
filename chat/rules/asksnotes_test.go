package rules

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/sessions/objectives"
)

// garden is a small objective with fields that people ask after.
func garden(language string) (d *objectives.Definition, asked string) {
	if language == "de" {
		return chattest.Bakery(), "start"
	}
	return &objectives.Definition{ContextType: "test", Obligations: chattest.Templates()}, "launch"
}

// A question what is noted of one thing is answered with that, one whether a change was made with what
// stands there now, and one about everything with all of it.
func TestWhatIsNotedIsToldWhenAskedFor(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, tt := range []struct{ language, said, want, not string }{
		{"en", "What's the team size down as?", "Team size: 12 people", "Bakes"},
		{"en", "what have you put for runway?", "for “Runway”", "Bakes"},
		{"en", "Team size 12, noted?", "Yes, ", "Bakes"},
		{"en", "did you fix the 12?", "Team size: 12 people", "Bakes"},
		{"en", "Have you got what I told you about the clinics?", "small clinics", "12 people"},
		{"en", "Did you catch what I said about parking?", "noted about that yet", "clinics"},
		{"en", "Can you go over what you've written so far?", "clinics", ""},
		{"en", "Could I see your notes for a moment?", "12 people", ""},
		{"en", "Would you run me through the list, please?", "12 people", ""},
		{"de", "Wie viele Mitarbeitende hast du notiert?", "Mitarbeitende: 12", "Reste"},
		{"de", "Zeigen Sie mal, was Sie bei Mitarbeitende stehen haben.", "Mitarbeitende: 12", "Reste"},
		{"de", "Was steht denn bei Verkaufswege?", "Zu „Verkaufswege“", "12"},
		{"de", "Budget 9000 vermerkt?", "Budget: 9.000", "Reste"},
		{"de", "Haben Sie die 9000 angepasst?", "Budget: 9.000", "Reste"},
		{"de", "Haben Sie das mit den Resten mitbekommen?", "Weniger Reste", "9.000"},
		{"de", "Darf ich die Liste mal sehen?", "Weniger Reste", ""},
		{"de", "Lesen Sie mir vor, was Sie bisher haben?", "9.000", ""},
	} {
		d, asked := garden(tt.language)
		s := chattest.SceneIn(d, asked, tt.said)
		s.Session.Language = tt.language
		if tt.language == "de" {
			chattest.Hold(s, "vorhaben", `"Weniger Reste am Abend"`, 1)
			chattest.Hold(s, "budget", "9000", 2)
			chattest.Hold(s, "leute", "12", 3)
		} else {
			chattest.Hold(s, "business", `"Bakes bread"`, 1)
			chattest.Hold(s, "target_market", `"small clinics"`, 2)
			chattest.Hold(s, "team_size", "12", 3)
		}
		u := understand(m, s)
		got := strings.ReplaceAll(reply(m, s, &chat.Plan{Understanding: u, Question: s.Asked, List: s.Obligations}), "**", "")
		if !strings.Contains(strings.ToLower(got), strings.ToLower(tt.want)) || tt.not != "" && strings.Contains(got, tt.not) || len(u.Findings) > 0 {
			m.Errorf("%q (%s %s) is answered\n%s\nwant %q in it, and not %q", tt.said, u.Intent, chattest.Brief(u.Findings), got, tt.want, tt.not)
		}
	}
}

// Whoever answers and asks what is noted gets both.
func TestAnswerAndQuestionWhatIsNoted(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, tt := range []struct{ language, said, finds, want string }{
		{"en", "In May 2027. Could you read back what you've got so far?", `launch="2027-05"`, "12"},
		{"en", "May 2027. What have you got for team size?", `launch="2027-05"`, "12 people"},
		{"en", "May 2027, have you got that written down?", `launch="2027-05"`, ""},
		{"de", "Im Mai 2027. Und was steht bei Mitarbeitende?", `start="2027-05"`, "12"},
		{"de", "Mai 2027. Darf ich Ihre Notizen mal sehen?", `start="2027-05"`, "12"},
		{"de", "Mai 2027, haben Sie das notiert?", `start="2027-05"`, ""},
	} {
		d, asked := garden(tt.language)
		s := chattest.SceneIn(d, asked, tt.said)
		s.Session.Language = tt.language
		key := "team_size"
		if tt.language == "de" {
			key = "leute"
		}
		chattest.Hold(s, key, "12", 3)
		u := understand(m, s)
		got := reply(m, s, chat.Decide(s, u))
		if chattest.Brief(u.Findings) != tt.finds || !strings.Contains(got, tt.want) {
			m.Errorf("%q finds %s, want %s, and is answered\n%s\nwant %q in it", tt.said, chattest.Brief(u.Findings), tt.finds, got, tt.want)
		}
	}
}

// What has the words of such questions and is none.
func TestWhatAsksForNoNotes(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, tt := range []struct{ language, asked, said string }{
		{"en", "business", "We keep records of old buildings"},
		{"en", "business", "I take notes for people at conferences"},
		{"en", "business", "We list flats and show them to people"},
		{"en", "competitors", "Two of them have put their prices up already"},
		{"en", "competitors", "Those on the list of the town hall, mostly"},
		{"en", "competitors", "The shop next door, unless you have a better budget?"},
		{"en", "business", "It's written down in the statutes: teaching and research"},
		{"de", "vorhaben", "Ich will meine Rezepte aufschreiben und vorlesen"},
		{"de", "vorhaben", "Alles soll auf einer Liste stehen"},
		{"de", "vorhaben", "Meine Kunden sollen sehen, was es schon gibt"},
		{"de", "vorhaben", "Wir haben bisher keine Notizen gemacht und wollen das ändern"},
	} {
		d, _ := garden(tt.language)
		s := chattest.SceneIn(d, tt.asked, tt.said)
		s.Session.Language = tt.language
		if u := understand(m, s); u.Intent != chat.Answer || len(u.Findings) == 0 || u.Findings[0].Key != tt.asked {
			m.Errorf("%q is %s and finds %s, want an answer", tt.said, u.Intent, chattest.Brief(u.Findings))
		}
	}
}
