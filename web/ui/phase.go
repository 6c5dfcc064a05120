package ui

import (
	"quaestor/sessions"
)

// Phases are the steps of the progress panel, in order.
var Phases = []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}

// PhaseName is the name of p for people.
func PhaseName(p sessions.Phase) string {
	switch p {
	case sessions.Opening:
		return "Opening"
	case sessions.Exploration:
		return "Exploration"
	case sessions.Validation:
		return "Validation"
	case sessions.Closing:
		return "Closing"
	}
	return string(p)
}
