package language_test

import (
	"testing"

	"quaestor/internal/language"
)

func TestQuestionsWithinASentence(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ tag, question, want string }{
		{"en", "What is the project about?", "what the project is about"},
		{"en", "What do you sell?", "what you sell"},
		{"en", "What does your business do, in your own words?", "what your business does"},
		{"en", "What is your budget?", "your budget"},
		{"en", "Who is your target market?", "who your target market is"},
		{"en", "Where would you like to open?", "where you would like to open"},
		{"en", "What are you trying to achieve?", "what you are trying to achieve"},
		{"en", "What would you most like to achieve with the business next?", "what you would most like to achieve with the business next"},
		{"en", "Do you have competitors?", ""},
		{"en", "To begin with, what is this project about, in your own words?", "what this project is about"},
		{"de", "Zum Einstieg: Worum geht es in diesem Projekt, in Ihren eigenen Worten?", "worum es in diesem Projekt geht"},
		{"en", "What is your business trying to do?", ""},
		{"en", "How large is your company?", ""},
		{"de", "Worum geht es bei dem Projekt?", "worum es bei dem Projekt geht"},
		{"de", "Was möchten Sie mit Ihrer Bäckerei erreichen?", "was Sie mit Ihrer Bäckerei erreichen möchten"},
		{"de", "Was stellen Sie her?", "was Sie herstellen"},
		{"de", "Wie hoch ist Ihr Budget für das Vorhaben?", "wie hoch Ihr Budget für das Vorhaben ist"},
		{"de", "Welche Kunden haben Sie?", "welche Kunden Sie haben"},
		{"de", "Haben Sie Mitbewerber?", ""},
		{"de", "Was sagen Sie, wenn jemand fragt: Was tun Sie?", ""},
		{"fr", "Que vendez-vous ?", ""},
	} {
		if got := language.Indirect(tt.tag, tt.question); got != tt.want {
			t.Errorf("Indirect(%q) = %q, want %q", tt.question, got, tt.want)
		}
	}
}

// What is said back stands alone: it is a thing or a thought, and neither a scrap nor a verb alone.
func TestWhatStandsAlone(t *testing.T) {
	t.Parallel()

	for tag, list := range map[string]map[string]bool{
		"en": {"a bakery in Leeds": true, "you lost two bakers": true, "small clinics in Kent": true, "the old ovens": true, "people don't come back": true, "three vans and a trailer": true,
			"gone": false, "open second shop": false, "that would": false, "baker, owner": false, "get more hotels": false, "to sell online": false, "closed on Mondays": false, "which one of them": false, "bread with": false, "makes us happy": false},
		"de": {"eine Bäckerei in Dresden": true, "Sie verkaufen Ihr Brot an Cafés": true, "Stammkunden aus der Nachbarschaft": true, "zwei alte Öfen": true, "Ihr kleiner Laden": true, "drei Wagen und ein Anhänger": true,
			"weg": false, "zweiten Laden aufmachen": false, "das wäre": false, "Bäcker, Chef": false, "mehr online verkaufen": false, "um früher zu schließen": false, "immer montags geschlossen": false, "was wir haben": false, "Brot mit": false},
	} {
		for text, want := range list {
			if got := language.StandsAlone(tag, text); got != want {
				t.Errorf("StandsAlone(%q) = %t", text, got)
			}
		}
	}
}
