package searchtest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Key is the key that Brave's and Tavily's paths of the server require.
const Key = "test-key-4711"

// API identifies the API of a request.
type API string

// The APIs.
const (
	SearXNG API = "searxng"
	Brave   API = "brave"
	Tavily  API = "tavily"
)

// Hit is a page that can be found.
type Hit struct {
	URL       string
	Title     string
	Snippet   string // may contain markup, which is sent unchanged
	Published string // 2006-01-02; empty for a page without a date
}

// Request is a search as it was received.
type Request struct {
	API      API
	Words    string
	Language string // empty if not specified
	Max      int    // 0 if the API has no such parameter
	Key      string // as it was sent, without "Bearer "
	Target   string // path and query, which must not contain the key
}

// script is what a search for some words finds.
type script struct {
	words []string
	hits  []Hit
}

// Server is a scripted search server, made by [New] or [Start]. It is safe for
// concurrent use.
type Server struct {
	listener net.Listener
	http     *http.Server
	stop     context.CancelFunc
	work     sync.WaitGroup // the serving goroutine

	mu       sync.Mutex // guards the fields below
	scripts  []script
	fault    Fault
	next     []Fault
	requests []Request
}

// New starts a server that is closed when the test ends.
func New(t testing.TB) *Server {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatalf("start search server: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server on a free loopback port. The caller must close it.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{listener: listener, stop: stop}
	s.http = &http.Server{Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	s.work.Go(func() { _ = s.http.Serve(listener) })
	return s, nil
}

// URL is the base address of all three APIs.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close aborts all responses in progress. It may be called twice.
func (s *Server) Close() {
	s.stop()
	_ = s.http.Close()
	s.work.Wait()
}

// Add makes searches that contain all of the words, in any order and case, find the
// hits. Empty words match every search. If several scripts match, their hits add
// up, in the order in which they were added.
func (s *Server) Add(words string, hits ...Hit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts = append(s.scripts, script{strings.Fields(strings.ToLower(words)), slices.Clone(hits)})
}

// Requests returns the searches so far, oldest first, including failed ones.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// arrived records a request and returns the fault to answer it with.
func (s *Server) arrived(r Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if len(s.next) > 0 {
		f := s.next[0]
		s.next = s.next[1:]
		return f
	}
	return s.fault
}

// find returns the hits of a search, at most limit; 0 means all.
func (s *Server) find(words string, limit int) []Hit {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return strings.ContainsRune(" \t\n,.;:!?\"'()", r) })
	hits := []Hit{}
	for _, sc := range s.scripts {
		if !slices.ContainsFunc(sc.words, func(w string) bool { return !slices.Contains(asked, w) }) {
			hits = append(hits, sc.hits...)
		}
	}
	if limit > 0 {
		hits = hits[:min(limit, len(hits))]
	}
	return hits
}
