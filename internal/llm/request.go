package llm

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Request is one question to the model.
type Request struct {
	Purpose     string // a short fixed word for metrics, such as "reply"; not sent
	Messages    []Message
	MaxTokens   int      // of the answer; zero leaves it to the server
	Temperature *float64 // nil leaves it to the server
}

// Usage counts tokens.
type Usage struct {
	PromptTokens     int
	CachedTokens     int // of PromptTokens: those the server had from before, which cost less; 0 when it does not say
	CompletionTokens int
	Estimated        bool // counted from bytes because the server did not say
}

// Reply is a model's answer.
type Reply struct {
	Text         string
	Usage        Usage
	FinishReason string // "stop", or "length" when MaxTokens cut the text
	Attempts     int
	FirstToken   time.Duration // from the call to the first text; for an answer that is not streamed, to its end
	Total        time.Duration
}

// chatBody is the wire form of a chat request. It is ours rather than
// openai-go's params because those take 87 µs to marshal 20 messages. The texts,
// nearly all of it, are written by [appendText].
type chatBody struct {
	Model    string
	Messages []Message
	wish
	ResponseFormat json.RawMessage // goes last as it is: encoding/json would check and copy the schema in each request
}

// wish is what stands between the messages and the format of the answer.
type wish struct {
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	Temperature         *float64       `json:"temperature,omitempty"`
	Stream              bool           `json:"stream,omitempty"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
}

// streamOptions asks for the usage at the end of a stream.
type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// responseFormat says what kind of answer is wanted.
type responseFormat struct {
	JSONSchema *strictSchema `json:"json_schema,omitempty"`
	Type       string        `json:"type"` // "json_schema" or "json_object"
}

// strictSchema is a schema the server is to enforce.
type strictSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

// anyObject asks for an object without saying which.
var anyObject = mustFormat(responseFormat{Type: "json_object"})

// mustFormat encodes f, which cannot fail for a schema that compiled.
func mustFormat(f responseFormat) json.RawMessage {
	raw, err := json.Marshal(f)
	if err != nil {
		panic("llm: " + err.Error())
	}
	return raw
}

// payload is a request ready to send, with the features it uses.
type payload struct {
	path string
	body []byte
	sent feature
}

// streamPayload is r as a streamed chat request.
func (c *Client) streamPayload(r Request) (payload, *Error) {
	b, sent := c.chatBody(r)
	b.Stream = true
	if c.refused.allow(streamUsage) {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
		sent |= streamUsage
	}
	return chatPayload(b, sent)
}

// jsonPayload is r as a request for JSON, on the highest rung the server has not
// refused: a strict schema, any JSON object, or the wish in words alone.
func (c *Client) jsonPayload(r Request, s Schema) (payload, *Error) {
	b, sent := c.chatBody(r)
	switch {
	case c.refused.allow(schemaFormat):
		sent |= schemaFormat
		b.ResponseFormat = s.format
		return chatPayload(b, sent)
	case c.refused.allow(objectFormat):
		sent |= objectFormat
		b.ResponseFormat = anyObject
	}
	b.Messages = instructed(r.Messages, s.instruction())
	return chatPayload(b, sent)
}

// chatBody is what both kinds of chat request have in common.
func (c *Client) chatBody(r Request) (chatBody, feature) {
	b := chatBody{Model: c.model, Messages: r.Messages}
	var sent feature
	switch {
	case r.MaxTokens <= 0:
	case c.base != defaultBaseURL && c.refused.allow(shortMaxTokens):
		b.MaxTokens, sent = r.MaxTokens, sent|shortMaxTokens
	default:
		b.MaxCompletionTokens = r.MaxTokens
	}
	if r.Temperature != nil && c.refused.allow(temperature) {
		b.Temperature, sent = r.Temperature, sent|temperature
	}
	return b, sent
}

// chatPayload marshals b. Only a temperature that is no number makes it fail.
func chatPayload(b chatBody, sent feature) (payload, *Error) {
	rest, err := json.Marshal(b.wish)
	if err != nil {
		return payload{}, &Error{Class: Refused, Reason: "request does not encode"}
	}
	out := bodies.Get().(*[]byte)
	defer bodies.Put(out)
	body := append((*out)[:0], `{"model":`...)
	body = appendText(body, b.Model)
	body = appendMessages(append(body, `,"messages":`...), b.Messages)
	if len(rest) > len("{}") {
		body = append(append(body, ','), rest[1:len(rest)-1]...)
	}
	if b.ResponseFormat != nil {
		body = append(append(body, `,"response_format":`...), b.ResponseFormat...)
	}
	*out = append(body, '}')
	return payload{path: "/chat/completions", body: bytes.Clone(*out), sent: sent}, nil
}

// bodies are the buffers requests grow in.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// instructed returns messages with text added to the first system message, or
// put before all if there is none.
func instructed(messages []Message, text string) []Message {
	i := slices.IndexFunc(messages, func(m Message) bool { return m.Role == "system" })
	if i < 0 {
		return slices.Insert(slices.Clone(messages), 0, Message{Role: "system", Content: text})
	}
	out := slices.Clone(messages)
	out[i].Content += "\n\n" + text
	return out
}

// estimate counts usage at 3.1 bytes a token, as measured on mixed text.
func estimate(messages []Message, answer string) Usage {
	var prompt int
	for _, m := range messages {
		prompt += len(m.Content)
	}
	return Usage{PromptTokens: tokensOf(prompt), CompletionTokens: tokensOf(len(answer)), Estimated: true}
}

// tokensOf returns about how many tokens n bytes of text are.
func tokensOf(n int) int { return (n*10 + 30) / 31 }

// plus adds two counts.
func (u Usage) plus(v Usage) Usage {
	return Usage{
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CachedTokens:     u.CachedTokens + v.CachedTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		Estimated:        u.Estimated || v.Estimated,
	}
}
