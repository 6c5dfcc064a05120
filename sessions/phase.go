package sessions

import "quaestor/sessions/objectives"

// Phase is where a conversation stands.
type Phase string

// The phases, in order.
const (
	Opening     Phase = "opening"     // rapport and expectations
	Exploration Phase = "exploration" // most of the questions
	Validation  Phase = "validation"  // confirm, negotiate
	Closing     Phase = "closing"     // summary and next steps
)

// Where each phase begins, by progress, and how far progress must fall below
// that for the phase to step back.
const (
	explorationFrom = 0.20
	validationFrom  = 0.80
	closingFrom     = 0.95
	hysteresis      = 0.05
	epsilon         = 1e-9
)

// In returns what an objective sets for p; nothing for a phase there is not.
func (p Phase) In(all objectives.Phases) objectives.PhaseConfig {
	switch p {
	case Opening:
		return all.Opening
	case Exploration:
		return all.Exploration
	case Validation:
		return all.Validation
	case Closing:
		return all.Closing
	}
	return objectives.PhaseConfig{}
}

var phaseOrder = []Phase{Opening, Exploration, Validation, Closing}

var phaseFrom = map[Phase]float64{Opening: 0, Exploration: explorationFrom, Validation: validationFrom, Closing: closingFrom}

// PhaseFor returns the phase of a session with that progress (0–1) that is in
// phase from now. It goes forward at once, and back only when progress is 0.05
// below the threshold of the phase it is in; never back to opening.
func PhaseFor(progress float64, from Phase) Phase {
	reached := Opening
	for _, p := range phaseOrder {
		if progress+epsilon >= phaseFrom[p] {
			reached = p
		}
	}
	if rank(reached) >= rank(from) {
		return reached
	}
	for rank(from) > rank(Exploration) && progress < phaseFrom[from]-hysteresis+epsilon {
		from = phaseOrder[rank(from)-1]
	}
	return from
}

func rank(p Phase) int {
	for i, q := range phaseOrder {
		if p == q {
			return i
		}
	}
	return 0
}
