package main

import (
	"bytes"
	"strings"
	"testing"
)

// Help that was asked for is no failure, and goes where it can be piped.
func TestHelpIsNoFailure(t *testing.T) {
	t.Parallel()

	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"token", "create", "--help"}} {
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
