package obligations

import "encoding/json"

// Act is what a finding does to its obligation.
type Act string

// The acts.
const (
	Tell    Act = "tell"    // here is a value
	Correct Act = "correct" // the value held is wrong, this one is right
	Deny    Act = "deny"    // the value held is wrong, the right one is not known yet
	Confirm Act = "confirm" // the value held, or the one proposed, is right
	Unsure  Act = "unsure"  // the person does not know; it is put off, to come back in other words
	Defer   Act = "defer"   // the person wants to come back to it
	Skip    Act = "skip"    // it does not apply, or the person will not say
	Asked   Act = "asked"   // it was asked in this turn
	Reopen  Act = "reopen"  // what is held no longer stands
	Submit  Act = "submit"  // in a dispute: the value the person stands for; held in doubt until the dispute ends
	Settle  Act = "settle"  // in a dispute: the value both sides hold from now on
)

// Finding is what one turn, one reviewer or one research task says about one
// obligation.
type Finding struct {
	Key      string
	Act      Act
	Value    json.RawMessage // for tell and correct; for confirm the value proposed, nil for the one held
	Evidence Evidence        // for tell, correct and confirm
	Grade    Grade           // what its confidence is computed from; Kind is taken from the evidence
	Starter  string          // who began the session; empty where several people do not matter
	Owner    bool            // whoever says it is an owner of the session
	Skip     SkipReason      // for skip
	How      Resolution      // for settle; empty means what the value says
	Reason   string          // in words, for the history
	Source   string          // "conversation", "widget", "reviewer", "research", "model"; kept in the history
}

// SourceReviewer marks findings that may undo what a reviewer decided.
const SourceReviewer = "reviewer"
