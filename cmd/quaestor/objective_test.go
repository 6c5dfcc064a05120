package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/postgres/postgrestest"
)

// shell runs commands against one database.
type shell struct {
	t   *testing.T
	url string
	dir string
}

// file writes a file and returns its path.
func (s *shell) file(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// run returns what the command printed, and its error's words.
func (s *shell) run(args ...string) (out, failed string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	if err := run(s.t.Context(), append([]string{"--database-url", s.url, "--log-level", "error"}, args...), &stdout, &stderr); err != nil {
		failed = words(err)
	}
	return stdout.String() + stderr.String(), failed
}

// must is run for commands that succeed and say want.
func (s *shell) must(want string, args ...string) string {
	s.t.Helper()
	out, failed := s.run(args...)
	if failed != "" || !strings.Contains(out, want) {
		s.t.Fatalf("%v printed %s, failed %q, want %q", args, out, failed, want)
	}
	return out
}

const layerFile = `{
  "extends": "business_profile", "version": "8.0.0",
  "obligations": [
    {"key": "industry", "priority": 2},
    {"key": "region", "prompt": "Which region?", "why": "To know.", "priority": 5}
  ]
}
`

func TestObjectiveCommands(t *testing.T) {
	t.Parallel()

	s := &shell{t: t, url: postgrestest.URL(t), dir: t.TempDir()}
	layer := s.file("layer.json", layerFile)
	broken := s.file("broken.json", strings.Replace(layerFile, `"priority": 5`, `"priority": 50`, 1))

	s.must("is fine", "objective", "lint", layer)
	out, failed := s.run("objective", "lint", broken)
	if !strings.Contains(out, broken+":5:81: obligations[1].priority: priority must be 1 to 10, not 50\n") || !strings.Contains(failed, "cannot be published") {
		t.Errorf("lint printed %s, failed %q", out, failed)
	}
	out, failed = s.run("objective", "lint", "--format", "json", broken)
	var remarks []map[string]any
	if err := json.Unmarshal([]byte(out), &remarks); err != nil || len(remarks) != 1 || failed == "" {
		t.Errorf("lint as JSON printed %s, failed %q, %v", out, failed, err)
	}
	s.must("business_profile", "objective", "list")
	s.must("Published business_profile 8.0.0", "objective", "import", layer)
	shown := s.must("extends business_profile ", "objective", "show", "business_profile")
	for _, line := range []string{"industry", "region"} {
		if !strings.Contains(shown, line) {
			t.Errorf("show lacks %s:\n%s", line, shown)
		}
	}
	if got := s.must("region", "objective", "export", "business_profile"); got != strings.TrimSuffix(got, "\n")+"\n" || strings.Contains(got, "business_overview") {
		t.Errorf("the layer exported is %s", got)
	}
	s.must("business_overview", "objective", "export", "--effective", "business_profile")
	s.must("~ obligations.industry.priority: 5 → 2", "objective", "diff", shippedVersion(t, s), "business_profile")
	s.must("Nothing differs", "objective", "diff", layer, "business_profile@8.0.0")
	s.must("is active", "objective", "activate", shippedVersion(t, s))
	if _, failed := s.run("objective", "import", layer); !strings.Contains(failed, "8.0.0") {
		t.Errorf("importing the version again failed %q, want its number", failed)
	}
}

// shippedVersion is the shipped version as a name.
func shippedVersion(t *testing.T, s *shell) string {
	t.Helper()
	for line := range strings.Lines(s.must("shipped", "objective", "list", "--all")) {
		if f := strings.Fields(line); f[0] == "business_profile" && f[3] == "shipped" {
			return f[0] + "@" + f[1]
		}
	}
	t.Fatal("no shipped version is listed")
	return ""
}

func TestSchemaImportedFromTheCommandLine(t *testing.T) {
	t.Parallel()

	s := &shell{t: t, url: postgrestest.URL(t), dir: t.TempDir()}
	schema := s.file("schema.json", `{"title": "Team", "type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "default": 3}}}`)

	s.must("note: #/properties/size/default", "objective", "import", "--json-schema", "--context", "team", "--dry-run", schema)
	s.must("Published team 1.0.0", "objective", "import", "--json-schema", "--context", "team", schema)
	if _, failed := s.run("session", "migrate", "6f9c5b0e-0f43-4a4c-9d53-1b7a0f1f0001"); !strings.Contains(failed, "no such session") {
		t.Errorf("migrating no session failed %q", failed)
	}
}
