package sessions

import "quaestor/sessions/objectives"

// Phase is the stage of a conversation.
type Phase string

// The phases, in order.
const (
	Opening     Phase = "opening"     // rapport and expectations
	Exploration Phase = "exploration" // most of the questions
	Validation  Phase = "validation"  // confirm, negotiate
	Closing     Phase = "closing"     // summary and next steps
)

// The progress at which each phase begins, and how far progress must fall below it
// before the phase steps back: a value that is retracted and given again must not make
// the conversation swing. The numbers are chosen, not measured;
// epsilon absorbs rounding.
const (
	explorationFrom = 0.20
	validationFrom  = 0.80
	closingFrom     = 0.95
	hysteresis      = 0.05
	epsilon         = 1e-9
)

// In returns the settings of p; none for an unknown phase.
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

// PhaseFor returns the phase for a progress of 0 to 1, coming from a phase. It advances
// at once. It goes back only when progress is 0.05 below the threshold of the current
// phase, and never to opening.
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

// rank returns the position of a phase.
func rank(p Phase) int {
	for i, q := range phaseOrder {
		if p == q {
			return i
		}
	}
	return 0
}
