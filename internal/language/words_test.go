package language_test

import (
	"slices"
	"strings"
	"testing"

	"quaestor/internal/language"
)

func TestWordsAreCut(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"":                              "",
		"I don't know, 12-15?":          "I|don't|know|,|12|-|15|?",
		"150'000 or 2,3 Mio. at 10:30":  "150'000|or|2,3|Mio|.|at|10:30",
		"$4.2M, 8ish":                   "$|4.2|M|,|8|ish",
		"write to a.b@c-d.org.":         "write|to|a.b@c-d.org|.",
		"see https://x.org/a?b=1, then": "see|https://x.org/a?b=1|,|then",
		"’tis 3rd\tof\u00a0May\xff":     "’|tis|3|rd|of|May|\xff",
		"Grüße 😴 o’clock":               "Grüße|😴|o’clock",
		"1, 2, 3.":                      "1|,|2|,|3|.",
	} {
		var got []string
		for _, w := range language.Words(text) {
			if text[w.From:w.To] != w.Text {
				t.Errorf("%q: %q is not at %d to %d", text, w.Text, w.From, w.To)
			}
			got = append(got, w.Text)
		}
		if !slices.Equal(got, strings.FieldsFunc(want, func(r rune) bool { return r == '|' })) {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func TestWordsAreFolded(t *testing.T) {
	t.Parallel()

	const text = "Grüße, 3 Cafés!"
	if got := language.FoldWords(text); got != "gruesse , 3 cafes !" {
		t.Errorf("FoldWords(%q) = %q", text, got)
	}
	if got := language.PlainWords(text); got != "gruesse 3 cafes" {
		t.Errorf("PlainWords(%q) = %q", text, got)
	}
}
