package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

const (
	maxEventBytes = 1 << 20 // of one event; some servers send a whole answer as one

	afterFinish = time.Second           // to wait for the usage once the finish reason was seen
	afterDone   = 25 * time.Millisecond // to wait for the end of the body, which lets the connection be used again
)

// Stream asks for an answer and calls onText with each piece as it arrives, on
// the caller's goroutine. A leading <think> block is left out.
//
// The error is nil only when a finish reason was seen: "stop", or "length" with
// some text. Otherwise it is an [*Error], and Reply.Text is what was passed on so
// far: good for counting, never to be kept as an answer. An error of onText ends
// the call with class [Canceled]; errors.Is finds it.
//
// The next model of a chain is asked only while nothing was passed on.
func (c *Client) Stream(ctx context.Context, r Request, onText func(piece string) error) (Reply, error) {
	return c.ask(ctx, r.Purpose, func(m *Client) (Reply, error) { return m.streamOne(ctx, r, onText) }, func(failed Reply) bool { return failed.Text == "" })
}

// streamOne is Stream with the first model alone.
func (c *Client) streamOne(ctx context.Context, r Request, onText func(piece string) error) (Reply, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotal)
	defer cancel()
	began := time.Now()
	var reply Reply
	fail := c.call(ctx, &reply, func(x *exchange, into *Reply) *Error {
		a := &answer{exchange: x, onText: onText, began: began}
		*into = Reply{}
		events, fail := a.open(r)
		if fail != nil {
			return fail
		}
		defer events.Close() //nolint:errcheck // it was read
		fail = a.take(events)
		*into = a.reply(r)
		return fail
	})
	err := c.finish(r.Purpose, began, &reply, fail)
	return reply, err
}

// chunk is what matters of an event. openai-go's ChatCompletionChunk keeps the raw
// text of each field beside its value and takes some five times as long to decode:
// docs/benchmarks.md. Each word of an answer is one.
type chunk struct {
	Choices []choice                `json:"choices"`
	Usage   *openai.CompletionUsage `json:"usage"`
	Error   any                     `json:"error"`
}

// choice is one of the answers of a chunk, of which only the first counts.
type choice struct {
	Delta struct {
		Content string `json:"content"`
		Refusal string `json:"refusal"`
	} `json:"delta"`
	FinishReason string `json:"finish_reason"`
}

// answer is a streamed answer coming in.
type answer struct {
	*exchange
	onText func(string) error
	began  time.Time

	think   thinkFilter
	text    strings.Builder // what was passed on
	bytes   int64           // of content, visible or not
	first   time.Duration
	finish  string
	usage   Usage
	counted bool
	refusal bool
	events  int
}

// errDone means that the stream announced its end.
var errDone = errors.New("done")

// errBadChunk means that a piece of a stream is not the JSON it should be.
var errBadChunk = errors.New("bad chunk")

// errEvent means that the stream carried an error instead of text.
var errEvent = errors.New("error event")

// callbackError is an error of the caller's onText.
type callbackError struct{ error }

// open asks and returns the events of the answer, for the caller to close.
func (a *answer) open(r Request) (ssestream.Decoder, *Error) {
	a.streamed = true
	var resp *http.Response
	err := a.client.api.Post(a.watch.ctx, "chat/completions", a.streamParams(r), &resp,
		a.options(option.WithJSONSet("stream", true), option.WithHeader("Accept", "text/event-stream"))...)
	if fail := a.failure(err); fail != nil {
		return nil, fail
	}
	// The decoder hands out an event at the blank line after it, which some servers
	// forget at the end.
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(resp.Body, strings.NewReader("\n\n")), resp.Body}
	return ssestream.NewDecoder(resp), nil
}

// take reads the answer to its end and judges it.
func (a *answer) take(events ssestream.Decoder) *Error {
	fail := a.verdict(a.read(events))
	if fail == nil {
		a.drain(events)
	}
	return fail
}

// read takes in events until the stream ends and returns why it did: errDone,
// io.EOF or a failure.
func (a *answer) read(events ssestream.Decoder) error {
	for a.body.left = maxEventBytes; events.Next(); a.body.left = maxEventBytes {
		event := events.Event()
		if event.Type == "error" {
			return errEvent
		}
		for line := range bytes.Lines(event.Data) { // servers that send no blank lines send many events as one
			if err := a.chunk(bytes.TrimSpace(line)); err != nil {
				return err
			}
		}
	}
	return cmp.Or(events.Err(), io.EOF)
}

