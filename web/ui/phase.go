package ui

import (
	"cmp"

	"quaestor/sessions"
)

// Phases are the steps of the progress panel, in order.
var Phases = []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}

var phaseNames = map[sessions.Phase]string{
	sessions.Opening:     "Opening",
	sessions.Exploration: "Exploration",
	sessions.Validation:  "Validation",
	sessions.Closing:     "Closing",
}

// PhaseName is the name of p for people.
func PhaseName(p sessions.Phase) string { return cmp.Or(phaseNames[p], string(p)) }
