package obligations

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/fault"
)

// NegotiationStatus is the state of a dispute over a value.
type NegotiationStatus string

// The statuses of a dispute. None is the status of a nil [Negotiation].
const (
	NegotiationNone      NegotiationStatus = "none"
	NegotiationActive    NegotiationStatus = "active"
	NegotiationDeferred  NegotiationStatus = "deferred"
	NegotiationEscalated NegotiationStatus = "escalated" // a reviewer has to decide
	NegotiationResolved  NegotiationStatus = "resolved"
)

// NegotiationStep is an event in a dispute.
type NegotiationStep string

// The steps.
const (
	StepStart    NegotiationStep = "start"             // a value is rejected
	StepValue    NegotiationStep = "submit_user_value" // the person names another value; it is held, still in dispute
	StepAccept   NegotiationStep = "accept"            // the person accepts the value proposed
	StepReject   NegotiationStep = "reject"            // the person rejects one more proposal: a fruitless round
	StepModify   NegotiationStep = "modify"            // the person's own value is accepted
	StepDefer    NegotiationStep = "defer"             // the person wants to come back to it
	StepResume   NegotiationStep = "resume"            // it is taken up again
	StepEscalate NegotiationStep = "escalate"          // it is handed to a reviewer
	StepResolve  NegotiationStep = "resolve"           // the person ends it
	StepDecide   NegotiationStep = "decide"            // a reviewer ends it
	StepEvidence NegotiationStep = "new_evidence"      // evidence arrived that was not known when a value was rejected
)

// moves is the protocol: where each step leads from each status. A step that is missing
// here is refused and changes nothing. A rejection that is the third fruitless round
// leads to escalated, whatever the table has.
var moves = map[NegotiationStatus]map[NegotiationStep]NegotiationStatus{
	NegotiationNone: {StepStart: NegotiationActive},
	NegotiationActive: {
		StepValue: NegotiationActive, StepReject: NegotiationActive, StepEvidence: NegotiationActive,
		StepDefer: NegotiationDeferred, StepEscalate: NegotiationEscalated,
		StepAccept: NegotiationResolved, StepModify: NegotiationResolved, StepResolve: NegotiationResolved, StepDecide: NegotiationResolved,
	},
	NegotiationDeferred: {
		StepValue: NegotiationActive, StepReject: NegotiationActive, StepResume: NegotiationActive,
		StepEvidence: NegotiationDeferred, StepEscalate: NegotiationEscalated,
		StepAccept: NegotiationResolved, StepModify: NegotiationResolved, StepResolve: NegotiationResolved, StepDecide: NegotiationResolved,
	},
	NegotiationEscalated: {
		StepValue: NegotiationEscalated, StepReject: NegotiationEscalated, StepEvidence: NegotiationEscalated,
		StepAccept: NegotiationResolved, StepDecide: NegotiationResolved,
	},
	NegotiationResolved: {StepStart: NegotiationActive, StepEvidence: NegotiationResolved},
}

// Response is a person's answer to a proposal.
type Response string

// The responses.
const (
	Accept Response = "accept"
	Reject Response = "reject"
	Modify Response = "modify"
)

// Resolution is how a dispute ended.
type Resolution string

// The resolutions.
const (
	UserAccepted  Resolution = "user_accepted"  // the person accepted our value
	AgentAccepted Resolution = "agent_accepted" // we accepted the person's value
	Compromise    Resolution = "compromise"     // both settled on a third value
)

// MaxRounds is how many fruitless rounds a dispute may have before a reviewer decides.
const MaxRounds = 3

// keptRounds and keptRefused bound what a dispute keeps; the audit trail has all of it.
const (
	keptRounds  = 8
	keptRefused = 50
)

// Negotiation is a dispute over a value. It is immutable: every step returns a new one.
type Negotiation struct {
	Status     NegotiationStatus `json:"status"`
	Rounds     []Round           `json:"rounds"` // the latest 8, oldest first
	FinalValue json.RawMessage   `json:"finalValue,omitempty"`
	Resolution Resolution        `json:"resolution,omitempty"`
	ResolvedBy string            `json:"resolvedBy,omitempty"`      // the person who ended it, unless that happened in the conversation
	Fruitless  int               `json:"fruitlessRounds,omitempty"` // rejections since both sides last agreed on a value; at most 3
	Refused    []RejectedValue   `json:"rejected,omitempty"`        // values that must not be proposed again, the latest 50
}

// Round is one proposal and its answer.
type Round struct {
	Turn      int             `json:"turnNumber"`
	Proposal  json.RawMessage `json:"agentProposal"`
	Response  Response        `json:"userResponse,omitempty"` // empty while the answer is awaited
	UserValue json.RawMessage `json:"userValue,omitempty"`
	Reasoning string          `json:"agentReasoning"`
}

// RejectedValue is a rejected value and the evidence there was for it at the time.
type RejectedValue struct {
	Turn    int             `json:"turnNumber"`
	Value   json.RawMessage `json:"value"`
	Grounds []string        `json:"grounds,omitempty"` // see [Evidence.ground]
}

