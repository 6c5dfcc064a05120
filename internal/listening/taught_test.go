package listening

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres/cluster"
	"quaestor/internal/prerequisite"
)

// The encoder that was taught gives the states that it gave in training.
func TestTaughtEncoderReadsAsInTraining(t *testing.T) {
	t.Parallel()

	dir := filepath.Join(cluster.SharedDir(), "encoder")
	if err := embedding.Check(dir); err != nil {
		prerequisite.Need(t, prerequisite.Encoder)
		t.Fatal(err)
	}
	raw, err := os.ReadFile("testdata/taught.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Language, Text string
		States         [][]float64
	}
	if err := json.Unmarshal(raw, &examples); err != nil || len(examples) < 4 {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	l := New(embedding.NewLite(dir))
	for _, x := range examples {
		got, err := meaningsOf(t.Context(), l.taught, x.Language, tokenize(x.Text, nil))
		if err != nil || len(got) != len(x.States) {
			t.Fatalf("%q has %d words, not %d: %v", x.Text, len(got), len(x.States), err)
		}
		for i, want := range x.States {
			for k, v := range want {
				if math.Abs(v-float64(got[i][k])) > 1e-4*(1+math.Abs(v)) {
					t.Errorf("%q, word %d, number %d: %v, not %v", x.Text, i, k, got[i][k], v)
				}
			}
		}
	}
}
