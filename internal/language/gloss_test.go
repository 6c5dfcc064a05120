package language

import "testing"

func TestWordsMeanSomethingInEnglish(t *testing.T) {
	t.Parallel()

	for word, want := range map[string]string{
		"baecker": "baker", "kunden": "customers", "bremst": "brake",
		"honigverkauf": "honey sale", // the parts of a compound
		"imkers":       "beekeeper",  // another form
	} {
		if got, ok := Gloss("de", word); !ok || got != want {
			t.Errorf("%s means %q, %v; want %q", word, got, ok, want)
		}
	}
	for _, word := range []string{"xqzt", "", "42"} {
		if got, ok := Gloss("de", word); ok {
			t.Errorf("%q means %q", word, got)
		}
	}
	if Glossed("en") || !Glossed("de") {
		t.Error("English needs no glossary, German has one")
	}
	if got, ok := Gloss("fr", "pain"); ok {
		t.Errorf("without a glossary a word means %q", got)
	}
}

func TestGlossariesAreWellFormed(t *testing.T) {
	t.Parallel()

	for tag, g := range glossaries() {
		if len(g) < 10_000 {
			t.Errorf("%s has %d words", tag, len(g))
		}
		for word, means := range g {
			if word == "" || means == "" || len(Words(means)) > 6 {
				t.Errorf("%s: %q means %q", tag, word, means)
			}
		}
	}
}