// Standing returns the status of a dispute; none for nil.
func (n *Negotiation) Standing() NegotiationStatus {
	if n == nil {
		return NegotiationNone
	}
	return n.Status
}

// Open reports whether the dispute still waits for somebody.
func (n *Negotiation) Open() bool {
	switch n.Standing() {
	case NegotiationActive, NegotiationDeferred, NegotiationEscalated:
		return true
	case NegotiationNone, NegotiationResolved:
	}
	return false
}

// step returns a copy with the status after s and nothing else changed. A step that the
// protocol does not allow here is a Conflict.
func (n *Negotiation) step(s NegotiationStep) (*Negotiation, error) {
	to, ok := moves[n.Standing()][s]
	if !ok {
		return nil, fault.New(fault.Conflict, "%s", refusals[n.Standing()]).Coded("negotiation_" + string(n.Standing()))
	}
	next := &Negotiation{Status: to}
	if n != nil {
		*next = *n
		next.Status, next.Rounds, next.Refused = to, slices.Clone(n.Rounds), slices.Clone(n.Refused)
	}
	return next, nil
}

// refusals tell people why a step is not possible.
var refusals = map[NegotiationStatus]string{
	NegotiationNone:      "no dispute is open on this value; begin one by rejecting the value first",
	NegotiationActive:    "this value is in dispute already; name the right value, or end the dispute",
	NegotiationDeferred:  "this dispute is set aside; take it up again, or end it",
	NegotiationEscalated: "this dispute is with a reviewer now, who decides it",
	NegotiationResolved:  "this dispute is over; begin a new one by rejecting the value",
}

// Rejection is a proposal that somebody rejects.
type Rejection struct {
	Turn     int
	Proposal json.RawMessage
	Evidence []Evidence // evidence for the proposal
	Reason   string
}

// StartNegotiation opens a dispute, or a new one after the last was resolved. It is a
// Conflict while one is open.
func StartNegotiation(n *Negotiation, r Rejection) (*Negotiation, error) {
	return n.turnDown(StepStart, r)
}

// reject adds a fruitless round to an open dispute; the third one hands it to a
// reviewer.
func (n *Negotiation) reject(r Rejection) (*Negotiation, error) { return n.turnDown(StepReject, r) }

// revise records a change of mind in one round: r.Proposal is replaced by s.Value. It
// opens a dispute if none is open and ends it, unless a reviewer has to decide.
func (n *Negotiation) revise(r Rejection, s Settlement) (*Negotiation, error) {
	next, err := n.withRound(r)
	switch {
	case err != nil:
		return nil, err
	case s.Reviewer:
		return ResolveNegotiation(next, s)
	}
	return next.modify(s)
}

// withRound returns an open dispute with r as its last round. The round counts as fruitless
// only if it opens the dispute.
func (n *Negotiation) withRound(r Rejection) (*Negotiation, error) {
	if !n.Open() {
		return StartNegotiation(n, r)
	}
	next, err := n.step(StepEvidence) // a step that keeps the status
	if err == nil {
		next.add(Round{Turn: r.Turn, Proposal: r.Proposal, Response: Reject, Reasoning: r.Reason})
		next.refuse(r)
	}
	return next, err
}

func (n *Negotiation) turnDown(s NegotiationStep, r Rejection) (*Negotiation, error) {
	next, err := n.step(s)
	if err != nil {
		return nil, err
	}
	next.FinalValue, next.Resolution, next.ResolvedBy = nil, "", ""
	next.Fruitless = min(next.Fruitless+1, MaxRounds)
	if next.Fruitless == MaxRounds {
		next.Status = NegotiationEscalated
	}
	next.add(Round{Turn: r.Turn, Proposal: r.Proposal, Response: Reject, Reasoning: r.Reason})
	next.refuse(r)
	return next, nil
}

func (n *Negotiation) add(r Round) {
	n.Rounds = append(n.Rounds, r)
	n.Rounds = n.Rounds[max(0, len(n.Rounds)-keptRounds):]
}

// refuse adds a rejected value, with all the evidence it ever had.
func (n *Negotiation) refuse(r Rejection) {
	out := RejectedValue{Turn: r.Turn, Value: r.Proposal}
	for _, e := range r.Evidence {
		out.Grounds = append(out.Grounds, e.ground())
	}
	if i := n.refusedAt(r.Proposal); i >= 0 {
		out.Grounds = append(out.Grounds, n.Refused[i].Grounds...)
		n.Refused = slices.Delete(n.Refused, i, i+1)
	}
	slices.Sort(out.Grounds)
	out.Grounds = slices.Compact(out.Grounds)
	n.Refused = append(n.Refused, out)
	n.Refused = n.Refused[max(0, len(n.Refused)-keptRefused):]
}

func (n *Negotiation) refusedAt(v json.RawMessage) int {
	return slices.IndexFunc(n.Refused, func(r RejectedValue) bool { return SameValue(r.Value, v) })
}

// SubmitUserValue records the value that the person insists on. The dispute stays open
// until it is resolved; one that is with a reviewer stays there.
func SubmitUserValue(n *Negotiation, turn int, value json.RawMessage) (*Negotiation, error) {
	next, err := n.step(StepValue)
	if err == nil {
		next.answer(turn, value)
	}
	return next, err
}

