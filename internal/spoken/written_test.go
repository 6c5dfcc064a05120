package spoken_test

import (
	"testing"

	"quaestor/internal/spoken"
)

func TestWritten(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language   string
		kind       spoken.Kind
		said, want string
	}{
		{"en", spoken.Name, "S C H M I D T", "Schmidt"},
		{"en", spoken.Name, "My name is Schmitt, S-C-H-M-I-D-T.", "My name is Schmidt."},
		{"en", spoken.Name, "Smith, S M Y T H", "Smyth"},
		{"en", spoken.Name, "it's Peter Schmitt with d t", "it's Peter Schmidt"},
		{"en", spoken.Name, "Schmitt with d-t, Peter", "Schmidt, Peter"},
		{"en", spoken.Name, "Meier with a Y", "Meyer"},
		{"en", spoken.Name, "Anna with a team", "Anna with a team"},
		{"en", spoken.Name, "sierra charlie hotel mike india delta tango", "Schmidt"},
		{"en", spoken.Name, "B as in Bravo, O, double L", "Boll"},
		{"en", spoken.Name, "double you e i double s", "Weiss"},
		{"en", spoken.Name, "Oscar", "Oscar"},
		{"en", spoken.Prose, "I am a teacher and I work with Oscar and Victor", "I am a teacher and I work with Oscar and Victor"},
		{"en", spoken.Prose, "We use S A P for that", "We use SAP for that"},
		{"en", spoken.Prose, "plan a or b", "plan a or b"},
		{"de", spoken.Name, "S wie Siegfried, C wie Cäsar, H wie Heinrich, M, I, D, T", "Schmidt"},
		{"de", spoken.Name, "Schule Martha Ida Theodor Theodor", "Schmitt"},
		{"de", spoken.Name, "Schmitt mit d t", "Schmidt"},
		{"de", spoken.Name, "Philip mit zwei l", "Phillip"},
		{"de", spoken.Name, "Müller", "Müller"},
		{"de", spoken.Name, "M Ü doppel L E R", "Müller"},
		{"de", spoken.Name, "Stefan mit p h", "Stephan"},
		{"de", spoken.Prose, "Wir arbeiten mit Anton und Berta in Köln", "Wir arbeiten mit Anton und Berta in Köln"},

		{"en", spoken.Email, "anna at example dot org", "anna@example.org"},
		{"en", spoken.Email, "It's anna dot meyer underscore 2 at mail dot example dot com.", "It's anna.meyer_2@mail.example.com."},
		{"en", spoken.Email, "j s m i t h at example dot co dot uk", "jsmith@example.co.uk"},
		{"en", spoken.Email, "peter one two at my dash firm dot com", "peter12@my-firm.com"},
		{"en", spoken.Prose, "write to anna at example dot org please", "write to anna@example.org please"},
		{"en", spoken.Prose, "we meet at noon", "we meet at noon"},
		{"en", spoken.Prose, "I look at point two", "I look at point two"},
		{"de", spoken.Email, "anna punkt müller ät firma minus gmbh punkt de", "anna.mueller@firma-gmbh.de"},
		{"de", spoken.Email, "Das ist info at beispiel Punkt de, bitte.", "Das ist info@beispiel.de, bitte."},

		{"en", spoken.Phone, "oh seven nine double two five", "079225"},
		{"en", spoken.Phone, "It is plus four nine three zero one two three", "It is +4930123"},
		{"en", spoken.Phone, "030 12 34 56", "030 12 34 56"},
		{"de", spoken.Phone, "null drei eins fünf fünf zwo neun", "0315529"},
		{"en", spoken.Identifier, "A B seven seven C", "AB77C"},
		{"de", spoken.Identifier, "drei null eins fünf neun", "30159"},
		{"en", spoken.Prose, "two or three of us", "two or three of us"},
		{"en", spoken.Figure, "two thousand five hundred", "two thousand five hundred"},
		{"en", spoken.Choice, "b", "b"},
		{"en", spoken.Name, "", ""},
		{"fr", spoken.Email, "anna at example dot org", "anna@example.org"},
	} {
		if got := spoken.Written(tt.language, tt.said, tt.kind); got != tt.want {
			t.Errorf("%s %s %q is written %q, want %q", tt.language, tt.kind, tt.said, got, tt.want)
		}
	}
}

func TestRespelled(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, letters, want string }{
		{"Schmitt", "dt", "Schmidt"}, {"Schmidt", "tt", "Schmitt"}, {"Meier", "y", "Meyer"}, {"Mayer", "ei", "Meier"}, {"Stefan", "ph", "Stephan"},
		{"Karl", "c", "Carl"}, {"Fischer", "v", "Vischer"}, {"Hofmann", "ff", "Hoffmann"},
	} {
		if got, ok := spoken.Respelled(tt.name, tt.letters); got != tt.want || !ok {
			t.Errorf("%s with %s is %s, %t; want %s", tt.name, tt.letters, got, ok, tt.want)
		}
	}
	for _, tt := range []struct{ name, letters string }{{"Schmidt", "dt"}, {"Becker", "k"}, {"Otto", "x"}, {"Anna", ""}, {"", "dt"}} {
		if got, ok := spoken.Respelled(tt.name, tt.letters); ok || got != tt.name {
			t.Errorf("%s with %s is %s", tt.name, tt.letters, got)
		}
	}
}

// Whatever is heard, nothing breaks, and words without letters one by one stay.
func FuzzWritten(f *testing.F) {
	for _, s := range []string{"S C H with d-t", "a at b dot c", "double double u", "mit mit", "@ . -"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, said string) {
		for _, kind := range []spoken.Kind{spoken.Prose, spoken.Name, spoken.Email, spoken.Phone, spoken.Identifier} {
			for _, language := range []string{"en", "de"} {
				spoken.Written(language, said, kind)
			}
		}
	})
}
