package sessions_test

import (
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
)

func TestSurenessIsInWords(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		sure   float64
		en, de string
	}{
		{0, "a guess", "eine Vermutung"},
		{0.40, "a guess", "eine Vermutung"},
		{0.41, "not sure yet", "noch nicht sicher"},
		{0.71, "fairly sure", "ziemlich sicher"},
		{0.91, "sure", "sicher"},
		{1, "sure", "sicher"},
	} {
		band := obligations.Of(tt.sure).Band()
		if en, de := sessions.Sureness("en-GB", band), sessions.Sureness("de", band); en != tt.en || de != tt.de {
			t.Errorf("%.2f is %q, %q; want %q, %q", tt.sure, en, de, tt.en, tt.de)
		}
	}
}
