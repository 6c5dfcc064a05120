package obligations

import "encoding/json"

// Act is what a finding does to its obligation.
type Act string

// The acts.
const (
	Tell    Act = "tell"    // here is a value
	Correct Act = "correct" // the value held is wrong and this one is right
	Deny    Act = "deny"    // the value held is wrong; the right one is not known yet
	Confirm Act = "confirm" // the value held, or the one proposed, is right
	Add     Act = "add"     // more about the value held, which stays
	Unsure  Act = "unsure"  // the person does not know; the question is put off and returns in other words
	Defer   Act = "defer"   // the person wants to come back to it
	Skip    Act = "skip"    // it does not apply, or the person will not answer
	Asked   Act = "asked"   // it was asked in this turn
	Unheard Act = "unheard" // it was asked aloud, and the person broke in before they heard the question
	Reopen  Act = "reopen"  // the value held is no longer valid
	Submit  Act = "submit"  // in a dispute: the value the person insists on; held in doubt until the dispute ends
	Settle  Act = "settle"  // in a dispute: the value both sides hold from now on
)

// Finding is what one turn, one reviewer or one research task says about one
// obligation.
type Finding struct {
	Key      string
	Act      Act
	Value    json.RawMessage // for tell, correct and add; for confirm the value proposed, nil for the one held
	Evidence Evidence        // for tell, correct and confirm
	Grade    Grade           // what the confidence is computed from; Kind is copied from the evidence
	Starter  string          // the person who started the session; empty where one person speaks
	Owner    bool            // the speaker is an owner of the session
	Skip     SkipReason      // for skip
	How      Resolution      // for settle; empty means it is derived from the value
	Reason   string          // in words, for the audit trail
	Source   string          // "conversation", "widget", "reviewer", "research" or "model"; kept in the audit trail
}

// SourceReviewer marks findings that may undo what a reviewer decided.
const SourceReviewer = "reviewer"
