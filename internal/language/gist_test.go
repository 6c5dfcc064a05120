package language_test

import (
	"strings"
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
		{"en", "I lost two bakers", ""},
		{"en", "it's my father's old workshop", ""},
		{"en", "Everything we ever wanted has to go through head office eventually somehow", ""},
		{"en", "is", ""},
		{"en", "", ""},
		{"en", "cafés", "cafés"},
		{"de", "Wir haben eine Bäckerei mit Café in Dresden", "eine Bäckerei mit Café in Dresden"},
		{"de", "Wir wollen mehr online verkaufen", "mehr online verkaufen"},
		{"de", "Also, unser größtes Problem ist, dass die Leute nach der ersten Bestellung wegbleiben", ""},
		{"de", "Stammkunden aus der Nachbarschaft", "Stammkunden aus der Nachbarschaft"},
		{"fr", "Nous avons une boulangerie", ""},
	} {
		if got := language.Gist(tt.tag, tt.text, 6); got != tt.want {
			t.Errorf("Gist(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzGistIsAStretchOfTheText(f *testing.F) {
	f.Add("We run a small bakery in Leipzig and I have about five minutes", 6)
	f.Fuzz(func(t *testing.T, text string, most int) {
		for _, tag := range language.Languages() {
			got := language.Gist(tag, text, max(1, min(most, 12)))
			if !strings.Contains(text, got) {
				t.Errorf("Gist(%q) = %q, which is no stretch of it", text, got)
			}
		}
	})
}
