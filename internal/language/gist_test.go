package language_test

import (
	"testing"

	"quaestor/internal/language"
)

func TestGistSaysBackWhatCounts(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ tag, text, want string }{
		{"en", "We run a small bakery in Leipzig and I have about five minutes", "a small bakery in Leipzig"},
		{"en", "Well, we run a bakery.", "a bakery"},
		{"en", "Our main problem is that people don't come back after the first order", "people don't come back"},
		{"en", "Sourdough, mostly. We sell to cafés.", "Sourdough, mostly"},
		{"en", "to open a second shop", "to open a second shop"},
		{"en", "I'd say small clinics", "small clinics"},
		{"en", "I lost two bakers", "you lost two bakers"},
		{"en", "We sell bread, and 12 people work there", "you sell bread"},
		{"en", "because the first one is full and people wait", ""},
		{"en", "that people don't come back", "people don't come back"},
		{"en", "I was ill", "you were ill"},
		{"de", "Wir verkaufen unser Brot an Cafés", "Sie verkaufen Ihr Brot an Cafés"},
		{"en", "Missed appointments fall from 20 to 8 percent within six months", ""},
		{"en", "A patient calls, we look in the book and offer three times", ""},
		{"en", "We are quite small", "you are quite small"},
		{"en", "We are a clinic", "a clinic"},
		{"de", "Ich backe Brot", ""},
		{"de", "ich hab ne kleine Fahrradwerkstatt in Kiel, wir sind zu dritt", "kleine Fahrradwerkstatt in Kiel"},
		{"en", "it's my father's old workshop", "your father's old workshop"},
		{"en", "Everything we ever wanted has to go through head office eventually somehow", ""},
		{"en", "is", ""},
		{"en", "", ""},
		{"en", "cafés", "cafés"},
		{"de", "Wir haben eine Bäckerei mit Café in Dresden", "eine Bäckerei mit Café in Dresden"},
		{"de", "Wir wollen mehr online verkaufen", "Sie wollen mehr online verkaufen"},
		{"de", "Also, unser größtes Problem ist, dass die Leute nach der ersten Bestellung wegbleiben", ""},
		{"de", "Stammkunden aus der Nachbarschaft", "Stammkunden aus der Nachbarschaft"},
		{"en", "We repair and service commercial coffee machines for cafés and hotels", ""},
		{"en", "Earplugs and passive-aggressive notes in the lift beside the door", ""},
		{"en", "The rent went up 18% in January and keeps me awake", ""},
		{"en", "run by the end of June next year, that date is fixed", ""},
		{"de", "Weil im Moment alles auf einem Plan an der Tür hängt", ""},
		{"de", "Dass jeder auf dem Handy sieht, wann er arbeitet", ""},
		{"de", "Der Herr Brandl aus der IT hat gesagt, dass es bis März steht", ""},
		{"de", "Termintreue über 98 % und Sauberkeit nach der Norm", ""},
		{"en", "long day. I run a barber shop in Leith", "a barber shop in Leith"},
		{"en", "Bread. We sell to cafés.", "Bread"},
		{"de", "Langer Tag. Wir haben eine Werkstatt in Kiel", "eine Werkstatt in Kiel"},
		{"en", "time mate. evenings doing quotes n invoices", "time"},
		{"en", "get a lad trained up so i can get off the tools", ""},
		{"de", "Man rennt. Drei Mal diese Woche.", ""},
		{"de", "Erstmal die drei Gesellen halten", ""},
		{"de", "Frau Dr. Kolb", "Frau Dr. Kolb"},
		{"fr", "Nous avons une boulangerie", ""},
	} {
		if got := language.Gist(tt.tag, tt.text, 6); got != tt.want {
			t.Errorf("Gist(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzGistIsShort(f *testing.F) {
	f.Add("We run a small bakery in Leipzig and I have about five minutes", 6)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = max(1, min(most, 12))
		for _, tag := range language.Languages() {
			if got := language.Gist(tag, text, most); len(language.Words(got)) > most {
				t.Errorf("Gist(%q) = %q, of more than %d words", text, got, most)
			}
		}
	})
}