// chunk takes in the data of one event.
func (a *answer) chunk(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if string(data) == "[DONE]" {
		a.events++
		return errDone
	}
	var ch chunk
	if json.Unmarshal(data, &ch) != nil {
		if a.body.ended && a.body.last != '\n' {
			return io.EOF // the stream was cut inside this event
		}
		return errBadChunk
	}
	a.events++
	if ch.Error != nil {
		return errEvent
	}
	if ch.Usage != nil {
		a.usage, a.counted = usageOf(*ch.Usage), true
	}
	if len(ch.Choices) == 0 {
		return nil
	}
	return a.choice(ch.Choices[0])
}

// choice takes in what an event adds to the answer. After the finish reason nothing
// more belongs to it.
func (a *answer) choice(c choice) error {
	a.refusal = a.refusal || c.Delta.Refusal != ""
	if a.finish != "" {
		return nil
	}
	if err := a.content(c.Delta.Content); err != nil {
		return err
	}
	if a.finish = c.FinishReason; a.finish != "" {
		a.watch.hurry(afterFinish)
	}
	return nil
}

// content passes on the text of a chunk.
func (a *answer) content(piece string) error {
	if piece == "" {
		return nil
	}
	a.watch.piece()
	a.bytes += int64(len(piece))
	if a.bytes > a.client.maxBytes {
		return errTooLarge
	}
	return a.pass(a.think.pass(piece))
}

// pass hands visible text to the caller.
func (a *answer) pass(piece string) error {
	if piece == "" {
		return nil
	}
	if a.first == 0 {
		a.first = time.Since(a.began)
	}
	a.text.WriteString(piece)
	if err := a.onText(piece); err != nil {
		return callbackError{err}
	}
	return nil
}

// verdict decides whether an answer that ended with err is whole. After a finish
// reason the text is whole whatever happens to the rest of the stream.
func (a *answer) verdict(err error) *Error {
	var own callbackError
	if errors.As(err, &own) {
		return &Error{Class: Canceled, Reason: "callback", cause: own.error}
	}
	if a.finish != "" {
		return a.ended()
	}
	switch {
	case errors.Is(err, errBadChunk), errors.Is(err, errEvent):
		return &Error{Class: Broken, Reason: err.Error()}
	case errors.Is(err, errDone), errors.Is(err, io.EOF):
		return a.unfinished()
	}
	return classify(a.watch.ctx, err)
}

// unfinished is the failure of a stream that ended in order, but too early.
func (a *answer) unfinished() *Error {
	switch {
	case a.events == 0:
		return &Error{Class: NotJSON, Reason: "no events"}
	case a.refusal:
		return &Error{Class: Refused, Reason: "refusal"}
	case a.bytes == 0:
		return &Error{Class: Empty}
	}
	return &Error{Class: Truncated, Reason: "no finish reason"}
}

// ended judges an answer by its finish reason and passes on the last of its text.
func (a *answer) ended() *Error {
	if err := a.pass(a.think.end()); err != nil {
		return a.verdict(err)
	}
	fail := judgeFinish(a.finish, a.text.String(), a.refusal)
	if fail == nil && a.finish != "length" {
		a.finish = "stop"
	}
	return fail
}

// judgeFinish returns the failure that a finish reason means for text, or nil.
func judgeFinish(finish, text string, refusal bool) *Error {
	switch finish {
	case "stop", "length", "eos", "eos_token", "end_turn":
	case "content_filter":
		return &Error{Class: Refused, Reason: "content filter"}
	case "tool_calls", "function_call":
		return &Error{Class: Empty, Reason: "tool call"}
	default:
		return &Error{Class: Broken, Reason: "finish reason"}
	}
	if strings.TrimSpace(text) != "" {
		return nil
	}
	if refusal {
		return &Error{Class: Refused, Reason: "refusal"}
	}
	return &Error{Class: Empty, Reason: "no text"}
}

// drain reads to the end of the body, which lets the connection be used again.
// It is a favour, so it waits very little.
func (a *answer) drain(events ssestream.Decoder) {
	a.watch.hurry(afterDone)
	for events.Next() {
	}
}

// reply is the answer as it stands.
func (a *answer) reply(r Request) Reply {
	out := Reply{Text: a.text.String(), Usage: a.usage, FinishReason: a.finish, FirstToken: a.first}
	if !a.counted {
		out.Usage = estimate(r.Messages, out.Text)
	}
	return out
}
