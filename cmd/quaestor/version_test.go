package main

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What make builds says which release it is, and no path of the machine it was built
// on.
func TestTheBuildStampsItsVersion(t *testing.T) {
	t.Parallel()

	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "make", "-n", "-C", root, "compile", "VERSION=v9.8.7").CombinedOutput() // the repository's own Makefile
	if err != nil {
		t.Fatalf("make: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), "-X main.release=v9.8.7") {
		t.Errorf("make does not stamp the version:\n%s", out)
	}
	flags, err := exec.CommandContext(t.Context(), "make", "-s", "--no-print-directory", "-C", root, "flags").Output() // the repository's own Makefile
	if err != nil || !strings.Contains(string(flags), "-trimpath") {
		t.Errorf("make compiles with %q, %v", flags, err)
	}
}

func TestVersionSaysTheStampedRelease(t *testing.T) {
	before := release
	defer func() { release = before }()
	release = "v9.8.7"

	var said bytes.Buffer
	if err := run(t.Context(), []string{"version"}, &said, io.Discard); err != nil || said.String() != "quaestor v9.8.7\n" {
		t.Errorf("version says %q, %v", said.String(), err)
	}
}
