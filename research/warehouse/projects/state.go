package projects

import (
	"slices"

	"quaestor/internal/fault"
)

// State is how far a project is.
type State string

// The states.
const (
	GenerationPending State = "pack_generation_pending" // somebody is saying what its pack is to be made of
	Generation        State = "pack_generation"         // its pack is being made
	GenerationDone    State = "pack_generation_done"    // its pack waits to be accepted
	Ready             State = "ready"                   // it may be explored
)

// follows says which state may follow which. A generation that fails goes back to
// where it was asked for, and one that does not please may be made again.
var follows = map[State][]State{
	GenerationPending: {Generation},
	Generation:        {GenerationDone, GenerationPending},
	GenerationDone:    {Ready, Generation},
	Ready:             nil,
}

// To returns nil if next may follow s, else a Conflict that names s.
func (s State) To(next State) error {
	if _, known := follows[next]; !known {
		return fault.New(fault.Unprocessable, "there is no state %q", next).At("state")
	}
	if !slices.Contains(follows[s], next) {
		return fault.New(fault.Conflict, "the project is in the state %s, which %s cannot follow", s, next).At("state").Coded("project_state")
	}
	return nil
}

// MayRun returns nil if a project in this state may be explored, else a Conflict
// that names it.
func (s State) MayRun() error {
	if s == Ready {
		return nil
	}
	return fault.New(fault.Conflict, "the project is in the state %s; it can be explored once it is %s", s, Ready).Coded("project_state")
}

// first returns the state of a new project: ready, or pending when a pack is to be
// made for it.
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
