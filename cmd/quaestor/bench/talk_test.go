package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
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
			if said := message(turn); !strings.Contains(said, f.Quote) || !strings.Contains(f.Quote, f.Value) || !slices.Contains(topics[:], f.Key) {
				t.Errorf("turn %d: %+v is not in %q", turn, f, said)
			}
		}
	}
}

func TestTurnOf(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in string
		want     int
	}{
		{"nothing", "", 0},
		{"no number", "Turn over", 0},
		{"at the end", `{"content":"Turn 12`, 12},
		{"the last one counts", `Turn 1. … {"role":"user","content":"` + message(7) + `"}]}`, 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := turnOf([]byte(tt.in)); got != tt.want {
				t.Errorf("turnOf(%q) = %d, want %d", tt.in, got, tt.want)
			}
		})
	}
}

func TestStampsComeBack(t *testing.T) {
	t.Parallel()

	text := stamp(stamp([]byte("so "), arrivedMark, 3*time.Second), sentMark, 1)

	var got []time.Duration
	stamps(text, func(mark byte, at time.Duration) { got = append(got, time.Duration(mark), at) })

	if want := []time.Duration{arrivedMark, 3 * time.Second, sentMark, 1}; !slices.Equal(got, want) {
		t.Errorf("stamps(%q) = %v, want %v", text, got, want)
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
