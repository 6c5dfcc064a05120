package objectives

import (
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// Player is a simulated person that a draft can be tried on.
type Player struct {
	Name  string // in forms
	Kind  string // how they answer; empty when About says it
	About string
}

// Played is what came of trying a draft on somebody.
type Played struct {
	Who     Player
	Turns   []PlayedTurn
	Ended   string // the reason as the session's stop reasons name it; empty when the budget ran out first
	Score   obligations.Completeness
	Settled []PlayedKey
	Open    []PlayedKey // asked for and not settled
	Unasked []PlayedKey // never asked for
	Again   []PlayedKey // asked for more than once
}

// PlayedKey is an obligation and what became of it.
type PlayedKey struct {
	Key, Name string
	Value     string // as people read it; empty when none is held
	Skipped   bool
	Turn      int // in which it was settled; 0 for none
	Times     int // it was asked for, where that is told
}

// PlayedTurn is a turn: what was said, and what the person filled in.
type PlayedTurn struct {
	N      int
	Said   string // empty where the interviewer opened, or a form was filled in
	Filled []PlayedKey
	Reply  string
	Learnt []PlayedKey
}

// endedBy says why a rehearsal ended.
func (p *Played) endedBy() string {
	if p.Ended == "" {
		return "The budget of turns was used up first"
	}
	if words := ui.Phrases().End[sessions.StopReason(p.Ended)]; words != "" {
		return words
	}
	return p.Ended
}

// tell says what became of an obligation, beside its name.
func (k *PlayedKey) tell() string {
	switch {
	case k.Times > 0:
		return ui.Numeral(k.Times) + " times"
	case k.Skipped:
		return "skipped"
	case k.Turn > 0:
		return k.Value + " (turn " + ui.Numeral(k.Turn) + ")"
	}
	return k.Value
}
