package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestUnderstandingQuotesTheMessage(t *testing.T) {
	t.Parallel()

	for turn := 1; turn <= 25; turn++ {
		var u struct {
			Intent   string
			Findings []struct{ Key, Act, Value, Quote string }
		}
		if err := json.Unmarshal([]byte(understanding(turn)), &u); err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		if u.Intent != "answer" || len(u.Findings) != toldATurn {
			t.Errorf("turn %d: intent %q, %d findings", turn, u.Intent, len(u.Findings))
		}
		for _, f := range u.Findings {
			if said := message("p1", turn); !strings.Contains(said, f.Quote) || !strings.Contains(f.Quote, f.Value) || !slices.Contains(topics[:], f.Key) {
				t.Errorf("turn %d: %+v is not in %q", turn, f, said)
			}
		}
	}
}

func TestMarkerIn(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in, want string
		turn           int
	}{
		{"nothing", "", "", 0},
		{"no number", "Turn over of a new leaf.", "", 0},
		{"no person", "Turn 12.", "", 0},
		{"the last one counts", `Turn 1 of model-1-p2-1. … {"role":"user","content":"` + message("model-1-p2-1", 7) + `"}]}`, "Turn 7 of model-1-p2-1.", 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got, turn := markerIn([]byte(tt.in)); got != tt.want || turn != tt.turn {
				t.Errorf("markerIn(%q) = %q, %d, want %q, %d", tt.in, got, turn, tt.want, tt.turn)
			}
		})
	}
}

func TestObjective(t *testing.T) {
	t.Parallel()

	var o struct {
		ContextType string
		Obligations []struct{ Key, Prompt string }
	}
	if err := json.Unmarshal([]byte(objective()), &o); err != nil || o.ContextType != contextType || len(o.Obligations) != len(topics)+1 {
		t.Errorf("objective() = %+v, %v", o, err)
	}
}
