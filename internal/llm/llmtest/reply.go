package llmtest

import (
	"encoding/json"
	"strings"
	"time"
)

// Reply is one scripted answer. The zero Reply answers with no text at all.
type Reply struct {
	Text         string        // what to say
	JSON         any           // when not nil, what to say as JSON; Text is then ignored
	Pieces       []string      // how a stream is cut; nil means word by word
	FirstDelay   time.Duration // before the first byte
	PieceDelay   time.Duration // before each further piece of a stream
	Until        chan struct{} // what a stream waits for before it ends: that it is closed; nil means nothing
	FinishReason string        // empty means "stop"
	Usage        *Usage        // nil means counted from the text
	NoUsage      bool          // say nothing about usage
	Fault        Fault         // what goes wrong; empty means nothing
	Status       int           // answer with this HTTP status instead; 0 means none
	RetryAfter   time.Duration // sent with Status as whole seconds; 0 means none
	ErrorText    string        // the provider's message sent with Status or an error event
}

// Usage is the token count a reply reports.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`

	Details *UsageDetails `json:"prompt_tokens_details,omitempty"`
}

// UsageDetails say more about a prompt's tokens.
type UsageDetails struct {
	CachedTokens int `json:"cached_tokens"`
}

// Status is the reply that refuses with an HTTP status. A retryAfter of a second
// or more is sent as Retry-After.
func Status(code int, retryAfter time.Duration) Reply {
	return Reply{Status: code, RetryAfter: retryAfter}
}

// body returns what the reply says.
func (r Reply) body() string {
	if r.JSON == nil {
		return r.Text
	}
	b, err := json.Marshal(r.JSON)
	if err != nil {
		return "llmtest: the scripted JSON cannot be marshalled: " + err.Error()
	}
	return string(b)
}

// pieces returns how the reply is streamed: as scripted, else after each space.
func (r Reply) pieces() []string {
	if r.Pieces != nil {
		return r.Pieces
	}
	if r.body() == "" {
		return nil
	}
	return strings.SplitAfter(r.body(), " ")
}

// finish returns the finish reason to send.
func (r Reply) finish() string {
	if r.FinishReason == "" {
		return "stop"
	}
	return r.FinishReason
}

// usage returns what to report, nil for nothing.
func (r Reply) usage(req Request) *Usage {
	if r.NoUsage {
		return nil
	}
	if r.Usage != nil {
		return r.Usage
	}
	u := Usage{PromptTokens: len(req.Body) / 4, CompletionTokens: max(1, len(r.body())/4)}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return &u
}

// errorText returns the provider's message, which clients must not pass on.
func (r Reply) errorText() string {
	if r.ErrorText == "" {
		return "scripted failure"
	}
	return r.ErrorText
}
