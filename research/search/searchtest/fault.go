package searchtest

import (
	"bytes"
	"net/http"
	"time"
)

// Fault is one way for a search to go wrong.
type Fault string

// The faults. Statuses and bodies are those of the API that was asked.
const (
	None         Fault = ""
	Unauthorized Fault = "unauthorized" // the key is not known
	Quota        Fault = "quota"        // the month's searches are used up
	RateLimited  Fault = "rate_limited" // 429, to be tried again in 2 s
	BadRequest   Fault = "bad_request"  // a parameter it does not take
	Unavailable  Fault = "unavailable"  // 503 and a page of a proxy
	Forbidden    Fault = "forbidden"    // 403 and a page: SearXNG without JSON
	Page         Fault = "page"         // status 200 and a web page
	CutShort     Fault = "cut_short"    // the connection ends in the middle of the answer
	Truncated    Fault = "truncated"    // half the JSON, in good order
	OtherShape   Fault = "other_shape"  // JSON that is no answer to a search
	Huge         Fault = "huge"         // 3 MB of answer
	Endless      Fault = "endless"      // an answer that never ends
	Stall        Fault = "stall"        // nothing, not even headers
	Elsewhere    Fault = "elsewhere"    // a redirect to another origin
	Unresponsive Fault = "unresponsive" // SearXNG with nothing, because those it asks do not answer
)

// Fail lets every search from now on go wrong, until it is called with [None].
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// FailNext lets the next searches go wrong, one a fault, before what [Server.Fail]
// says holds again. None is a search that goes well.
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

// spoil answers with a fault that is the same for all APIs and reports whether it
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

// drip writes until nobody reads any more.
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

func writePage(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(page))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
