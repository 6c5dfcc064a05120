package projects

import (
	"slices"

	"quaestor/internal/fault"
)

// State is the state of a project.
type State string

// The states.
const (
	GenerationPending State = "pack_generation_pending" // the requirements for its pack are being collected
	Generation        State = "pack_generation"         // its pack is being generated
	GenerationDone    State = "pack_generation_done"    // its pack waits for approval
	Ready             State = "ready"                   // it can be explored
)

// follows lists which states may follow a state. A failed generation goes back to the state in which
// it was requested, and a rejected pack may be generated again.
var follows = map[State][]State{
	GenerationPending: {Generation},
	Generation:        {GenerationDone, GenerationPending},
	GenerationDone:    {Ready, Generation},
	Ready:             nil,
}

// To returns nil if next may follow s, and otherwise a Conflict that names s.
func (s State) To(next State) error {
	if _, known := follows[next]; !known {
		return fault.New(fault.Unprocessable, "there is no state %q", next).At("state")
	}
	if !slices.Contains(follows[s], next) {
		return fault.New(fault.Conflict, "the project is in the state %s, which %s cannot follow", s, next).At("state").Coded("project_state")
	}
	return nil
}

// MayRun returns nil if a project in state s may be explored, and otherwise a Conflict that names s.
func (s State) MayRun() error {
	if s == Ready {
		return nil
	}
	return fault.New(fault.Conflict, "the project is in the state %s; it can be explored once it is %s", s, Ready).Coded("project_state")
}

// first returns the state of a new project: ready, or pending if a pack is to be generated.
func (s State) first() (State, error) {
	switch s {
	case "", Ready:
		return Ready, nil
	case GenerationPending:
		return s, nil
	case Generation, GenerationDone:
	}
	return "", fault.New(fault.Unprocessable, "a new project is %s or %s, not %q", Ready, GenerationPending, s).At("state")
}
