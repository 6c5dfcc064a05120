package sessions

import (
	"encoding/json"
	"fmt"
	"time"

	"quaestor/obligations"
)

// Event is one entry of a session's log, from which every stream, socket and page is
// made. Data is the JSON object that is sent, its "type" included.
type Event struct {
	Seq  int64 // rises within the session; numbers may be missing, but never change order
	Turn int
	Kind Kind
	Data json.RawMessage
	At   time.Time // when it was stored; zero in an event that was not read back
}

// Number is the event's place in its log.
func (e Event) Number() int64 { return e.Seq }

// Kind is the type of an event.
type Kind string

// The kinds, in the order a turn emits them.
const (
	KindSession      Kind = "session"
	KindDelta        Kind = "delta"
	KindMessage      Kind = "message"
	KindInterruption Kind = "interruption"
	KindQuestion     Kind = "question"
	KindObligation   Kind = "obligation"
	KindNegotiation  Kind = "negotiation"
	KindConflict     Kind = "conflict"
	KindCompleteness Kind = "completeness"
	KindPhase        Kind = "phase"
	KindResearch     Kind = "research"
	KindMemory       Kind = "memory"
	KindParticipant  Kind = "participant"
	KindShare        Kind = "share"
	KindReopened     Kind = "reopened"
	KindHandover     Kind = "handover"
	KindRecording    Kind = "recording"
	KindSpeech       Kind = "speech"
	KindError        Kind = "error"
	KindDone         Kind = "done"
)

// Last reports whether an event of kind k ends its turn.
func (k Kind) Last() bool { return k == KindDone || k == KindError }

// Payload is the content of an event of one kind. Its JSON is the event's data but for
// "type", which [Encode] adds.
type Payload interface{ kind() Kind }

// SessionEvent opens a turn: event "session".
type SessionEvent struct {
	SessionID   string `json:"sessionId"`
	Turn        int    `json:"turn"`
	ContextType string `json:"contextType"`
	Language    string `json:"language,omitempty"` // of the session from this turn on, a BCP 47 tag
	Message     string `json:"message,omitempty"`  // what the person said, its id is [MessageID]; empty when the interviewer opens
	User        string `json:"userId,omitempty"`
	ClientID    string `json:"clientMessageId,omitempty"` // the sender's own id of the message
	Interviewer string `json:"interviewer"`               // "rules" or "model NAME"

	Files []Attachment `json:"files,omitempty"` // given with the message

	LanguageSource LanguageSource `json:"languageSource,omitempty"` // where the language is known from
}

// DeltaEvent is a piece of the reply: event "delta". Streams send it without an id,
// since the whole text follows as "message" and pieces are not kept.
type DeltaEvent struct {
	Turn    int    `json:"turn"`
	Attempt int    `json:"attempt,omitempty"` // of the turn; when it rises, the reply begins again
	Offset  int    `json:"offset"`            // UTF-16 units of the reply before this piece
	Content string `json:"content"`
}

// MessageEvent is the whole reply: event "message".
type MessageEvent struct {
	Turn        int    `json:"turn"`
	MessageID   string `json:"messageId"`
	Role        string `json:"role"`
	Content     string `json:"content"`
	Complete    bool   `json:"complete"` // false when the person stopped it
	Interviewer string `json:"interviewer"`
	Degraded    string `json:"degraded,omitempty"` // why the model did not answer this turn; empty when it did
}

// InterruptionEvent is a reply that was spoken, and into which the person broke: event
// "interruption". It comes after the turn's own events; the conversation goes on as if
// only Content had been said.
type InterruptionEvent struct {
	Turn      int    `json:"turn"`
	MessageID string `json:"messageId"`
	Content   string `json:"content"` // what was heard of the reply; empty for nothing
	Unasked   bool   `json:"unasked"` // the question was not heard, and counts as not asked
	By        string `json:"userId"`
}

// QuestionEvent is what is being asked: event "question".
type QuestionEvent struct {
	Turn int `json:"turn"`
	Question
}

// ObligationEvent is an obligation that changed: event "obligation". PreviousValue is
// there when the person had said something else before.
type ObligationEvent struct {
	Turn          int                    `json:"turn"`
	Key           string                 `json:"key"`
	Label         string                 `json:"label"`
	Category      string                 `json:"category,omitempty"`
	Status        obligations.Status     `json:"status"`
	Confidence    obligations.Confidence `json:"confidence"`
	Band          obligations.Band       `json:"band"`
	Value         json.RawMessage        `json:"value,omitempty"`
	Details       *obligations.Details   `json:"details,omitempty"` // of the value, such as its currency
	Evidence      []obligations.Evidence `json:"evidence,omitempty"`
	SkipReason    obligations.SkipReason `json:"skipReason,omitempty"`
	PreviousValue json.RawMessage        `json:"previousValue,omitempty"`
}

