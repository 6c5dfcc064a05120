package searchtest

import (
	"bytes"
	"net/http"
	"time"
)

// Fault is a way in which a search fails.
type Fault string

// The faults. Their statuses and bodies are those of the API in question.
const (
	None         Fault = ""
	Unauthorized Fault = "unauthorized" // the key is unknown
	Quota        Fault = "quota"        // the month's searches are used up
	RateLimited  Fault = "rate_limited" // 429, to be tried again in 2 s
	BadRequest   Fault = "bad_request"  // a parameter is refused
	Unavailable  Fault = "unavailable"  // 503 with a proxy's error page
	Forbidden    Fault = "forbidden"    // 403 with a page: SearXNG without JSON
	Page         Fault = "page"         // 200 with a web page
	CutShort     Fault = "cut_short"    // the connection breaks in the middle of the response
	Truncated    Fault = "truncated"    // half of the JSON, in a complete response
	OtherShape   Fault = "other_shape"  // JSON of another structure
	Huge         Fault = "huge"         // a response of 3 MB
	Endless      Fault = "endless"      // a response that never ends
	Stall        Fault = "stall"        // no response, not even headers
	Elsewhere    Fault = "elsewhere"    // a redirect to another origin
	Unresponsive Fault = "unresponsive" // SearXNG finds nothing because its engines do not answer
)

// Fail makes every search from now on fail, until it is called with [None].
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// FailNext makes the next searches fail, one per fault, before the setting of
// [Server.Fail] applies again. None is a search that succeeds.
func (s *Server) FailNext(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, faults...)
}

const (
	hugeBytes = 3 << 20
	page      = "<!doctype html><title>Sign in</title><p>Please sign in to continue.</p>"
	halfJSON  = `{"type":"search","query":{"original":"x"},"results":[{"url":"https://exam`
	elsewhere = "http://elsewhere.invalid/search"
)

// spoil answers with a fault that is the same for all APIs, and reports whether it
// did.
func spoil(w http.ResponseWriter, r *http.Request, f Fault) bool {
	switch f {
	case Unavailable:
		writePage(w, http.StatusServiceUnavailable)
	case Forbidden:
		writePage(w, http.StatusForbidden)
	case Page:
		writePage(w, http.StatusOK)
	case CutShort:
		w.Header().Set("Content-Length", "4711")
		_, _ = w.Write([]byte(halfJSON))
	case Truncated:
		writeJSON(w, http.StatusOK, []byte(halfJSON))
	case OtherShape:
		writeJSON(w, http.StatusOK, []byte(`{"message":"hello","results":null,"type":null}`))
	case Huge:
		writeJSON(w, http.StatusOK, append([]byte(`{"results":[],"type":"search"}`), bytes.Repeat([]byte(" "), hugeBytes)...))
	case Endless:
		drip(w, r)
	case Stall:
		<-r.Context().Done()
	case Elsewhere:
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
	default:
		return false
	}
	return true
}

// drip writes until the client stops reading.
func drip(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := w.Write([]byte(" ")); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// writePage answers with a web page, as a proxy does.
func writePage(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(page))
}

// writeJSON answers with JSON.
func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
