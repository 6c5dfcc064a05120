package sessions_test

import (
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
)

// What is held as it is shown stands with its cases in web/ui/testdata/held.json.
func TestAmountsAreInTheCurrencyThatWasNamed(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ unit, quote, amount, want string }{
		{"money", "£20k at most", "up to 20,000", "£20,000 at most"},
		{"money", "20k euros at most", "up to 20,000", "up to 20,000 euros"},
		{"currency", "£20k", "20,000", "£20,000"},
		{"money", "20k", "20,000", "20,000"},
		{"hours", "£20 an hour", "20 hours", "20 hours"},
		{"money", "£20", "", ""},
	} {
		o := obligations.Obligation{Template: &obligations.Template{Unit: tt.unit}, Evidence: []obligations.Evidence{{Quote: tt.quote}}}
		if got := sessions.InCurrency(&o, tt.amount); got != tt.want {
			t.Errorf("InCurrency(%q, %q) = %q, want %q", tt.quote, tt.amount, got, tt.want)
		}
	}
}
