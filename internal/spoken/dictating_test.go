package spoken_test

import (
	"testing"

	"quaestor/internal/spoken"
)

func TestDictating(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, words string
		kind            spoken.Kind
		want            bool
	}{
		{"en", "", spoken.Name, true},
		{"en", "", spoken.Prose, false},
		{"en", "Peter Schmidt", spoken.Name, false},
		{"en", "Peter S C H", spoken.Name, true},
		{"en", "peter see age em", spoken.Name, true},
		{"de", "S wie Siegfried", spoken.Name, true},
		{"de", "Anna Müller", spoken.Name, false},
		{"en", "zero three one", spoken.Phone, true},
		{"en", "I have no phone", spoken.Phone, false},
		{"en", "G L 7", spoken.Identifier, true},
		{"en", "anna dot meyer", spoken.Email, true},
		{"en", "anna dot meyer at example", spoken.Email, true},
		{"en", "anna dot meyer at example dot org", spoken.Email, false},
		{"en", "I", spoken.Prose, false},
	} {
		if got := spoken.Dictating(tt.language, tt.words, tt.kind); got != tt.want {
			t.Errorf("%s %q: Dictating is %t", tt.kind, tt.words, got)
		}
	}
}
