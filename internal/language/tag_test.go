package language_test

import (
	"strings"
	"testing"

	"quaestor/internal/language"
)

func TestMatch(t *testing.T) {
	t.Parallel()

	have := []string{"en", "de"}
	for wanted, want := range map[string]string{"de": "de", "de-AT": "de", "DE": "de", "en-GB": "en", "fr": "", "": "", "deutsch, bitte": ""} {
		got, ok := language.Match(wanted, have)
		if ok != (want != "") || ok && got != want {
			t.Errorf("Match(%q) = %q, %v, want %q", wanted, got, ok, want)
		}
	}
}

func TestAccepted(t *testing.T) {
	t.Parallel()

	have := []string{"en", "de"}
	for header, want := range map[string]string{
		"de":                       "de",
		"de-CH,de;q=0.9,en;q=0.8":  "de",
		"fr,de;q=0.5":              "de",
		"en-US,en;q=0.9,de;q=0.8":  "en",
		"fr-FR,fr;q=0.9":           "",
		"":                         "",
		"*":                        "",
		"de;q=abc":                 "",
		strings.Repeat("de,", 500): "",
		"\x00":                     "",
	} {
		got, ok := language.Accepted(header, have)
		if ok != (want != "") || ok && got != want {
			t.Errorf("Accepted(%.40q) = %q, %v, want %q", header, got, ok, want)
		}
	}
	if _, ok := language.Accepted("de", nil); ok {
		t.Error("of no language, one is accepted")
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()

	have := []string{"en", "de"}
	for text, want := range map[string]string{
		"Wir sind eine kleine Bäckerei in Köln und beliefern Cafés.": "de",
		"Guten Tag, ich hätte da eine Frage":                         "de",
		"We bake bread and deliver it to cafés.":                     "en",
		"I think that would be in March":                             "en",
		"Hallo":                                                      "",
		"Bosch":                                                      "",
		"12":                                                         "",
		"":                                                           "",
		"Nous sommes une petite boulangerie":                         "",
		"und und the the":                                            "",
	} {
		got, ok := language.Detect(text, have)
		if ok != (want != "") || ok && got != want {
			t.Errorf("Detect(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
	if got, ok := language.Detect("Wir sind eine kleine Bäckerei.", []string{"en"}); ok {
		t.Errorf("a language that is not to be had is detected: %q", got)
	}
}

func TestTagsAndNames(t *testing.T) {
	t.Parallel()

	if got := language.EnglishName("de"); got != "German" {
		t.Errorf("de is called %q", got)
	}
	if got := language.EnglishName("no tag"); got != "no tag" {
		t.Errorf("what is no tag is called %q", got)
	}
	for tag, want := range map[string]string{"de": "de", "pt-br": "pt-BR", "und": "", "x y": "", "": ""} {
		if got, ok := language.CanonicalTag(tag); got != want || ok != (want != "") {
			t.Errorf("CanonicalTag(%q) = %q, %v", tag, got, ok)
		}
	}
}
