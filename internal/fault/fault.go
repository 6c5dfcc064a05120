// Package fault describes what went wrong in words that are safe to show.
//
// An [Error] carries a [Kind] for machines and a sentence for people. Anything
// that is not an Error is internal: it is logged once and shown as "Internal
// error". Only web maps kinds to HTTP statuses.
package fault

import (
	"errors"
	"fmt"
)

// Kind classes an error by what the caller can do about it.
type Kind string

// The kinds, with the HTTP status web gives each.
const (
	Invalid         Kind = "invalid"         // 400: the request cannot be read
	Unauthenticated Kind = "unauthenticated" // 401: no credential, or an unknown one
	Forbidden       Kind = "forbidden"       // 403: known, but not allowed to
	NotFound        Kind = "not_found"       // 404: no such thing in this tenant
	Conflict        Kind = "conflict"        // 409: not possible in the present state
	TooLarge        Kind = "too_large"       // 413: over a stated limit
	Unsupported     Kind = "unsupported"     // 415: a media type that is not read
	Unprocessable   Kind = "unprocessable"   // 422: readable, but with wrong content
	Limited         Kind = "limited"         // 429: too often
	Unavailable     Kind = "unavailable"     // 503: a part that is needed does not answer
	Internal        Kind = "internal"        // 500: a mistake of the program
)

// Error is a failure that may be shown to people.
type Error struct {
	Kind    Kind
	Code    string // stable name for programs, such as "turn_running"; empty means the kind's own name
	Field   string // the input at fault, such as "obligations[2].priority"; empty if none
	Message string // one sentence without secrets that names what would be right
	cause   error
}

// New returns an Error of kind k whose message is format filled with args.
func New(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, args...)}
}

// Error returns the sentence for people, led by the field when there is one.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}

// Unwrap returns the cause given to [Error.Because], or nil.
func (e *Error) Unwrap() error { return e.cause }

// At returns a copy of e that names the input at fault.
func (e *Error) At(field string) *Error {
	c := *e
	c.Field = field
	return &c
}

// Coded returns a copy of e with a stable code for programs.
func (e *Error) Coded(code string) *Error {
	c := *e
	c.Code = code
	return &c
}

// Because returns a copy of e that keeps cause for the log. The cause is never
// shown to people.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// Wrap returns err with what was being done before it, such as "list people of session 7",
// and nil for nil, so that the last step of a function needs no branch.
func Wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// KindOf returns the kind of the first Error in err's chain, and Internal for
// an err that has none. KindOf(nil) is empty.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is an Error of kind k.
func Is(err error, k Kind) bool { return err != nil && KindOf(err) == k }
