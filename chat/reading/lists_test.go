package reading

import (
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// spokenTo is a message in answer to a question, and what comes of it.
type spokenTo struct {
	language, objective string
	asked               string   // with ? where its value is read back
	held                []string // key=value, in the order they were told
	in, want            string
}

// understood returns what the message wants and tells.
func (x *spokenTo) understood(t testing.TB) (intent, findings string) {
	t.Helper()
	key, confirming := strings.CutSuffix(x.asked, "?")
	s := chattest.SceneIn(chattest.Shipped(t, x.objective).In(x.language), key, x.in)
	s.Session.Language = x.language
	for i, h := range x.held {
		k, v, _ := strings.Cut(h, "=")
		chattest.Hold(s, k, v, i+1)
	}
	if confirming {
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToConfirm)
	}
	u := understand(t, s)
	return string(u.Intent), chattest.Brief(u.Findings)
}

// checkSpoken compares what comes of messages with what should.
func checkSpoken(t testing.TB, list []spokenTo) {
	t.Helper()
	for _, x := range list {
		if _, got := x.understood(t); got != x.want {
			t.Errorf("%s, asked %s, Understand(%q) finds\n     %s\nwant %s", x.language, x.asked, x.in, got, x.want)
		}
	}
}

// "oh and also social media" was nothing while a figure was asked for.
func TestListsGrowAndShrink(t *testing.T) {
	t.Parallel()

	const bp, pd = "business_profile", "project_discovery"
	market := []string{`sales_channels=["word_of_mouth"]`, `target_market="families"`}
	markt := []string{`sales_channels=["word_of_mouth"]`, `target_market="Familien"`}
	kinds := []string{`data_kinds=["contact_details","health"]`}
	must, muss := []string{`core_requirements="book appointments; send reminders"`}, []string{`core_requirements="Termine buchen; Erinnerungen verschicken"`}
	checkSpoken(t, []spokenTo{
		{"en", bp, "budget", market, "oh and also social media", `sales_channels=["word_of_mouth","social_media"]!`},
		{"en", bp, "budget", market, "plus my own website", `sales_channels=["word_of_mouth","own_website"]!`},
		{"en", bp, "budget", market, "oh and tourists too", `target_market="families; tourists"!`},
		{"en", bp, "budget", market, "and one more: hikers", `target_market="families; hikers"!`},
		{"en", bp, "budget", market, "Pensioners as well.", `target_market="families; Pensioners"!`},
		{"en", bp, "competitors", market, "add tourists to the target market please", `target_market="families; tourists"!`},
		{"en", bp, "target_market?", market, "yes, and also school classes", `target_market="families; school classes"!`},
		{"en", pd, "timeline", must, "oh, and print labels on top", `core_requirements="book appointments; send reminders; print labels"!`},
		{"en", pd, "timeline", must, "add a calendar view to the list", `core_requirements="book appointments; send reminders; calendar view"!`},
		{"en", pd, "timeline", must, "take reminders off the list", `core_requirements="book appointments"!`},
		{"en", pd, "timeline", kinds, "oh, and payment details too", `data_kinds=["contact_details","health","payment"]!`},
		{"en", pd, "timeline", kinds, "health out again please", `data_kinds=["contact_details"]!`},
		{"en", pd, "timeline", kinds, "without health", `data_kinds=["contact_details"]!`},
		{"en", bp, "budget", market, "you can leave out families", "target_market deny"},
		{"en", bp, "budget", market, "drop word of mouth from the sales channels", "sales_channels deny"},

		{"de", bp, "budget", markt, "ach ja, und soziale Medien", `sales_channels=["word_of_mouth","social_media"]!`},
		{"de", bp, "budget", markt, "eigene Website noch dazu", `sales_channels=["word_of_mouth","own_website"]!`},
		{"de", bp, "budget", markt, "und Touristen auch", `target_market="Familien; Touristen"!`},
		{"de", bp, "budget", markt, "und noch eins: Schulklassen", `target_market="Familien; Schulklassen"!`},
		{"de", bp, "competitors", markt, "füge Touristen zur Zielgruppe hinzu", `target_market="Familien; Touristen"!`},
		{"de", pd, "timeline", muss, "Etiketten drucken muss auch noch drauf", `core_requirements="Termine buchen; Erinnerungen verschicken; Etiketten drucken"!`},
		{"de", pd, "timeline", muss, "setzen Sie die Kalenderansicht noch auf die Liste", `core_requirements="Termine buchen; Erinnerungen verschicken; Kalenderansicht"!`},
		{"de", pd, "timeline", muss, "nehmen Sie die Erinnerungen von der Liste", `core_requirements="Termine buchen"!`},
		{"de", pd, "timeline", kinds, "Gesundheit bitte wieder raus", `data_kinds=["contact_details"]!`},
		{"de", pd, "timeline", kinds, "ohne Gesundheit", `data_kinds=["contact_details"]!`},
		{"de", bp, "budget", markt, "streichen Sie Familien wieder", "target_market deny"},
		{"de", bp, "budget", markt, "nimm Mundpropaganda von der Liste", "sales_channels deny"},
	})
}

// What only sounds like it is the answer to the question.
func TestAnswersThatAddToNoList(t *testing.T) {
	t.Parallel()

	const bp = "business_profile"
	held, gehalten := []string{`target_market="families"`}, []string{`target_market="Familien"`}
	checkSpoken(t, []spokenTo{
		{"en", bp, "main_challenge", held, "we forgot about marketing", `main_challenge="we forgot about marketing"`},
		{"en", bp, "main_challenge", held, "also the rent", `main_challenge="also the rent"`},
		{"en", bp, "primary_goal", held, "add two more shops to the business", `primary_goal="add two more shops to the business"`},
		{"en", bp, "primary_goal", held, "take the shop to the next level", `primary_goal="take the shop to the next level"`},
		{"en", bp, "competitors", held, "the supermarket too", `competitors="the supermarket"`},
		{"en", bp, "sales_channels", held, "word of mouth, and social media too", `sales_channels=["word_of_mouth","social_media"]`},
		{"de", bp, "sales_channels", gehalten, "Mundpropaganda und auch soziale Medien", `sales_channels=["word_of_mouth","social_media"]`},
		{"de", bp, "team_size", gehalten, "ohne mich zwölf", "team_size=12"},
		{"de", bp, "primary_goal", gehalten, "ohne Schulden dastehen", `primary_goal="ohne Schulden dastehen"`},
	})
}