// answer stores the person's value beside the proposal they rejected.
func (n *Negotiation) answer(turn int, value json.RawMessage) {
	if i := len(n.Rounds) - 1; i >= 0 && n.Rounds[i].Response == Reject && n.Rounds[i].UserValue == nil {
		n.Rounds[i].UserValue = value
		return
	}
	n.add(Round{Turn: turn, Response: Modify, UserValue: value, Reasoning: "the person named another value"})
}

// Settlement describes how a dispute ends.
type Settlement struct {
	Turn       int
	Value      json.RawMessage // the value both sides hold from now on
	Resolution Resolution      // empty means it is derived from the value: ours, the person's, or a third one
	Reviewer   bool            // a reviewer decides; nobody else can end an escalated dispute
	By         string          // the person who ended it; may be empty
}

// ResolveNegotiation ends a dispute. It is a Conflict if none is open, or if a reviewer
// has to decide it.
func ResolveNegotiation(n *Negotiation, s Settlement) (*Negotiation, error) {
	step := StepResolve
	if s.Reviewer {
		step = StepDecide
	}
	return n.end(step, s)
}

// accept ends a dispute with the value that was proposed.
func (n *Negotiation) accept(s Settlement) (*Negotiation, error) {
	s.Resolution = UserAccepted
	next, err := n.end(StepAccept, s)
	if err == nil {
		next.add(Round{Turn: s.Turn, Proposal: s.Value, Response: Accept, Reasoning: "the person agreed"})
	}
	return next, err
}

// modify ends a dispute with the person's own value. An escalated dispute stays with
// the reviewer, who sees the value.
func (n *Negotiation) modify(s Settlement) (*Negotiation, error) {
	if n.Standing() == NegotiationEscalated {
		return SubmitUserValue(n, s.Turn, s.Value)
	}
	s.Resolution = AgentAccepted
	next, err := n.end(StepModify, s)
	if err == nil {
		next.answer(s.Turn, s.Value)
	}
	return next, err
}

func (n *Negotiation) end(step NegotiationStep, s Settlement) (*Negotiation, error) {
	next, err := n.step(step)
	if err != nil {
		return nil, err
	}
	next.FinalValue, next.ResolvedBy, next.Fruitless = s.Value, s.By, 0
	next.Resolution = cmp.Or(s.Resolution, n.resolutionOf(s.Value))
	if i := next.refusedAt(s.Value); i >= 0 { // both sides hold it now, so it is no longer refused
		next.Refused = slices.Delete(next.Refused, i, i+1)
	}
	if len(next.Refused) == 0 {
		next.Refused = nil
	}
	return next, nil
}

// resolutionOf returns whose value v is.
func (n *Negotiation) resolutionOf(v json.RawMessage) Resolution {
	for _, r := range slices.Backward(n.Rounds) {
		switch {
		case SameValue(r.UserValue, v):
			return AgentAccepted
		case SameValue(r.Proposal, v):
			return UserAccepted
		}
	}
	return Compromise
}

// Last returns the latest proposal and the person's latest value in the dispute; nil
// where there is none.
func (n *Negotiation) Last() (proposal, user json.RawMessage) {
	if n == nil {
		return nil, nil
	}
	for _, r := range slices.Backward(n.Rounds) {
		if proposal == nil {
			proposal = r.Proposal
		}
		if user == nil {
			user = r.UserValue
		}
	}
	return proposal, user
}

// Rejected reports whether value must not be proposed on the evidence e: it was
// rejected, and e was known then. It does not apply to what a person says themselves,
// which is no proposal.
func (n *Negotiation) Rejected(value json.RawMessage, e Evidence) bool {
	if n == nil || value == nil {
		return false
	}
	i := n.refusedAt(value)
	return i >= 0 && !(e.fresh() && !slices.Contains(n.Refused[i].Grounds, e.ground()))
}

// TurnedDown reports whether somebody rejected value for o, and o does not hold it again since.
func (o *Obligation) TurnedDown(value json.RawMessage) bool {
	return value != nil && o.Negotiation != nil && o.Negotiation.refusedAt(value) >= 0 && !SameValue(o.Value, value)
}

// fresh reports whether evidence of this kind can be new to a dispute, as a source or an
// inference can. Somebody saying yes to a rejected value is a response, not evidence.
func (e Evidence) fresh() bool {
	switch e.Kind {
	case InferredEvidence:
		return len(e.Premises) > 0
	case ResearchEvidence, Document:
		return e.Source != ""
	case Stated, Accepted, WidgetInput, Reviewer:
	}
	return false
}

// ground identifies what evidence rests on, so that the same source in other words does
// not count as new.
func (e Evidence) ground() string {
	switch e.Kind {
	case InferredEvidence:
		keys := slices.Clone(e.Premises)
		slices.Sort(keys)
		return string(e.Kind) + ":" + strings.Join(keys, ",")
	case ResearchEvidence, Document:
		return "source:" + e.Source
	case Stated, Accepted, WidgetInput, Reviewer:
	}
	return string(e.Kind) + ":" + e.Message
}
