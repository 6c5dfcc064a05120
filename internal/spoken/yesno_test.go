package spoken_test

import (
	"testing"

	"quaestor/internal/spoken"
)

func TestYesOrNo(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"Yes.": "yes", "yes please": "yes", "okay, that's fine": "yes", "sure": "yes", "Ja, gern": "yes",
		"No.": "no", "no thank you": "no", "Nein, lieber nicht": "no", "nope": "no",
		"": "", "well": "", "yes and no": "", "We bake bread": "",
		"yes, we bake bread for all the cafés in our town": "",
	} {
		yes, clear := spoken.YesOrNo(text)
		got := ""
		switch {
		case clear && yes:
			got = "yes"
		case clear:
			got = "no"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
