package spoken_test

import (
	"testing"

	"quaestor/internal/spoken"
)

// A breath after a yes or a no is no word.
func TestBreathIsNoWord(t *testing.T) {
	t.Parallel()

	for heard, want := range map[string]string{"yes the": "yes", "no a": "no", "yes that's right the": "yes that's right", "the": "the", "retail and the": "retail and the", "yes and no": "yes and no", "yes": "yes"} {
		if got := spoken.Written("en", heard, spoken.Choice); got != want {
			t.Errorf("%q is written as %q, want %q", heard, got, want)
		}
	}
}
