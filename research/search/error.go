package search

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/fault"
)

// Kind is the kind of a failed search.
type Kind string

// The kinds of failure.
const (
	Unauthorized Kind = "unauthorized" // the key is missing, wrong or lacks the right
	Quota        Kind = "quota"        // the plan's quota is used up
	RateLimited  Kind = "rate_limited" // too many requests for now
	BadRequest   Kind = "bad_request"  // the engine refuses the request, or is configured differently
	Unavailable  Kind = "unavailable"  // no response, a server error, or a timeout
	Malformed    Kind = "malformed"    // the response does not follow the API
)

// Error is a failed search. It contains nothing from the response but an error code,
// and nothing of the request. errors.As finds a [fault.Error] in it too: Limited
// for RateLimited and Quota, otherwise Unavailable.
type Error struct {
	Engine     string
	Kind       Kind
	RetryAfter time.Duration // as requested by the engine; 0 for no request
	Detail     string        // in our own words, such as "status 500"; may be empty

	cause error // the context's error, if it ended
}

// Error returns the engine, the kind and the detail.
func (e *Error) Error() string {
	text := e.Engine + ": " + string(e.Kind)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// sentences explain each kind to people; the engine's name is put in front.
var sentences = map[Kind]string{
	Unauthorized: "refuses the key it was given",
	Quota:        "has used up what its plan allows",
	RateLimited:  "takes no more searches for now",
	BadRequest:   "does not take this search",
	Unavailable:  "does not answer",
	Malformed:    "gives answers that cannot be read",
}

// Unwrap returns the failure as a [fault.Error] that can be shown to people.
func (e *Error) Unwrap() error {
	kind := fault.Unavailable
	if e.Kind == RateLimited || e.Kind == Quota {
		kind = fault.Limited
	}
	return fault.New(kind, "the search engine %s %s", e.Engine, sentences[e.Kind]).Coded("search_" + string(e.Kind)).Because(e.cause)
}

// Retryable reports whether the same search may succeed later without anybody
// fixing anything. It is false if the caller gave up.
func (e *Error) Retryable() bool {
	return e.cause == nil && (e.Kind == RateLimited || e.Kind == Unavailable)
}

// kindOf classifies an HTTP status when the engine gives no details.
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
	return Malformed // 200 is no failure, and nothing is documented about the rest
}

// statusError turns a response other than 200 into an Error, by its status alone.
func statusError(engine string, status int, h http.Header, now time.Time) *Error {
	return &Error{Engine: engine, Kind: kindOf(status), RetryAfter: retryAfter(h, now), Detail: fmt.Sprintf("status %d", status)}
}

// maxWait bounds the wait an engine may ask for. A monthly quota is not a wait.
const maxWait = 31 * 24 * time.Hour

// retryAfter parses the Retry-After header, in seconds or as a date; it returns 0 if
// there is none or it is nonsense.
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

// wait returns seconds as a duration, and 0 for nonsense.
func wait(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, maxWait.Seconds()) * float64(time.Second))
}

// code returns an engine's error code if it looks like one: capital letters and
// underscores. Anything else may be a sentence that contains the key.
func code(s string) string {
	if len(s) > 40 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return ""
	}
	return s
}
