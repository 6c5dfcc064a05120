package main

import (
	"bytes"
	"strings"
	"testing"
)

// Help that was asked for is no failure, and goes where it can be piped.
func TestHelpIsNoFailure(t *testing.T) {
	t.Parallel()

	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"token", "create", "--help"}, {"help"}, {"help", "token", "create"}} {
		var out, told bytes.Buffer
		if err := run(t.Context(), args, &out, &told); err != nil || !strings.Contains(out.String(), "Usage: quaestor") {
			t.Errorf("%v = %v, printed %q", args, err, out.String())
		}
	}
	var out, told bytes.Buffer
	if err := run(t.Context(), []string{"token", "create"}, &out, &told); err == nil {
		t.Error("a command without what it needs: no error")
	}
}

// Whoever mistypes a command is told where it is described.
func TestMistypedCommandsNameTheirHelp(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ args, see string }{
		{"bogus", "(see: quaestor --help)"},
		{"", "(see: quaestor --help)"},
		{"token creat", "(see: quaestor token --help)"},
		{"token create", "(see: quaestor token create --help)"},
		{"serve --addrr x", "(see: quaestor serve --help)"},
	} {
		var out, told bytes.Buffer
		err := run(t.Context(), strings.Fields(tt.args), &out, &told)
		if err == nil || !strings.HasSuffix(err.Error(), tt.see) {
			t.Errorf("quaestor %s: %v, want it to end with %s", tt.args, err, tt.see)
		}
	}
}
