package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// maxErrorBytes is how much of a refusal is read to see which feature it names.
const maxErrorBytes = 8 << 10

// errTooLarge means that an answer was larger than allowed.
var errTooLarge = errors.New("answer too large")

// exchange is one call with all its attempts. Its methods belong to the goroutine of
// the call.
type exchange struct {
	client   *Client
	sent     feature // the features of the request under way
	streamed bool    // the answer comes in pieces, whose reader runs the clock

	attempts int
	watch    *watch
	body     *boundedBody // of the last answer; nil before the first
}

// options are the request options of the next request: what is left of the retries,
// and the guard.
func (x *exchange) options(more ...option.RequestOption) []option.RequestOption {
	return append(more, option.WithMaxRetries(max(0, x.client.retries-x.attempts)), option.WithMiddleware(x.guard))
}

// guard stands between openai-go and the connection, in each attempt. It runs the
// clock, bounds the answer and turns away what is none. It makes an [Error] of each
// status that is not 200, because openai.Error holds the request with its key and
// is not made of every body that servers send. The response goes back beside the
// error, so that openai-go retries by its status and headers.
func (x *exchange) guard(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	maps.DeleteFunc(req.Header, func(name string, _ []string) bool { return strings.HasPrefix(name, "X-Stainless-") })
	x.attempts++
	x.watch.begin()
	resp, err := next(req)
	if err != nil {
		x.watch.pause()
		return resp, err
	}
	x.body = &boundedBody{ReadCloser: resp.Body, left: x.client.maxBytes}
	if fail := x.refuse(resp); fail != nil {
		_ = resp.Body.Close()
		x.watch.pause()
		return resp, fail
	}
	if !x.streamed {
		x.body.onRead = x.watch.piece
		x.watch.piece()
		if !isEventStream(resp) {
			resp.Header.Set("Content-Type", "application/json") // whatever the server calls it
		}
	}
	resp.Body = x.body
	return resp, nil
}

// isEventStream reports whether an answer comes as server-sent events.
func isEventStream(resp *http.Response) bool {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return media == "text/event-stream"
}

// refuse returns why resp cannot be an answer, or nil.
func (x *exchange) refuse(resp *http.Response) *Error {
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes))
		fail := statusError(resp.StatusCode)
		fail.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
		if fail.lesson = x.client.refused.learn(resp.StatusCode, string(text), x.sent); fail.lesson {
			x.attempts-- // each lesson is learnt once and costs no attempt
		}
		return fail
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if media == "text/html" || x.streamed && media == "application/json" {
		return &Error{Class: NotJSON, Reason: "content type", Status: resp.StatusCode}
	}
	return nil
}

// retryAfter reads the header of that name, which is a number of seconds or a date (RFC 9110, section
// 10.2.3). It is zero for anything else, and for a date that has passed.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

// failure turns what openai-go returned into an Error, nil for nil.
func (x *exchange) failure(err error) *Error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case x.watch.ctx.Err() != nil:
		return classify(x.watch.ctx, err)
	case errors.As(err, &own):
		return own
	case x.attempts == 0:
		return &Error{Class: Refused, Reason: "request does not encode"}
	case x.body != nil && x.body.ended:
		return unreadable(err)
	}
	return classify(x.watch.ctx, err)
}

// unreadable returns why a complete body could not be decoded. A document
// that ends too early was cut on its way; anything else that does not parse is no
// answer.
func unreadable(err error) *Error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Class: Truncated, Reason: "body cut"}
	case errors.As(err, &wrongType):
		return &Error{Class: NotJSON, Reason: "shape"}
	}
	return &Error{Class: NotJSON, Reason: "body"}
}

// byteOrderMark may stand at the very start of a stream.
var byteOrderMark = []byte("\xef\xbb\xbf")

// boundedBody is the body of an answer of a bounded number of bytes.
type boundedBody struct {
	io.ReadCloser
	left   int64  // bytes still allowed
	onRead func() // called for each part that comes; may be nil
	begun  bool
	ended  bool // the body came to its end in good order
	last   byte // of what was read
}

// Read implements [io.Reader].
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	b.ended = errors.Is(err, io.EOF)
	if n == 0 {
		return 0, err
	}
	if b.last = p[n-1]; b.onRead != nil {
		b.onRead()
	}
	if !b.begun {
		b.begun = true
		n = copy(p, bytes.TrimPrefix(p[:n], byteOrderMark))
	}
	return n, err
}
