package sessions_test

import (
	"testing"

	"pgregory.net/rapid"

	"quaestor/sessions"
)

func TestPhaseFor(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		in   float64
		from sessions.Phase
		want sessions.Phase
	}{
		{"start", 0, sessions.Opening, sessions.Opening},
		{"just before exploration", 0.19, sessions.Opening, sessions.Opening},
		{"exploration begins", 0.20, sessions.Opening, sessions.Exploration},
		{"just before validation", 0.79, sessions.Exploration, sessions.Exploration},
		{"validation begins", 0.80, sessions.Exploration, sessions.Validation},
		{"just before closing", 0.94, sessions.Validation, sessions.Validation},
		{"closing begins", 0.95, sessions.Validation, sessions.Closing},
		{"all at once", 1, sessions.Opening, sessions.Closing},
		{"closing holds above its margin", 0.91, sessions.Closing, sessions.Closing},
		{"closing ends at its margin", 0.90, sessions.Closing, sessions.Validation},
		{"validation holds above its margin", 0.76, sessions.Validation, sessions.Validation},
		{"validation ends at its margin", 0.75, sessions.Validation, sessions.Exploration},
		{"two steps back at once", 0.30, sessions.Closing, sessions.Exploration},
		{"one step when the next margin holds", 0.78, sessions.Closing, sessions.Validation},
		{"never back to opening", 0, sessions.Exploration, sessions.Exploration},
		{"never back to opening from the end", 0, sessions.Closing, sessions.Exploration},
		{"a sum that is a hair short of its threshold", 0.1 + 0.7 - 1e-12, sessions.Exploration, sessions.Validation},
		{"no phase yet", 0.5, "", sessions.Exploration},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := sessions.PhaseFor(tt.in, tt.from); got != tt.want {
				t.Errorf("PhaseFor(%v, %q) = %q, want %q", tt.in, tt.from, got, tt.want)
			}
		})
	}
}

// threshold is the progress at which each phase begins.
var threshold = map[sessions.Phase]float64{sessions.Opening: 0, sessions.Exploration: 0.20, sessions.Validation: 0.80, sessions.Closing: 0.95}

func TestPhaseForOnRandomWalks(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		phase := sessions.Opening
		for _, hundredths := range rapid.SliceOfN(rapid.IntRange(0, 100), 1, 40).Draw(t, "progress") {
			progress := float64(hundredths) / 100
			next := sessions.PhaseFor(progress, phase)

			switch back := threshold[next] < threshold[phase]; {
			case next == sessions.Opening && phase != sessions.Opening:
				t.Fatalf("PhaseFor(%v, %q) went back to opening", progress, phase)
			case back && progress > threshold[phase]-0.05+1e-9:
				t.Fatalf("PhaseFor(%v, %q) = %q, a step back within the margin", progress, phase, next)
			case !back && progress+1e-9 < threshold[next] && next != phase:
				t.Fatalf("PhaseFor(%v, %q) = %q, which begins later", progress, phase, next)
			case sessions.PhaseFor(progress, next) != next:
				t.Fatalf("PhaseFor(%v, %q) = %q does not stay", progress, phase, next)
			}
			phase = next
		}
	})
}
