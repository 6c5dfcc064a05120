package searchtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// routes returns the handler of all three APIs.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", s.searxng)
	mux.HandleFunc("GET /res/v1/web/search", s.brave)
	mux.HandleFunc("POST /search", s.tavily)
	return mux
}

// object is a JSON object.
type object map[string]any

// reply writes a JSON response.
func reply(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, status, b)
}

// bearer returns the bearer token of a request.
func bearer(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// searxng answers like SearXNG: plain text for what it refuses, lists instead of
// objects in unresponsive_engines, null for an unknown date.
func (s *Server) searxng(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f := s.arrived(Request{API: SearXNG, Words: q.Get("q"), Language: q.Get("language"), Key: bearer(r), Target: r.URL.RequestURI()})
	switch {
	case spoil(w, r, f):
	case f == Unauthorized:
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
	case f == Quota, f == RateLimited:
		w.Header().Set("Retry-After", "2")
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
	case f == BadRequest, q.Get("q") == "":
		http.Error(w, "Bad Request", http.StatusBadRequest)
	case q.Get("format") != "json":
		writePage(w, http.StatusOK)
	case f == Unresponsive:
		reply(w, http.StatusOK, searxngAnswer(q.Get("q"), nil, [][]string{{"wikipedia", "timeout"}, {"duckduckgo", "access denied"}}))
	default:
		hits, silent := s.find(q.Get("q"), 0), [][]string{}
		if len(hits) > 0 {
			silent = append(silent, []string{"qwant", "too many requests"})
		}
		reply(w, http.StatusOK, searxngAnswer(q.Get("q"), hits, silent))
	}
}

// searxngAnswer is SearXNG's response, with fields the engine does not use.
func searxngAnswer(words string, hits []Hit, unresponsive [][]string) object {
	results := []object{}
	for i, h := range hits {
		result := object{"url": h.URL, "title": h.Title, "content": h.Snippet, "thumbnail": nil, "engine": "wikipedia", "template": "default.html",
			"parsed_url": parsed(h.URL), "engines": []string{"wikipedia"}, "positions": []int{i + 1}, "publishedDate": nil, "score": 1 / float64(i+1), "category": "general"}
		if h.Published != "" {
			result["publishedDate"] = h.Published + "T00:00:00"
		}
		results = append(results, result)
	}
	return object{"query": words, "number_of_results": 0, "results": results, "answers": []any{}, "corrections": []any{}, "infoboxes": []any{},
		"suggestions": []string{words + " 2026"}, "unresponsive_engines": unresponsive}
}

// parsed is an address in parts, as Python's urlparse returns them.
func parsed(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return []string{u.Scheme, u.Host, u.Path, "", u.RawQuery, u.Fragment}
}

// The limits of Brave and of Tavily.
const (
	maxRunes = 400
	maxWords = 50
	maxHits  = 20
)

// brave answers like Brave: 422 to an unknown key, 429 to both limits.
func (s *Server) brave(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	words, count := q.Get("q"), 20
	if q.Has("count") {
		count, _ = strconv.Atoi(q.Get("count"))
	}
	key := r.Header.Get("X-Subscription-Token")
	f := s.arrived(Request{API: Brave, Words: words, Language: q.Get("search_lang"), Max: count, Key: key, Target: r.URL.RequestURI()})
	invalid := words == "" || utf8.RuneCountInString(words) > maxRunes || len(strings.Fields(words)) > maxWords || count < 1 || count > maxHits
	switch {
	case spoil(w, r, f):
	case f == Unauthorized, key != Key:
		braveError(w, http.StatusUnprocessableEntity, "SUBSCRIPTION_TOKEN_INVALID")
	case f == Quota:
		limits(w, "1, 0", "1, 1419704")
		braveError(w, http.StatusTooManyRequests, "QUOTA_LIMITED")
	case f == RateLimited:
		limits(w, "0, 1999", "2, 1419704")
		braveError(w, http.StatusTooManyRequests, "RATE_LIMITED")
	case f == BadRequest, invalid:
		braveError(w, http.StatusUnprocessableEntity, "VALIDATION")
	default:
		limits(w, "1, 1999", "1, 1419704")
		reply(w, http.StatusOK, braveAnswer(words, s.find(words, count)))
	}
}

// limits sets Brave's rate limit headers.
func limits(w http.ResponseWriter, remaining, reset string) {
	w.Header().Set("X-RateLimit-Limit", "1, 2000")
	w.Header().Set("X-RateLimit-Policy", "1;w=1, 2000;w=2592000")
	w.Header().Set("X-RateLimit-Remaining", remaining)
	w.Header().Set("X-RateLimit-Reset", reset)
}

// braveError writes an error in Brave's format.
func braveError(w http.ResponseWriter, status int, code string) {
	reply(w, status, object{"type": "ErrorResponse", "time": 1754364294,
		"error": object{"id": "00000000-0000-0000-0000-000000000000", "status": status, "code": code, "detail": "scripted failure", "meta": object{}}})
}

// braveAnswer is Brave's response, which has no "web" when nothing is found.
func braveAnswer(words string, hits []Hit) object {
	out := object{"type": "search", "query": object{"original": words, "more_results_available": false, "is_navigational": false}, "mixed": object{"type": "mixed", "main": []any{}}}
	results := []object{}
	for _, h := range hits {
		result := object{"title": h.Title, "url": h.URL, "description": h.Snippet, "is_source_local": false, "is_source_both": false, "language": "en",
			"family_friendly": true, "type": "search_result", "subtype": "generic", "profile": object{"name": "Example"}}
		if h.Published != "" {
			result["page_age"], result["age"] = h.Published+"T00:00:00", "3 days ago"
		}
		results = append(results, result)
	}
	if len(hits) > 0 {
		out["web"] = object{"type": "search", "results": results, "family_friendly": true}
	}
	return out
}

// tavily answers like Tavily.
func (s *Server) tavily(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Query      string `json:"query"`
		MaxResults *int   `json:"max_results"`
	}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in)
	count := 5
	if in.MaxResults != nil {
		count = *in.MaxResults
	}
	f := s.arrived(Request{API: Tavily, Words: in.Query, Max: count, Key: bearer(r), Target: r.URL.RequestURI()})
	switch {
	case spoil(w, r, f):
	case err != nil:
		reply(w, http.StatusUnprocessableEntity, object{"detail": []object{{"type": "json_invalid", "loc": []any{"body", 0}, "msg": "JSON decode error", "input": object{}}}})
	case f == Unauthorized, bearer(r) != Key:
		tavilyError(w, http.StatusUnauthorized, "Unauthorized: missing or invalid API key.")
	case f == Quota:
		tavilyError(w, 432, "This request exceeds the set usage limit of the plan.")
	case f == RateLimited:
		w.Header().Set("Retry-After", "2")
		tavilyError(w, http.StatusTooManyRequests, "Your request has been blocked due to excessive requests.")
	case f == BadRequest, in.Query == "", count < 0, count > maxHits:
		tavilyError(w, http.StatusBadRequest, "Invalid parameter.")
	case utf8.RuneCountInString(in.Query) > maxRunes:
		tavilyError(w, http.StatusBadRequest, "Query is too long. Max query length is 400 characters.")
	default:
		reply(w, http.StatusOK, tavilyAnswer(in.Query, s.find(in.Query, count)))
	}
}

// tavilyError writes an error in Tavily's format.
func tavilyError(w http.ResponseWriter, status int, message string) {
	reply(w, status, object{"detail": object{"error": message}})
}

// tavilyAnswer is Tavily's response.
func tavilyAnswer(words string, hits []Hit) object {
	results := []object{}
	for i, h := range hits {
		result := object{"url": h.URL, "title": h.Title, "content": h.Snippet, "score": 1 / float64(i+1), "raw_content": nil}
		if at, err := time.Parse(time.DateOnly, h.Published); err == nil {
			result["published_date"] = at.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
		}
		results = append(results, result)
	}
	return object{"query": words, "follow_up_questions": nil, "answer": nil, "images": []any{}, "results": results, "response_time": 0.42, "request_id": "scripted"}
}
