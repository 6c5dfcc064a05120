package reader

import (
	"net/http"
	"time"
)

// Kind is the reason why something could not be read.
type Kind string

// The kinds of failure.
const (
	Robots   Kind = "robots"    // robots.txt disallows it, or could not be read
	Private  Kind = "private"   // the address is not public, or its port is not the web's
	Redirect Kind = "redirect"  // too many redirects, or one to an address that is not read
	TooLarge Kind = "too_large" // over the size limit, in a format that cannot be read in part
	Timeout  Kind = "timeout"   // too slow, or the caller's context ended
	Status   Kind = "status"    // the server responded with an error, see Error.Status
	NotText  Kind = "not_text"  // not in a format with text
	Empty    Kind = "empty"     // readable, but without any words
	Network  Kind = "network"   // no response, or an incomplete one
	BadURL   Kind = "bad_url"   // not the address of a page
)

// Error is a failure to read a page or file.
type Error struct {
	Kind       Kind
	URL        string        // the address, or the name of the file
	Detail     string        // a sentence for people
	Status     int           // the HTTP status of a Status or Robots failure; 0 without one
	RetryAfter time.Duration // how long the server asks to be left alone, at most a day; 0 if it does not say
	cause      error
}

// Error returns Detail, the sentence for people.
func (e *Error) Error() string { return e.Detail }

// Unwrap returns the cause, such as the context's error; it may be nil.
func (e *Error) Unwrap() error { return e.cause }

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case Timeout, Network:
		return true
	case Status, Robots:
		return e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout || e.Status >= 500
	case Private, Redirect, TooLarge, NotText, Empty, BadURL:
		return false
	}
	return false
}

// unreadable is a NotText failure of a file.
func unreadable(name, detail string) *Error {
	return &Error{Kind: NotText, URL: name, Detail: detail}
}
