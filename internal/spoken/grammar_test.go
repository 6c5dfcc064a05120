package spoken_test

import (
	"strings"
	"testing"

	"quaestor/internal/spoken"
)

func TestGrammar(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, held string
		kind           spoken.Kind
		has            string // empty for no grammar
	}{
		{"en", "15", spoken.Figure, "not <value>"},
		{"en-GB", "0315529", spoken.Phone, "oh"},
		{"en", "Schmitt", spoken.Name, "| d t |"},
		{"en", "2027-03-31", spoken.Date, "february"},
		{"en", "bakeries", spoken.Prose, ""},
		{"de", "15", spoken.Figure, ""},
	} {
		got := spoken.Grammar(tt.language, tt.held, tt.kind)
		if !strings.Contains(got, tt.has) || (tt.has == "") != (got == "") {
			t.Errorf("the grammar of %s %s in %s lacks %q: %s", tt.kind, tt.held, tt.language, tt.has, got)
		}
	}
}
