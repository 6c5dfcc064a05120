package obligations

import (
	"bytes"
	"encoding/json"
	"slices"

	"quaestor/internal/fault"
)

// NegotiationStatus is where a dispute stands.
type NegotiationStatus string

// The statuses of a dispute. Resolved and escalated end it; deferred waits.
const (
	NegotiationActive    NegotiationStatus = "active"
	NegotiationResolved  NegotiationStatus = "resolved"
	NegotiationDeferred  NegotiationStatus = "deferred"
	NegotiationEscalated NegotiationStatus = "escalated" // a reviewer decides
)

// Response is what the person says to a proposal.
type Response string

// The responses.
const (
	Accept Response = "accept"
	Reject Response = "reject"
	Modify Response = "modify"
)

// Resolution says how a dispute ended.
type Resolution string

// The resolutions.
const (
	UserAccepted  Resolution = "user_accepted"  // the person took our value
	AgentAccepted Resolution = "agent_accepted" // we took the person's
	Compromise    Resolution = "compromise"     // a third value, or a reviewer's
)

// MaxRounds is how often a value is disputed before a reviewer decides.
const MaxRounds = 3

// keptRounds bounds the rounds a dispute remembers; the history holds all.
const keptRounds = 8

// Negotiation is a dispute over a value (seed 003 "Negotiation Protocol").
type Negotiation struct {
	Status     NegotiationStatus `json:"status"`
	Rounds     []Round           `json:"rounds"`
	FinalValue json.RawMessage   `json:"finalValue,omitempty"`
	Resolution Resolution        `json:"resolution,omitempty"`
}

// Round is one proposal and its answer.
type Round struct {
	Turn      int             `json:"turnNumber"`
	Proposal  json.RawMessage `json:"agentProposal"`
	Response  Response        `json:"userResponse,omitempty"` // empty while it is awaited
	UserValue json.RawMessage `json:"userValue,omitempty"`
	Reasoning string          `json:"agentReasoning"`
}

// Dispute opens or continues a dispute: the person rejects proposal, and may
// say what is right instead (value, nil when they do not). It returns the new
// state and leaves n as it was. With a value the dispute is resolved, the
// person's word stands; without one it stays active until the third round,
// which hands it to a reviewer.
func (n *Negotiation) Dispute(turn int, proposal, value json.RawMessage, reasoning string) *Negotiation {
	next := &Negotiation{Status: NegotiationActive}
	if n != nil {
		next.Rounds = slices.Clone(n.Rounds[max(0, len(n.Rounds)-keptRounds+1):])
	}
	next.Rounds = append(next.Rounds, Round{Turn: turn, Proposal: proposal, Response: Reject, UserValue: value, Reasoning: reasoning})
	switch {
	case value != nil:
		next.Status, next.FinalValue, next.Resolution = NegotiationResolved, value, AgentAccepted
	case next.streak() >= MaxRounds:
		next.Status = NegotiationEscalated
	}
	return next
}

// streak counts the rejections since the last value both sides held.
func (n *Negotiation) streak() int {
	count := 0
	for i := len(n.Rounds) - 1; i >= 0 && n.Rounds[i].Response == Reject && n.Rounds[i].UserValue == nil; i-- {
		count++
	}
	return count
}

// Settle ends a dispute with the value both sides hold now.
func (n *Negotiation) Settle(turn int, value json.RawMessage, how Resolution) (*Negotiation, error) {
	if n == nil || n.Status == NegotiationResolved {
		return nil, fault.New(fault.Conflict, "no dispute is open on this value")
	}
	next := &Negotiation{Status: NegotiationResolved, Rounds: slices.Clone(n.Rounds), FinalValue: value, Resolution: how}
	response := Modify
	if how == UserAccepted {
		response = Accept
	}
	next.Rounds = append(next.Rounds, Round{Turn: turn, Proposal: value, Response: response, UserValue: value, Reasoning: "both sides hold this value"})
	return next, nil
}

// Postpone sets an open dispute aside.
func (n *Negotiation) Postpone() (*Negotiation, error) {
	if n == nil || n.Status != NegotiationActive {
		return nil, fault.New(fault.Conflict, "no dispute is active on this value")
	}
	return &Negotiation{Status: NegotiationDeferred, Rounds: slices.Clone(n.Rounds)}, nil
}

// Rejected reports whether the person has rejected value before: it is not to
// be proposed again without new evidence.
func (n *Negotiation) Rejected(value json.RawMessage) bool {
	if n == nil || value == nil {
		return false
	}
	return slices.ContainsFunc(n.Rounds, func(r Round) bool {
		return r.Response == Reject && SameValue(r.Proposal, value) && !SameValue(r.UserValue, value)
	})
}

// SameValue reports whether two JSON values are equal: white space and the order
// of fields do not matter, for texts neither does letter case.
func SameValue(a, b json.RawMessage) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return bytes.Equal(canonical(a), canonical(b))
}

func canonical(v json.RawMessage) []byte {
	var x any
	if json.Unmarshal(v, &x) != nil {
		return v
	}
	out, err := json.Marshal(foldValue(x))
	if err != nil {
		return v
	}
	return out
}

func foldValue(x any) any {
	switch x := x.(type) {
	case string:
		folded, _ := fold(x)
		return folded
	case []any:
		for i := range x {
			x[i] = foldValue(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = foldValue(x[k])
		}
	}
	return x
}
