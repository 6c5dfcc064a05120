package searchtest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quaestor/research/search/searchtest"
)

// send makes one raw request and returns status and answer.
func send(t *testing.T, method, target, body string, header http.Header) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var doc map[string]any
	_ = json.NewDecoder(resp.Body).Decode(&doc) // pages are no JSON
	return resp.StatusCode, doc
}

func TestServerRefusesWhatTheVendorsDo(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	brave, tavily := http.Header{"X-Subscription-Token": {searchtest.Key}}, http.Header{"Authorization": {"Bearer " + searchtest.Key}}
	long := strings.Repeat("a", 401)
	ask := func(q url.Values) string { return "?" + q.Encode() }
	for _, tt := range []struct {
		name, method, target, body string
		header                     http.Header
		want                       int
	}{
		{"brave", "GET", "/res/v1/web/search" + ask(url.Values{"q": {"x"}}), "", brave, 200},
		{"brave without a key", "GET", "/res/v1/web/search" + ask(url.Values{"q": {"x"}}), "", http.Header{}, 422},
		{"brave, long", "GET", "/res/v1/web/search" + ask(url.Values{"q": {long}}), "", brave, 422},
		{"brave, many words", "GET", "/res/v1/web/search" + ask(url.Values{"q": {strings.Repeat("a ", 51)}}), "", brave, 422},
		{"brave, many hits", "GET", "/res/v1/web/search" + ask(url.Values{"q": {"x"}, "count": {"21"}}), "", brave, 422},
		{"brave, nothing", "GET", "/res/v1/web/search", "", brave, 422},
		{"tavily", "POST", "/search", `{"query":"x"}`, tavily, 200},
		{"tavily without a key", "POST", "/search", `{"query":"x"}`, http.Header{}, 401},
		{"tavily, long", "POST", "/search", `{"query":"` + long + `"}`, tavily, 400},
		{"tavily, many hits", "POST", "/search", `{"query":"x","max_results":21}`, tavily, 400},
		{"tavily, no JSON", "POST", "/search", `query=x`, tavily, 422},
		{"searxng", "GET", "/search" + ask(url.Values{"q": {"x"}, "format": {"json"}}), "", http.Header{}, 200},
		{"searxng, nothing", "GET", "/search", "", http.Header{}, 400},
		{"elsewhere", "GET", "/", "", http.Header{}, 404},
	} {
		if got, _ := send(t, tt.method, srv.URL()+tt.target, tt.body, tt.header); got != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestScriptsAddUpAndFaultsPass(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	srv.Add("bicycle", searchtest.Hit{URL: "https://example.com/1"})
	srv.Add("Market Bicycle", searchtest.Hit{URL: "https://example.com/2"})
	srv.Add("", searchtest.Hit{URL: "https://example.com/3"})
	found := func(words string) int {
		_, doc := send(t, "GET", srv.URL()+"/search?"+url.Values{"q": {words}, "format": {"json"}}.Encode(), "", http.Header{})
		list, _ := doc["results"].([]any)
		return len(list)
	}
	for words, want := range map[string]int{"a bicycle": 2, "bicycle, market!": 3, "bread": 1} {
		if got := found(words); got != want {
			t.Errorf("%q finds %d, want %d", words, got, want)
		}
	}
	srv.FailNext(searchtest.Unavailable, searchtest.None)
	if got := []int{found("bread"), found("bread"), found("bread")}; got[0] != 0 || got[1] != 1 || got[2] != 1 {
		t.Errorf("after one failure the searches find %v", got)
	}
	if n := len(srv.Requests()); n != 6 {
		t.Errorf("%d requests are noted, want 6", n)
	}
}
