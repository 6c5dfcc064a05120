package listening_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/listening"
)

// TestQuestionsAreToldApart measures the classifier on questions that it was not trained
// on, whose kinds are right at least as often as they were.
func TestQuestionsAreToldApart(t *testing.T) {
	t.Parallel()

	listener := listening.New(nil)
	seen := map[string]bool{}
	for _, kind := range []string{"train", "heldout"} {
		files, err := filepath.Glob("questions/" + kind + "-*.txt")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of %s: %v", len(files), kind, err)
		}
		right, sure, surelyRight, all := 0, 0, 0, 0
		for _, name := range files {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			kinds, questions, err := listening.ParseQuestions(string(body))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, q := range questions {
				folded := strings.ToLower(strings.Trim(q, "?!. "))
				if kind == "train" {
					seen[folded] = true
					continue
				}
				if seen[folded] && len(strings.Fields(folded)) > 4 {
					t.Errorf("%s: %q is trained on, too", name, q)
				}
				got, p := listener.KindOfQuestion(t.Context(), q)
				all++
				if got == kinds[i] {
					right++
				}
				if p > 0.5 {
					sure++
					if got == kinds[i] {
						surelyRight++
					}
				}
			}
		}
		if kind == "heldout" {
			t.Logf("%d of %d right; of the %d surest %d", right, all, sure, surelyRight)
			if 100*right < 58*all || 100*surelyRight < 80*sure || 100*sure < 40*all {
				t.Errorf("%d of %d are right, of the %d surest %d", right, all, sure, surelyRight)
			}
		}
	}
}
