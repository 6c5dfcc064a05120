package search

import (
	"context"
	"net/http"
	"time"

	"quaestor/internal/secret"
)

// Hit is a place where something may be read. Everything in it was written by
// others.
type Hit struct {
	URL       string // http or https, normalised; or an engine's own, such as "document:ID"
	Title     string // plain text in one line, at most 300 characters; may be empty
	Snippet   string // plain text in one line, at most 1,000 characters; may be empty
	Published string // as 2006-01-02; empty when the engine does not say
	Engine    string // [Engine.Name] of who found it
}

// Query says what to look for.
type Query struct {
	Tenant   string // whose documents; engines of the web ignore it and never send it
	Words    string // as a person would type them; longer than the engine takes is cut at a word
	Language string // such as "de" or "pt-br"; empty means any. Engines that cannot choose ignore it
	Max      int    // most hits; zero means 10, more than the engine gives is what it gives
}

// Engine finds places. The engines of this package and the one of
// research/documents are those there are. They are safe for concurrent use.
type Engine interface {
	// Name identifies the engine in hits and errors, such as "brave".
	Name() string

	// Search returns at most q.Max hits, the best first; none is no error. A query
	// without words finds nothing. What goes wrong on the web is an [*Error], in
	// which errors.Is finds the context's own error when that ended.
	Search(ctx context.Context, q Query) ([]Hit, error)
}

// Options tune an engine of the web.
type Options struct {
	// Base is the address of the API, with a path when it is not at the root.
	// Empty means the vendor's own; SearXNG has none and needs one. It is the
	// operator's and so may be a private address.
	Base string

	// Key is what the vendor gave. Brave and Tavily need one; SearXNG gets one as
	// a bearer token for a proxy in front of it, if it is set.
	Key secret.Secret

	// Client sends the requests; nil means one of our own. Redirects are followed
	// within one origin only, whatever it says.
	Client *http.Client

	// Timeout bounds one search as a whole. Zero means 10 s.
	Timeout time.Duration
}

// Bounds of an answer.
const (
	defaultTimeout = 10 * time.Second
	maxBytes       = 2 << 20
	defaultHits    = 10
	maxTitle       = 300  // characters
	maxSnippet     = 1000 // characters
)

// most returns how many hits are asked for, at most limit.
func (q Query) most(limit int) int {
	if q.Max <= 0 {
		return min(defaultHits, limit)
	}
	return min(q.Max, limit)
}
