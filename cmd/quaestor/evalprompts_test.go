package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"quaestor/chat/eval"
	"quaestor/internal/postgres/postgrestest"
)

// Whatever a model does, the reply asks what is planned, claims nothing that nobody said and
// keeps to the person's language.
func TestRepliesKeepToThePlanWhateverTheModel(t *testing.T) {
	t.Parallel()

	for _, calls := range []string{"2", "1"} {
		t.Run(calls+" calls", func(t *testing.T) {
			t.Parallel()

			file := filepath.Join(t.TempDir(), "report.json")
			var out, told bytes.Buffer
			err := run(t.Context(), []string{"eval", "prompts", "--talks", "3", "--json", file, "--model-calls", calls, "--database-url", postgrestest.URL(t), "--log-level", "error"}, &out, &told)
			if err != nil {
				t.Fatalf("eval prompts: %v\n%s", err, told.String())
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var reports []eval.PromptReport
			if err := json.Unmarshal(text, &reports); err != nil {
				t.Fatal(err)
			}
			if len(reports) != 6 {
				t.Fatalf("%d models were measured, want 6", len(reports))
			}
			for _, r := range reports {
				if r.Turns < 50 || float64(r.AskedRight) < 0.98*float64(r.Asked) || r.Claims > 0 || r.Foreign > 0 {
					t.Errorf("%s: %d turns, asked %d of %d, %d claims, %d of %d sentences in another language: %q", r.Label, r.Turns, r.AskedRight, r.Asked, r.Claims, r.Foreign, r.Sentences, r.Failed)
				}
				if r.Label == "obedient" && (r.TakenBack > 0 || r.Degraded > 0 || 100*r.Unsaid > 15*r.Written) {
					t.Errorf("an obedient model was taken back in %d turns, degraded in %d, and %d of %d tokens were thrown away", r.TakenBack, r.Degraded, r.Unsaid, r.Written)
				}
			}
		})
	}
}
