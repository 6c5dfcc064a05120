package voice

import (
	"context"
	"encoding/json"
	"time"

	"quaestor/sessions"
)

// Wire is what a call is held over: the websocket of a page, a telephone, or a client that
// speaks another protocol. Both methods are called by several goroutines. An error ends
// the call.
type Wire interface {
	// Play sends sound of the interviewer, as samples of the call's rate. It goes on where
	// the last sound ended. The call keeps the line at most [Options.Ahead] before the
	// person's ear.
	Play(ctx context.Context, samples []int16) error
	// Tell sends what happens.
	Tell(ctx context.Context, e Event) error
	// Log sends an event of the session.
	Log(ctx context.Context, e sessions.Event) error
}

// State is what the call does, for the person.
type State string

// The states.
const (
	Listening State = "listening" // the person may speak
	Hearing   State = "hearing"   // the person speaks
	Thinking  State = "thinking"  // what was said is written down or answered
	Speaking  State = "speaking"  // the interviewer speaks
)

// Event is something that happens in a call, beside the events of its session. Its JSON is
// what the websocket sends, and has a "type".
type Event interface{ kind() string }

// ReadyEvent opens a call.
type ReadyEvent struct {
	SessionID string `json:"sessionId"`
	Rate      int    `json:"rate"` // of the sound in both directions, in samples a second
	Speaks    bool   `json:"speaks"`
	Hears     bool   `json:"hears"`
	Language  string `json:"language"`
	Talks     bool   `json:"talks"`     // false for somebody who only watches
	Utterance int    `json:"utterance"` // number of the next utterance
}

// StateEvent is a change of what the call does.
type StateEvent struct {
	State State `json:"state"`
}

// HeardEvent tells what was made of an utterance.
type HeardEvent struct {
	Utterance int    `json:"utterance"` // its number; 0 for a sound that was not waited out
	Text      string `json:"text"`      // the words; empty when none were heard
	// Answer is false for a sound that is no answer: a noise, or an "mhm" while the
	// interviewer speaks.
	Answer bool `json:"answer"`
}

// PartialEvent is what an utterance seems to be while it is said or written down. The next
// one, or [HeardEvent], takes its place.
type PartialEvent struct {
	Utterance int    `json:"utterance"`
	Text      string `json:"text"` // all words so far
}

// ConsentEvent asks whether the person may be recorded. It is said, too, and answered aloud or
// by the client; nothing of the interview comes before.
type ConsentEvent struct {
	Text string `json:"text"`
}

// RecordingEvent tells whether what the person says is recorded from now on.
type RecordingEvent struct {
	On bool `json:"on"`
}

// CaptionEvent is a sentence that is spoken from now on; its sound follows.
type CaptionEvent struct {
	Turn int    `json:"turn"` // of the reply; 0 for a reminder
	Text string `json:"text"`
	At   int    `json:"ms"`   // milliseconds of the sound of the reply before it
	From int    `json:"from"` // bytes of the reply before it; [Place] takes it back
	// Length is how long it takes to say it, in milliseconds.
	Length int `json:"length"`
}

// StopEvent asks the client to stop playing at once, and to answer with how much of the
// reply was played.
type StopEvent struct {
	Turn int `json:"turn"`
}

// ResumeEvent says that the sound goes on from there: what made it stop was no answer.
type ResumeEvent struct {
	Turn int `json:"turn"`
	At   int `json:"ms"`
}

// SpokenEvent tells that all sound of a reply was sent.
type SpokenEvent struct {
	Turn     int `json:"turn"`
	Duration int `json:"ms"`
}

// ReminderEvent is said when nobody answers, or only noise is heard; from the third on
// it offers typing.
type ReminderEvent struct {
	Text   string `json:"text"`
	Count  int    `json:"count"` // since words were heard
	Typing bool   `json:"typing"`
}

// TroubleEvent tells that speech failed. The call goes on in writing.
type TroubleEvent struct {
	With   string `json:"with"` // hearing or speaking
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// UnsentEvent returns words that could not become a turn, with the reason, so that they can
// be sent in writing.
type UnsentEvent struct {
	Utterance int    `json:"utterance"`
	Text      string `json:"text"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
}

// EndEvent is the last of a call.
type EndEvent struct {
	Reason string `json:"reason"` // completed, too_long, replaced, busy, protocol, closing
	Detail string `json:"detail"`
}

func (ReadyEvent) kind() string     { return "ready" }
func (StateEvent) kind() string     { return "state" }
func (HeardEvent) kind() string     { return "heard" }
func (PartialEvent) kind() string   { return "partial" }
func (ConsentEvent) kind() string   { return "consent" }
func (RecordingEvent) kind() string { return "recorded" }
func (CaptionEvent) kind() string   { return "caption" }
func (StopEvent) kind() string      { return "stop" }
func (ResumeEvent) kind() string    { return "resume" }
func (SpokenEvent) kind() string    { return "spoken" }
func (ReminderEvent) kind() string  { return "reminder" }
func (TroubleEvent) kind() string   { return "trouble" }
func (UnsentEvent) kind() string    { return "unsent" }
func (EndEvent) kind() string       { return "end" }

// Encode returns the JSON of e with its type in front.
func Encode(e Event) []byte {
	body, _ := json.Marshal(e) // texts and numbers only
	out := append([]byte(`{"type":"`), e.kind()...)
	out = append(out, '"')
	if len(body) > len("{}") {
		out = append(out, ',')
	}
	return append(out, body[1:]...) // without its brace
}

// milliseconds returns d in whole milliseconds.
func milliseconds(d time.Duration) int { return int(d / time.Millisecond) }
