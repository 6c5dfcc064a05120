package search

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/fault"
)

// Kind says what kind of failure a search met.
type Kind string

// The kinds.
const (
	Unauthorized Kind = "unauthorized" // the key is missing, wrong or may not do this
	Quota        Kind = "quota"        // what was paid for is used up
	RateLimited  Kind = "rate_limited" // too many requests for now
	BadRequest   Kind = "bad_request"  // the engine does not take what was asked, or is set up otherwise
	Unavailable  Kind = "unavailable"  // no answer, a failure of the engine's, or it was too slow
	Malformed    Kind = "malformed"    // an answer that is not what the API gives
)

// Error is why a search failed. It holds nothing the engine said but the name of
// an error code, and no part of the request. In a chain it reads as a
// [fault.Error] too: Limited for RateLimited and Quota, else Unavailable.
type Error struct {
	Engine     string
	Kind       Kind
	RetryAfter time.Duration // what the engine asked for; 0 if nothing
	Detail     string        // a few words of ours, such as "status 500"; may be empty

	cause error // the context's own, when it ended
}

// Error returns engine, kind and detail.
func (e *Error) Error() string {
	text := e.Engine + ": " + string(e.Kind)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// sentences say to a person what each kind means; the engine's name goes in front.
var sentences = map[Kind]string{
	Unauthorized: "refuses the key it was given",
	Quota:        "has used up what its plan allows",
	RateLimited:  "takes no more searches for now",
	BadRequest:   "does not take this search",
	Unavailable:  "does not answer",
	Malformed:    "gives answers that cannot be read",
}

// Unwrap returns the failure as a [fault.Error] fit for people.
func (e *Error) Unwrap() error {
	kind := fault.Unavailable
	if e.Kind == RateLimited || e.Kind == Quota {
		kind = fault.Limited
	}
	return fault.New(kind, "the search engine %s %s", e.Engine, sentences[e.Kind]).Coded("search_" + string(e.Kind)).Because(e.cause)
}

// Retryable reports whether the same search may succeed later without anybody
// repairing anything. It is false when the caller gave up.
func (e *Error) Retryable() bool {
	return e.cause == nil && (e.Kind == RateLimited || e.Kind == Unavailable)
}

// kindOf returns what an HTTP status means when the engine says no more.
func kindOf(status int) Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Unauthorized
	case status == http.StatusPaymentRequired:
		return Quota
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500 && status < 600:
		return Unavailable
	case status >= 400 && status < 500:
		return BadRequest
	}
	return Malformed // 200 is no failure, and of the rest nothing is promised
}

// statusError turns an answer that is not 200 into an Error of the status alone.
func statusError(engine string, status int, h http.Header, now time.Time) *Error {
	return &Error{Engine: engine, Kind: kindOf(status), RetryAfter: retryAfter(h, now), Detail: fmt.Sprintf("status %d", status)}
}

// maxWait bounds what an engine may ask for; a month's quota is no wait.
const maxWait = 31 * 24 * time.Hour

// retryAfter reads the Retry-After header, seconds or a date; 0 if there is none
// or it makes no sense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return wait(s)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return min(at.Sub(now), maxWait)
	}
	return 0
}

// wait returns seconds as a duration, 0 for what makes no sense.
func wait(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, maxWait.Seconds()) * float64(time.Second))
}

// code returns an engine's error code if it is one: capital letters and
// underscores. Anything else might be a sentence with the key in it.
func code(s string) string {
	if len(s) > 40 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return ""
	}
	return s
}
