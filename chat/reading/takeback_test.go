package reading

import (
	"testing"
)

// What was told last is reopened by whoever takes it back, in whatever words.
func TestWhatWasToldLastIsTakenBack(t *testing.T) {
	t.Parallel()

	for language, messages := range map[string][]string{
		"en": {"my last answer was wrong", "scrap what I said before", "that was meant for the other one", "forget the last thing I said", "what I just said is wrong", "ignore my previous message",
			"that last bit was nonsense, please delete it", "sorry, I got the last one wrong", "disregard what I told you a moment ago", "that answer belonged to the other question", "take back what I said last"},
		"de": {"vergiss das Letzte", "vergessen Sie, was ich eben gesagt habe", "streichen Sie das Letzte", "das war für die andere Frage", "das eben stimmte nicht", "das Letzte war Quatsch, bitte löschen",
			"nehmen Sie das von eben zurück", "die letzte Angabe war falsch", "das gehörte zur anderen Frage", "ignorieren Sie meine letzte Nachricht"},
	} {
		for _, in := range messages {
			for _, asked := range []string{"budget", "main_challenge", "sales_channels"} {
				x := spokenTo{language, "business_profile", asked, []string{`target_market="families"`, "team_size=12"}, in, ""}
				if intent, got := x.understood(t); intent != "disagree" || got != "team_size deny" {
					t.Errorf("asked %s, Understand(%q) = %s, %s; want the last answer taken back", asked, in, intent, got)
				}
			}
		}
	}
}

// What has such words and says something takes nothing back.
func TestWhatTakesNothingBack(t *testing.T) {
	t.Parallel()

	held := []string{`target_market="families"`, "team_size=12"}
	for _, x := range []spokenTo{
		{"en", "business_profile", "main_challenge", held, "the last supplier got it wrong", `main_challenge="the last supplier got it wrong"`},
		{"en", "business_profile", "main_challenge", held, "people forget what they ordered last", `main_challenge="people forget what they ordered last"`},
		{"en", "business_profile", "competitors", held, "the other bakery at the station", `competitors="the other bakery at the station"`},
		{"de", "business_profile", "main_challenge", held, "die letzte Lieferung war falsch", `main_challenge="die letzte Lieferung war falsch"`},
		{"de", "business_profile", "main_challenge", held, "Kunden vergessen ihre Termine", `main_challenge="Kunden vergessen ihre Termine"`},
	} {
		if _, got := x.understood(t); got != x.want {
			t.Errorf("Understand(%q) finds %s, want %s", x.in, got, x.want)
		}
	}
}
