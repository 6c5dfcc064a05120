package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

const (
	maxLineBytes = 1 << 20 // of one event; some servers send a whole answer as one
	wireFactor   = 64      // bytes on the wire for each byte of text: a small piece travels in some 250

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
func (c *Client) Stream(ctx context.Context, r Request, onText func(piece string) error) (Reply, error) {
	var reply Reply
	err := c.StreamInto(ctx, &r, onText, &reply)
	return reply, err
}

// StreamInto is [Client.Stream] for who makes many at once: it sets what came of the
// call, and the stack that waits for the answer has a copy of neither.
func (c *Client) StreamInto(ctx context.Context, r *Request, onText func(piece string) error, into *Reply) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotal)
	defer cancel()
	*into = Reply{}
	s := &streaming{client: c, request: r, onText: onText, began: time.Now()}
	fail := c.call(ctx, into, s.once)
	return c.finish(r.Purpose, s.began, into, fail)
}

// streaming is a call of Stream under way.
type streaming struct {
	client  *Client
	request *Request
	onText  func(string) error
	began   time.Time
}

// once is one attempt.
func (s *streaming) once(ctx context.Context, into *Reply) *Error {
	*into = Reply{}
	w := newWatch(ctx, s.client.first, s.client.idle)
	defer w.stop()
	body, fail := s.open(w)
	if fail != nil {
		return fail
	}
	defer body.Close()
	in := newLines(body, maxLineBytes, min(s.client.maxBytes, 1<<40)*wireFactor)
	defer in.close()
	a := s.answer(w)
	fail = a.take(in)
	a.tell(s.request, into)
	return fail
}

//go:noinline // its value would be on the stack that waits for the answer
func (s *streaming) answer(w *watch) *answer {
	return &answer{watch: w, onText: s.onText, began: s.began, maxBytes: s.client.maxBytes}
}

// open asks and returns the answer's body, for the caller to close.
func (s *streaming) open(w *watch) (io.ReadCloser, *Error) {
	p, fail := s.client.streamPayload(*s.request)
	if fail != nil {
		return nil, fail
	}
	resp, fail := s.client.post(w, p)
	if fail != nil {
		return nil, fail
	}
	if t := mediaType(resp.Header); t == "text/html" || t == "application/json" {
		_ = resp.Body.Close()
		return nil, &Error{Class: NotJSON, Reason: "content type", Status: resp.StatusCode}
	}
	return resp.Body, nil
}

// answer is a streamed answer coming in.
type answer struct {
	watch    *watch
	onText   func(string) error
	began    time.Time
	maxBytes int64

	think   thinking
	text    strings.Builder // what was passed on
	bytes   int64           // of content, visible or not
	first   time.Duration
	finish  string
	usage   Usage
	counted bool
	refusal bool
	events  int
}

// errDone says that the stream announced its end.
var errDone = errors.New("done")

// errEvent says that the stream carried an error instead of text.
var errEvent = errors.New("error event")

// callbackError is an error of the caller's onText.
type callbackError struct{ error }

// take reads the answer to its end and judges it.
func (a *answer) take(in *lines) *Error {
	fail := a.verdict(a.read(in))
	if fail == nil {
		a.drain(in)
	}
	return fail
}

// read takes in events until the stream ends and returns why it did: errDone,
// io.EOF or a failure.
func (a *answer) read(in *lines) error {
	for {
		line, err := in.next()
		if data, ok := eventData(line); ok && len(data) > 0 {
			if fail := a.event(data); fail != nil {
				if errors.Is(fail, errBadChunk) && err != nil {
					return err // the stream was cut inside this event
				}
				return fail
			}
		} else if bytes.Equal(line, []byte("event: error")) {
			return errEvent
		}
		if err != nil {
			return err
		}
	}
}

// event takes in the data of one event.
func (a *answer) event(data []byte) error {
	if string(data) == "[DONE]" {
		a.events++
		return errDone
	}
	ch, err := readChunk(data)
	if err != nil {
		return err
	}
	a.events++
	if ch.failed {
		return errEvent
	}
	a.refusal = a.refusal || ch.refusal
	if ch.counted {
		a.usage, a.counted = ch.usage, true
	}
	if len(ch.content) > len(`""`) && a.finish == "" {
		if err := a.content(ch); err != nil {
			return err
		}
	}
	if ch.finish != "" && a.finish == "" {
		a.finish = ch.finish
		a.watch.hurry(afterFinish)
	}
	return nil
}

// content passes on the text of a chunk. Plain text goes straight from the line
// into the answer, and the piece passed on is a part of the answer.
func (a *answer) content(ch chunk) error {
	a.watch.piece()
	a.bytes += int64(len(ch.content)) - int64(len(`""`))
	if a.bytes > a.maxBytes {
		return errTooLarge
	}
	start := a.text.Len()
	if ch.plain && a.think.plain() {
		a.text.Write(ch.content[1 : len(ch.content)-1])
		return a.pass(start)
	}
	piece, err := unquoted(ch.content)
	if err != nil {
		return err
	}
	a.text.WriteString(a.think.pass(piece))
	return a.pass(start)
}

// pass hands the text from start on to the caller.
func (a *answer) pass(start int) error {
	if a.text.Len() == start {
		return nil
	}
	if a.first == 0 {
		a.first = time.Since(a.began)
	}
	if err := a.onText(a.text.String()[start:]); err != nil {
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
	start := a.text.Len()
	a.text.WriteString(a.think.end())
	if err := a.pass(start); err != nil {
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
func (a *answer) drain(in *lines) {
	a.watch.hurry(afterDone)
	for {
		if _, err := in.next(); err != nil {
			return
		}
	}
}

// tell sets the answer as it stands.
func (a *answer) tell(r *Request, into *Reply) {
	*into = Reply{Text: a.text.String(), Usage: a.usage, FinishReason: a.finish, FirstToken: a.first}
	if !a.counted {
		into.Usage = estimate(r.Messages, into.Text)
	}
}
