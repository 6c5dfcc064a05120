// Package llmtest is a language model server that follows a script.
//
// It speaks the chat completions and embeddings API over real HTTP on loopback,
// so that clients, streaming and retries are the real ones in every test. What
// it answers is set by a test, in this order: replies put in the queue with
// [Server.Enqueue], the first rule of [Server.On] that matches, the function of
// [Server.Handle], and else a short fixed sentence. A reply may carry a [Fault],
// such as a stall, a reset or text where JSON was asked for.
//
//	srv := llmtest.New(t)
//	srv.OnReply(llmtest.Reply{Text: "How many people?"})
//	srv.OnUnderstand(llmtest.Reply{JSON: map[string]any{"findings": []any{}}})
//
// Delays and stalls end with the request or the server, never later, so nothing
// is left running after [Server.Close].
package llmtest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// fallbackText is the answer to a request that nothing in the script matches.
const fallbackText = "Could you tell me more about that?"

// Server is a scripted model server. Make one with [New] or [Start]. All its
// methods are safe for concurrent use.
type Server struct {
	http *httptest.Server
	stop context.CancelFunc // ends the answers being given

	mu       sync.Mutex // guards what follows
	queue    []Reply
	rules    []*rule
	handle   func(Request) Reply
	requests []Request
	keepNone bool
}

// New starts a server that is closed when the test ends.
func New(t testing.TB) *Server {
	t.Helper()
	s := Start()
	t.Cleanup(s.Close)
	return s
}

// Start starts a server on a free loopback port. The caller closes it.
func Start() *Server {
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{stop: stop}
	s.http = httptest.NewUnstartedServer(s.routes())
	s.http.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.http.Start()
	return s
}

// URL is the base address of the API, ending in /v1.
func (s *Server) URL() string { return s.http.URL + "/v1" }

// Close ends every answer being given and waits for the server to be gone.
// Closing twice is harmless.
func (s *Server) Close() {
	s.stop()
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests returns what was asked so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Forget drops the requests recorded so far and records no more, which keeps the
// memory of long load runs flat.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.keepNone = nil, true
}

// routes is the whole API.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", s.embeddings)
	mux.HandleFunc("GET /v1/models", models)
	return mux
}

// chat answers one chat completion, streamed or whole.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	req, err := readRequest(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	reply := s.answerTo(&req)
	o := &output{w: w, ctx: r.Context(), req: req, reply: reply.distorted(), started: time.Now()}
	if req.Stream {
		o.stream()
		return
	}
	o.whole()
}

// answerTo records req and picks its reply.
func (s *Server) answerTo(req *Request) Reply {
	s.mu.Lock()
	s.record(req)
	if len(s.queue) > 0 {
		reply := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		return reply
	}
	for _, rule := range s.rules {
		if rule.match(*req) {
			reply := rule.next()
			s.mu.Unlock()
			return reply
		}
	}
	handle := s.handle
	s.mu.Unlock()
	if handle == nil {
		return Reply{Text: fallbackText}
	}
	return handle(*req)
}

// record numbers req and keeps it. The caller must hold mu.
func (s *Server) record(req *Request) {
	if s.keepNone {
		return
	}
	req.Number = len(s.requests) + 1
	s.requests = append(s.requests, *req)
}

// models lists the one model there is.
func models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"object": "list",
		"data":   []any{map[string]any{"id": "llmtest", "object": "model", "created": 1, "owned_by": "llmtest"}},
	})
}
