package search

import (
	"context"
	"net/http"
	"time"

	"quaestor/internal/secret"
)

// Hit is a place where an answer may be found. All of its texts come from the
// engine and are not to be trusted.
type Hit struct {
	URL       string // http or https, in normal form; or of the engine's own kind, such as "document:ID"
	Title     string // plain text in one line, at most 300 characters; may be empty
	Snippet   string // plain text in one line, at most 1,000 characters; may be empty
	Published string // as 2006-01-02; may be empty
	Engine    string // [Engine.Name] of the engine that found it
}

// Query is a search.
type Query struct {
	Tenant   string // owner of the documents to search; web engines ignore it and never send it
	Words    string // as a person would type them; cut at a word if longer than the engine accepts
	Language string // such as "de" or "pt-br"; empty means any. Engines without a choice of language ignore it
	Max      int    // most hits to return; zero means 10. An engine may return fewer
}

// Engine is a search engine: those of this package, and the one of
// research/documents. Engines are safe for concurrent use.
type Engine interface {
	// Name identifies the engine in hits and errors, such as "brave".
	Name() string

	// Search returns at most q.Max hits, best first; finding none is not an error. A
	// query without words finds nothing. Errors of web engines are [*Error], in which
	// errors.Is finds the context's error if that was the cause.
	Search(ctx context.Context, q Query) ([]Hit, error)
}

// Options configures a web engine.
type Options struct {
	// Base is the address of the API, including a path if it is not at the root.
	// Empty means the vendor's own; SearXNG has none and requires one. It is set by
	// the operator, and so may be a private address.
	Base string

	// Key is the vendor's API key. Brave and Tavily require one; SearXNG sends it, if
	// set, as a bearer token for a proxy in front of it.
	Key secret.Secret

	// Client sends the requests; nil means a client of the engine's own. Redirects are
	// followed within one origin only, whatever the client says.
	Client *http.Client

	// Timeout bounds a whole search. Zero means 10 s.
	Timeout time.Duration
}

// The limits of a response.
const (
	defaultTimeout = 10 * time.Second
	maxBytes       = 2 << 20
	defaultHits    = 10
	maxTitle       = 300  // characters
	maxSnippet     = 1000 // characters
)

// most returns how many hits to ask for, at most limit.
func (q Query) most(limit int) int {
	if q.Max <= 0 {
		return min(defaultHits, limit)
	}
	return min(q.Max, limit)
}
