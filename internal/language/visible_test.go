package language_test

import (
	"testing"

	"quaestor/internal/language"
)

func TestVisible(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in, want, line string }{
		{"plain", "Umsatz je Kunde", "Umsatz je Kunde", "Umsatz je Kunde"},
		{"white space", " a\tb\n c ", " a\tb\n c ", "a b c"},
		{"reordered", "in\u202evoice\u2066\u2069.exe", "invoice.exe", "invoice.exe"},
		{"zero width", "a\u200bb\u2060c\ufeff", "abc", "abc"},
		{"tags", "hello\U000e0001\U000e0068\U000e0069", "hello", "hello"},
		{"control", "a\x00\x1b[31mb\x7f", "a[31mb", "a[31mb"},
		{"what scripts need", "نمی\u200cخواهم 👩\u200d🌾 ✈\ufe0f", "نمی\u200cخواهم 👩\u200d🌾 ✈\ufe0f", "نمی\u200cخواهم 👩\u200d🌾 ✈\ufe0f"},
	} {
		if got := language.Visible(tt.in); got != tt.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
		if got := language.VisibleLine(tt.in); got != tt.line {
			t.Errorf("%s: VisibleLine(%q) = %q, want %q", tt.name, tt.in, got, tt.line)
		}
	}
}