// NegotiationEvent is a negotiation that moved: event "negotiation".
type NegotiationEvent struct {
	Turn int    `json:"turn"`
	Key  string `json:"key"`
	*obligations.Negotiation
}

// ConflictEvent is a conflict found, raised or resolved: event "conflict".
type ConflictEvent struct {
	Turn int `json:"turn"`
	obligations.Conflict
}

// CompletenessEvent is how far the session is: event "completeness". Score and Progress
// are 0 to 1, the counts are of obligations.
type CompletenessEvent struct {
	Turn      int      `json:"turn"`
	Score     float64  `json:"score"`
	Progress  float64  `json:"progress"`
	Met       bool     `json:"met"`
	Satisfied int      `json:"satisfied"`
	Partial   int      `json:"partial"`
	Skipped   int      `json:"skipped"`
	Total     int      `json:"total"`
	Missing   []string `json:"missingRequired,omitempty"`

	Categories []obligations.CategoryScore `json:"categories,omitempty"` // how far each category is
}

// PhaseEvent is a change of phase: event "phase".
type PhaseEvent struct {
	Turn  int    `json:"turn"`
	Phase Phase  `json:"phase"`
	From  Phase  `json:"from"`
	Goal  string `json:"goal,omitempty"`
}

// ResearchEvent is a research task that moved: event "research".
type ResearchEvent struct {
	Turn   int    `json:"turn"`
	TaskID string `json:"taskId"`
	Key    string `json:"key,omitempty"`
	Type   string `json:"taskType"`
	Query  string `json:"query"`
	Status string `json:"status"`
	Why    string `json:"trigger"`
	Note   string `json:"note,omitempty"`

	Step     string          `json:"step,omitempty"`     // the last step that is done: plan, search, read, claims, verify or propose
	Doing    string          `json:"doing,omitempty"`    // what happens now, such as the page that is being read; a sentence
	Sources  int             `json:"sources,omitempty"`  // pages and documents read so far
	Claims   int             `json:"claims,omitempty"`   // verified
	Outcome  string          `json:"outcome,omitempty"`  // found, contradicting or no_evidence, once it is completed
	Summary  string          `json:"summary,omitempty"`  // what came of it in a few sentences
	Failure  string          `json:"failure,omitempty"`  // why it failed, in words
	Proposal json.RawMessage `json:"proposal,omitempty"` // the value it proposes for its obligation
	Steering []string        `json:"steering,omitempty"` // where it was told to look
	Disputed string          `json:"disputed,omitempty"` // what somebody said against what came of it last
}

// MemoryEvent is the working memory after a turn that changed it, or after somebody
// edited it: event "memory". For edits it is the audit trail: who changed what, when.
type MemoryEvent struct {
	Turn    int      `json:"turn"`
	Memory  Memory   `json:"memory"`
	By      string   `json:"editedBy,omitempty"` // empty for a turn
	Changed []string `json:"changed,omitempty"`  // paths of what was edited
}

// ParticipantEvent is a person who joined or left the session: event "participant".
type ParticipantEvent struct {
	Turn   int          `json:"turn"`
	User   string       `json:"userId"`
	Role   Role         `json:"role"`
	Change PersonChange `json:"change"`
}

// PersonChange is how a person's part in a session changed.
type PersonChange string

// The changes.
const (
	PersonJoined  PersonChange = "joined"
	PersonLeft    PersonChange = "left"    // by themselves
	PersonRemoved PersonChange = "removed" // by an owner
)

// ShareEvent is a link to the session's brief that was made or revoked: event "share".
type ShareEvent struct {
	Turn      int         `json:"turn"`
	ShareID   string      `json:"shareId"`
	Extent    Extent      `json:"extent"`
	Change    ShareChange `json:"change"`
	By        string      `json:"userId"` // who made it or took it back
	ExpiresAt time.Time   `json:"expiresAt"`
}

// ShareChange is how a link changed.
type ShareChange string

// The changes. There is no event for a link that expires.
const (
	ShareMade      ShareChange = "made"
	ShareTakenBack ShareChange = "taken_back"
)

// ReopenedEvent is a completed session that goes on as its next revision: event
// "reopened", in a turn of its own.
type ReopenedEvent struct {
	Turn        int       `json:"turn"`
	Revision    int       `json:"revision"`    // that begins
	CompletedAt time.Time `json:"completedAt"` // of the revision before
	By          string    `json:"userId"`
	Reviewer    bool      `json:"reviewer,omitempty"` // a reviewer reopened it, and not somebody who takes part
	Reason      string    `json:"reason,omitempty"`
}

