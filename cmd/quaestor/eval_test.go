package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/postgres/postgrestest"
)

func TestEvalWritesScorecardsThatCompare(t *testing.T) {
	t.Parallel()

	url, dir := postgrestest.URL(t), t.TempDir()
	card := filepath.Join(dir, "cards", "first.json")
	command := func(args ...string) (string, string, error) {
		var out, told bytes.Buffer
		err := run(t.Context(), append(args, "--database-url", url, "--log-level", "error"), &out, &told)
		return out.String(), told.String(), err
	}

	_, told, err := command("eval", "run", "--persona", "bakery", "--json", card, "--markdown", filepath.Join(dir, "first.md"), "--transcripts", filepath.Join(dir, "talks"), "--label", "first")
	if err != nil || !strings.Contains(told, "business_profile/bakery:") {
		t.Fatalf("eval run: %v, told %q", err, told)
	}
	for _, file := range []string{card, filepath.Join(dir, "first.md"), filepath.Join(dir, "talks", "business_profile-bakery.md")} {
		if data, err := os.ReadFile(file); err != nil || len(data) < 200 {
			t.Errorf("%s: %d bytes, %v", file, len(data), err)
		}
	}
	if out, _, err := command("eval", "compare", card, card); err != nil || !strings.Contains(out, "first") || !strings.Contains(out, "accuracy") {
		t.Errorf("eval compare: %v\n%s", err, out)
	}
	if out, _, err := command("eval", "calibration", "--tenant", "evaluation"); err != nil || !strings.Contains(out, "Brier") {
		t.Errorf("eval calibration: %v\n%s", err, out)
	}
	for _, wrong := range [][]string{{"eval", "run", "--persona", "nobody"}, {"eval", "run", "--persona", "bakery", "--context", "idea_discovery"}, {"eval", "compare", card, filepath.Join(dir, "first.md")}} {
		if _, _, err := command(wrong...); err == nil {
			t.Errorf("%v: no error", wrong)
		}
	}
}
