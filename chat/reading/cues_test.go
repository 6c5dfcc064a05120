package reading

import (
	"context"
	"strings"
	"testing"

	"quaestor/chat/chattest"
)

// TestCuedSentences holds that a sentence with a cue of another field is noted for that, whatever was
// asked, and never taken for a refusal to answer.
func TestCuedSentences(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []struct{ language, asked, said, want string }{
		{"en", "annual_revenue", "we sell to dentists and vets in three counties", `target_market="dentists and vets in three counties"`},
		{"en", "founded", "They choose us because we answer the phone at night", `differentiator="we answer the phone at night"`},
		{"en", "annual_revenue", "we struggle with the rota more than with anything", `main_challenge="the rota more than with anything"`},
		{"en", "founded", "I'd say it worked if my daughter could have her Sundays back", `success_measure="my daughter could have her Sundays back"`},
		{"en", "annual_revenue", "the biggest problem is the stairs", `main_challenge="the stairs"`},
		{"en", "team_size", "what's holding us back is the lease", `main_challenge="the lease"`},
		{"en", "team_size", "the lease is holding us back", `main_challenge="the lease"`},
		{"en", "annual_revenue", "we hope to move into the old dairy, that's the plan", `primary_goal="move into the old dairy"`},
		{"de", "annual_revenue", "wir verkaufen an Tierärzte im ganzen Landkreis", `target_market="Tierärzte im ganzen Landkreis"`},
		{"de", "founded", "das größte Problem ist die Treppe", `main_challenge="die Treppe"`},
		// It is said not to be so, asked, or of what was.
		{"en", "annual_revenue", "I wouldn't say we struggle with the rota", ""},
		{"en", "annual_revenue", "do we sell to dentists, you mean?", ""},
		{"en", "annual_revenue", "we used to sell to dentists and vets", ""},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile").In(tt.language), tt.asked, tt.said)
		s.Session.Language = tt.language
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		got := chattest.Brief(u.Findings)
		if tt.want == "" && (strings.Contains(got, "target_market=") || strings.Contains(got, "main_challenge=")) || tt.want != "" && !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q in answer to %s is read as %s, %s, want %s", tt.said, tt.asked, got, u.Intent, tt.want)
		}
	}
}

// TestToldInsteadOfWithheld holds that a sentence that says something is no "I don't know" and no "leave
// it out" unless it says so.
func TestToldInsteadOfWithheld(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for said, want := range map[string]string{
		"they trip over the hose in the yard and blame the dog": "unclear",
		"our van went through the MOT with two advisories":      "unclear",
		"I honestly couldn't tell you that off the cuff":        "dont_know",
		"I'd rather keep that one to myself if you don't mind":  "skip",
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile"), "annual_revenue", said)
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		if withheld := u.Intent == "dont_know" || u.Intent == "skip" || u.Intent == "later"; withheld != (want != "unclear") {
			t.Errorf("%q is taken for %s: %s", said, u.Intent, chattest.Brief(u.Findings))
		}
	}
}

// TestOwnWordsInPlaceOfChoices holds that a question that takes other answers than its choices takes
// them once the choices were shown.
func TestOwnWordsInPlaceOfChoices(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []struct {
		asked, said string
		attempt     int
		want        string
	}{
		{"revenue_model", "coins, vouchers, the odd cheque", 2, `revenue_model=["coins","vouchers","the odd cheque"]`},
		{"sales_channels", "a chalkboard outside, word of mouth and my uncle's taxi", 2, `sales_channels=["a chalkboard outside","word_of_mouth","my uncle's taxi"]`},
		{"revenue_model", "coins, vouchers, the odd cheque", 1, ""},
		{"revenue_model", "the cat has just been sick, one moment", 2, ""},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile"), tt.asked, tt.said)
		s.Asked.Attempt = tt.attempt
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		got := chattest.Brief(u.Findings)
		if tt.want != "" && got != tt.want || tt.want == "" && (strings.Contains(got, "coins") || strings.Contains(got, "cat")) {
			t.Errorf("%q, asked for the %d. time, is read as %s, want %s", tt.said, tt.attempt, got, tt.want)
		}
	}
}

// TestPriceOfOne holds that the price of one of something is not what comes in in a year.
func TestPriceOfOne(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []struct{ language, said, want string }{
		{"en", "We take 45 pounds a head", ""},
		{"en", "it's 9 a week per stall", ""},
		{"de", "Wir nehmen 20 Euro pro Hund", ""},
		{"de", "12 Euro pro Kopf", ""},
		{"en", "about 72,000 a year", "annual_revenue=72000~"},
		{"en", "£30 each, so about 40k a year", "annual_revenue=40000~"},
		{"de", "ungefähr 60.000 Euro im Jahr", "annual_revenue=60000~"},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile").In(tt.language), "annual_revenue", tt.said)
		s.Session.Language = tt.language
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		if got := chattest.Brief(u.Findings); got != tt.want {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestNobodyToTalkTo holds that whoever tells of people who need to talk to nobody asks for no human
// being.
func TestNobodyToTalkTo(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for said, human := range map[string]bool{
		"u dont have to ring anybody u just drop it in the hatch": false,
		"nobody has to speak to a person for it":                  false,
		"I want to speak to a person about this":                  true,
		"is there somebody I could ring":                          true,
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile"), "differentiator", said)
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		asks := false
		for _, r := range u.Beside {
			asks = asks || r.Act == "human"
		}
		if asks != human {
			t.Errorf("%q asks for a human being: %t; %+v", said, asks, u.Beside)
		}
	}
}

// TestFieldsPutRight holds that a sentence that names a field and says what it is instead replaces what
// is held of it, whatever was asked.
func TestFieldsPutRight(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []struct{ language, asked, key, held, said, want string }{
		{"en", "success_measure", "primary_goal", `"win over hotels"`, "My goal isn't the hotels, it's a steady order from two schools", `primary_goal="a steady order from two schools"!`},
		{"en", "budget", "primary_goal", `"win over hotels"`, "the goal is not hotels but a steady order from a school", `primary_goal="a steady order from a school"!`},
		{"en", "annual_revenue", "main_challenge", `"finding drivers"`, "Put down that the biggest problem is the fuel.", `main_challenge="the fuel"!`},
		{"en", "annual_revenue", "main_challenge", `"finding drivers"`, "the biggest problem is the fuel, write that down", `main_challenge="the fuel"!`},
		{"en", "budget", "main_challenge", `"finding drivers"`, "No, the biggest problem isn't drivers.", `main_challenge deny`},
		{"de", "budget", "primary_goal", `"Hotels gewinnen"`, "Mein Ziel sind nicht die Hotels, sondern ein fester Auftrag von zwei Schulen", `primary_goal="ein fester Auftrag von zwei Schulen"!`},
		{"de", "budget", "main_challenge", `"Fahrer"`, "Schreiben Sie auf: das größte Problem ist die Zeit", `main_challenge="die Zeit"!`},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "business_profile").In(tt.language), tt.asked, tt.said)
		s.Session.Language = tt.language
		chattest.Hold(s, tt.key, tt.held, 1)
		s.Turn = 3
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		if got := chattest.Brief(u.Findings); got != tt.want {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}