// HandoverEvent is a wish for a human being: event "handover".
type HandoverEvent struct {
	Turn   int            `json:"turn"`
	Change HandoverChange `json:"change"`
	By     string         `json:"userId"` // who asked, or who got in touch
}

// HandoverChange is what became of a wish for a human being.
type HandoverChange string

// The changes.
const (
	HandoverAsked HandoverChange = "asked"
	HandoverDone  HandoverChange = "done" // a reviewer got in touch
)

// RecordingEvent is the answer of a person to whether they may be recorded: event
// "recording".
type RecordingEvent struct {
	Turn    int    `json:"turn"`
	User    string `json:"userId"`
	Allowed bool   `json:"allowed"`
}

// SpeechEvent is how the session sounds from now on: event "speech". What is absent is left to
// the organisation.
type SpeechEvent struct {
	Turn     int     `json:"turn"`
	Voice    string  `json:"voice,omitempty"`
	Speed    float64 `json:"speed,omitempty"`
	Language string  `json:"language,omitempty"`
	By       string  `json:"editedBy"`
}

// ErrorEvent ends a turn that could not be answered: event "error".
type ErrorEvent struct {
	Turn      int    `json:"turn"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	Retryable bool   `json:"retryable"`
}

// DoneEvent ends a turn: event "done". Reason is "answered", "stopped", or the session's
// stop reason when the turn ended or paused the session.
type DoneEvent struct {
	Turn       int      `json:"turn"`
	Reason     string   `json:"reason"`
	Unresolved []string `json:"unresolved,omitempty"` // keys still open, when the session ends
}

func (SessionEvent) kind() Kind      { return KindSession }
func (DeltaEvent) kind() Kind        { return KindDelta }
func (MessageEvent) kind() Kind      { return KindMessage }
func (InterruptionEvent) kind() Kind { return KindInterruption }
func (QuestionEvent) kind() Kind     { return KindQuestion }
func (ObligationEvent) kind() Kind   { return KindObligation }
func (NegotiationEvent) kind() Kind  { return KindNegotiation }
func (ConflictEvent) kind() Kind     { return KindConflict }
func (CompletenessEvent) kind() Kind { return KindCompleteness }
func (PhaseEvent) kind() Kind        { return KindPhase }
func (ResearchEvent) kind() Kind     { return KindResearch }
func (MemoryEvent) kind() Kind       { return KindMemory }
func (ParticipantEvent) kind() Kind  { return KindParticipant }
func (ShareEvent) kind() Kind        { return KindShare }
func (ReopenedEvent) kind() Kind     { return KindReopened }
func (HandoverEvent) kind() Kind     { return KindHandover }
func (RecordingEvent) kind() Kind    { return KindRecording }
func (SpeechEvent) kind() Kind       { return KindSpeech }
func (ErrorEvent) kind() Kind        { return KindError }
func (DoneEvent) kind() Kind         { return KindDone }

// Encode returns the JSON of p with its type in front. It is the only place where
// events of sessions are encoded, so readers can rely on "type" being the first field.
func Encode(p Payload) (Kind, json.RawMessage) {
	k := p.kind()
	body, err := json.Marshal(p)
	if err != nil { // only raw JSON in a payload can be malformed
		body = fmt.Appendf(nil, `{"fault":%q}`, err.Error())
	}
	out := fmt.Appendf(nil, `{"type":%q`, k)
	if len(body) > len("{}") {
		out = append(out, ',')
	}
	return k, append(out, body[1:]...) // without its brace
}

// newEvent returns p as an event of a turn, without a number and a time.
func newEvent(turn int, p Payload) Event {
	kind, data := Encode(p)
	return Event{Turn: turn, Kind: kind, Data: data}
}

// LearntFrom returns the event of a change. The value before is named only when the
// person had said it: a hint, or the same value written otherwise, is no revision.
func LearntFrom(c obligations.Change, turn int) ObligationEvent {
	o := c.After
	l := ObligationEvent{Turn: turn, Key: o.Key, Label: o.Name(), Category: o.Category, Status: o.Status, Confidence: o.Confidence,
		Band: o.Confidence.Band(), Value: o.Value, Details: o.Details(), Evidence: o.Evidence, SkipReason: o.SkipReason}
	if c.Before.Value != nil && !c.Before.Hinted() && !obligations.SameValue(c.Before.Value, o.Value) {
		l.PreviousValue = c.Before.Value
	}
	return l
}
