package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/outbound"
)

// Class is the kind of a failed call.
type Class string

// The classes, with what retrying may do for each.
const (
	Timeout   Class = "timeout"   // too slow; Reason names the limit. Not retried
	Truncated Class = "truncated" // ended in good order without a finish reason. Retried
	NotJSON   Class = "not_json"  // a page or another body that is no answer. Retried once
	Empty     Class = "empty"     // no choices, or no text. Retried once
	Limited   Class = "limited"   // 429. Retried unless told to wait over 2 s
	Refused   Class = "refused"   // 400, 401, 403 and their like, or the model declined. Not retried
	Upstream  Class = "upstream"  // 5xx, or the circuit is open. Retried unless told to wait over 2 s
	Broken    Class = "broken"    // reset, unreachable, a bad chunk, an error inside the answer. Retried
	TooLarge  Class = "too_large" // more bytes than allowed. Not retried
	BadJSON   Class = "bad_json"  // no JSON that satisfies the schema, also after one repair
	Canceled  Class = "canceled"  // the caller gave up, or its callback failed
)

// The reasons of a [Timeout].
const (
	ReasonFirstToken = "first token" // no content within Options.FirstToken
	ReasonIdle       = "idle"        // no further piece within Options.Idle
	ReasonTotal      = "total"       // not done within Options.Total
	ReasonDeadline   = "deadline"    // the caller's own deadline passed
)

// ReasonCircuit is the reason of an [Upstream] failure that was not even tried,
// because the last calls all failed.
const ReasonCircuit = "circuit open"

// ReasonQuota is the reason of a [Limited] failure that was not even tried, because
// Options.Admit did not admit the call.
const ReasonQuota = "quota"

// ReasonAddress is the reason of a [Broken] failure whose server is at an address that may
// not be reached; see package outbound.
const ReasonAddress = "address not allowed"

// Causes the watch and the callers set; see classify.
var (
	errFirstToken = errors.New(ReasonFirstToken)
	errIdle       = errors.New(ReasonIdle)
	errTotal      = errors.New(ReasonTotal)
)

// Error is why a call failed. It holds nothing the provider said and no part of
// the request. In a chain it reads as a [fault.Error] too: Limited for 429, else
// Unavailable, and errors.Is finds context.Canceled and a callback's error.
type Error struct {
	Class    Class
	Reason   string // one of a few fixed words, such as "idle" or "circuit open"; may be empty
	Status   int    // of the HTTP answer; 0 if there was none
	Attempts int    // made in this call, the failing one included

	RetryAfter time.Duration // that the server asked to wait before the next call; zero if it did not say

	cause  error // the caller's own: its context's or its callback's
	lesson bool  // the server refused a feature, which is now remembered
}

// Error returns class, reason and status.
func (e *Error) Error() string {
	text := "language model: " + string(e.Class)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	return text
}

// Unwrap returns the failure as a [fault.Error] fit for people.
func (e *Error) Unwrap() error {
	if e.Class == Limited {
		return fault.New(fault.Limited, "the language model takes no more requests for now").Because(e.cause)
	}
	return fault.New(fault.Unavailable, "the language model does not answer").Coded("model_" + string(e.Class)).Because(e.cause)
}

// classify turns err, met while ctx was in force, into an Error. Why ctx ended
// outranks err, which is then only its echo.
func classify(ctx context.Context, err error) *Error {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errFirstToken), errors.Is(cause, errIdle), errors.Is(cause, errTotal):
		return &Error{Class: Timeout, Reason: cause.Error()}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Error{Class: Timeout, Reason: ReasonDeadline, cause: context.DeadlineExceeded}
	case cause != nil:
		return &Error{Class: Canceled, cause: context.Canceled}
	case errors.Is(err, errTooLarge):
		return &Error{Class: TooLarge}
	}
	return &Error{Class: Broken, Reason: netReason(err)}
}

// netReason names a network failure without its addresses.
func netReason(err error) string {
	var dns *net.DNSError
	var private *outbound.RefusedError
	switch {
	case errors.As(err, &private):
		return ReasonAddress
	case errors.As(err, &dns):
		return "name not found"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "connection reset"
	}
	return "connection"
}

// statusError is the failure that a status other than 200 means.
func statusError(status int) *Error {
	class := Refused
	switch {
	case status == http.StatusTooManyRequests:
		class = Limited
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		class = Upstream
	}
	return &Error{Class: class, Status: status}
}
