package reader

import (
	"net/http"
	"time"
)

// Kind says why something could not be read.
type Kind string

// The kinds of failure.
const (
	Robots   Kind = "robots"    // the site asks programs to keep away, or could not say
	Private  Kind = "private"   // the address is not public, or its port is not the web's
	Redirect Kind = "redirect"  // redirected without end, or to what is not read
	TooLarge Kind = "too_large" // a file that only reads whole has more bytes than may be had
	Timeout  Kind = "timeout"   // too slow, or the caller's time was up
	Status   Kind = "status"    // the server answered with a failure, see Error.Status
	NotText  Kind = "not_text"  // holds nothing that can be read as text
	Empty    Kind = "empty"     // readable, without a word
	Network  Kind = "network"   // no answer, or one that broke off
	BadURL   Kind = "bad_url"   // no address of a page
)

// Error is a failure to read one page or file.
type Error struct {
	Kind       Kind
	URL        string        // the address, or the name of the file
	Detail     string        // one sentence for people
	Status     int           // the HTTP status of a Status or Robots failure; 0 without one
	RetryAfter time.Duration // how long the server asks to be left alone, at most a day; 0 if it does not say
	cause      error
}

// Error returns the sentence for people.
func (e *Error) Error() string { return e.Detail }

// Unwrap returns what lies below, such as the context's error; nil if nothing does.
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

// unreadable is a NotText failure of the file name.
func unreadable(name, detail string) *Error {
	return &Error{Kind: NotText, URL: name, Detail: detail}
}
