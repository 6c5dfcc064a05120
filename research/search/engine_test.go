package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/search"
	"quaestor/research/search/searchtest"
)

func TestEnginesFind(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	srv.Add("bicycle market",
		searchtest.Hit{URL: "https://Example.com:443/bicycles?utm_source=x&page=2#top", Title: "The <strong>bicycle</strong> market &amp; more", Snippet: "Sales of <b>bicycle</b>s grew\n by 4&nbsp;% &lt;in 2025&gt;.", Published: "2025-11-03"},
		searchtest.Hit{URL: "https://example.com/bicycles?page=2", Title: "The same again"},
		searchtest.Hit{URL: "ftp://example.com/bicycles", Title: "Another scheme"},
		searchtest.Hit{URL: "javascript:alert(1)", Title: "A script"},
		searchtest.Hit{URL: "http://someone@example.com/", Title: "With a user"},
		searchtest.Hit{URL: "http://example.org", Title: "Zero\u200bwidth\u202e, \U000e0041tags", Snippet: ""},
	)
	for api, engine := range engines(t, srv.URL(), 0) {
		got, err := engine.Search(t.Context(), search.Query{Tenant: "nobody-may-see-this", Words: "the Market for a bicycle", Language: "de"})
		if err != nil {
			t.Fatalf("%s: %v", api, err)
		}
		want := []search.Hit{
			{URL: "https://example.com/bicycles?page=2", Title: "The bicycle market & more", Snippet: "Sales of bicycles grew by 4 % <in 2025>.", Published: "2025-11-03", Engine: string(api)},
			{URL: "http://example.org/", Title: "Zerowidth, tags", Engine: string(api)},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", api, diff)
		}
		if engine.Name() != string(api) {
			t.Errorf("Name() = %q, want %q", engine.Name(), api)
		}
	}
	for _, r := range srv.Requests() {
		if strings.Contains(r.Target, searchtest.Key) || strings.Contains(r.Target+r.Words, "nobody-may-see-this") {
			t.Errorf("%s was asked for %q, which shows the key or the tenant", r.API, r.Target)
		}
		if want := map[searchtest.API]string{searchtest.SearXNG: "de", searchtest.Brave: "de"}[r.API]; r.Language != want || r.Key != searchtest.Key {
			t.Errorf("%s got language %q and key %q, want %q and the key", r.API, r.Language, r.Key, want)
		}
	}
}

func TestNothingFoundIsNoFailure(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	for api, engine := range engines(t, srv.URL(), 0) {
		for _, words := range []string{"quuux", "", " \n", "!!", "\u200b"} {
			if hits, err := engine.Search(t.Context(), search.Query{Words: words}); err != nil || len(hits) != 0 {
				t.Errorf("%s: Search(%q) = %v, %v; want nothing", api, words, hits, err)
			}
		}
	}
	if n := len(srv.Requests()); n != 3 {
		t.Errorf("%d searches were sent, want one an engine: those without words are not worth one", n)
	}
}

func TestFailuresAreClassed(t *testing.T) {
	t.Parallel()

	second := 2 * time.Second
	for _, tt := range []struct {
		fault  searchtest.Fault
		only   searchtest.API // empty means all
		kind   search.Kind
		after  time.Duration
		retry  bool
		public fault.Kind
	}{
		{searchtest.Unauthorized, "", search.Unauthorized, 0, false, fault.Unavailable},
		{searchtest.Quota, searchtest.Tavily, search.Quota, 0, false, fault.Limited},
		{searchtest.Quota, searchtest.Brave, search.Quota, 1419704 * time.Second, false, fault.Limited},
		{searchtest.RateLimited, "", search.RateLimited, second, true, fault.Limited},
		{searchtest.BadRequest, "", search.BadRequest, 0, false, fault.Unavailable},
		{searchtest.Unavailable, "", search.Unavailable, 0, true, fault.Unavailable},
		{searchtest.Forbidden, searchtest.SearXNG, search.BadRequest, 0, false, fault.Unavailable},
		{searchtest.Forbidden, searchtest.Brave, search.Unauthorized, 0, false, fault.Unavailable},
		{searchtest.Forbidden, searchtest.Tavily, search.Unauthorized, 0, false, fault.Unavailable},
		{searchtest.Page, "", search.Malformed, 0, false, fault.Unavailable},
		{searchtest.CutShort, "", search.Unavailable, 0, true, fault.Unavailable},
		{searchtest.Truncated, "", search.Malformed, 0, false, fault.Unavailable},
		{searchtest.OtherShape, "", search.Malformed, 0, false, fault.Unavailable},
		{searchtest.Huge, "", search.Malformed, 0, false, fault.Unavailable},
		{searchtest.Endless, "", search.Unavailable, 0, true, fault.Unavailable},
		{searchtest.Stall, "", search.Unavailable, 0, true, fault.Unavailable},
		{searchtest.Elsewhere, "", search.BadRequest, 0, false, fault.Unavailable},
		{searchtest.Unresponsive, searchtest.SearXNG, search.Unavailable, 0, true, fault.Unavailable},
	} {
		t.Run(string(tt.fault)+" "+string(tt.only), func(t *testing.T) {
			t.Parallel()

			srv := searchtest.New(t)
			srv.Fail(tt.fault)
			limit := 10 * time.Second
			if tt.fault == searchtest.Stall || tt.fault == searchtest.Endless {
				limit = 200 * time.Millisecond
			}
			for api, engine := range engines(t, srv.URL(), limit) {
				if tt.only != "" && tt.only != api {
					continue
				}
				hits, err := engine.Search(t.Context(), search.Query{Words: "bicycle"})
				e := failure(t, err)
				if hits != nil || e.Kind != tt.kind || e.RetryAfter != tt.after || e.Retryable() != tt.retry || e.Engine != string(api) || !fault.Is(err, tt.public) {
					t.Errorf("%s: %v (%+v), want %s after %s, retryable %t, shown as %s", api, err, e, tt.kind, tt.after, tt.retry, tt.public)
				}
			}
		})
	}
}

func TestGivingUpIsNotRetried(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	srv.Fail(searchtest.Stall)
	for api, engine := range engines(t, srv.URL(), 0) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := engine.Search(ctx, search.Query{Words: "bicycle"})
		cancel()
		if e := failure(t, err); e.Retryable() || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v is retryable %t; want the context's own error, which is not", api, err, e.Retryable())
		}
	}
}

func TestQueriesAreCutAtAWordToWhatTheEngineTakes(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("bicycle ", 200)
	srv := searchtest.New(t)
	for _, tt := range []struct{ name, words string }{
		{"many characters", long}, {"many words", strings.Repeat("a ", 300)}, {"one word", strings.Repeat("ж", 900)},
	} {
		for api, engine := range engines(t, srv.URL(), 0) {
			before := len(srv.Requests())
			if _, err := engine.Search(t.Context(), search.Query{Words: tt.words, Max: 1000, Language: "xx"}); err != nil {
				t.Errorf("%s: %s: %v", api, tt.name, err)
				continue
			}
			sent := srv.Requests()[before]
			if n := utf8.RuneCountInString(sent.Words); n > 400 || n == 0 || !strings.HasPrefix(tt.words, sent.Words) {
				t.Errorf("%s: %s: %d characters were sent: %.40q", api, tt.name, n, sent.Words)
			}
			if api == searchtest.Brave && (len(strings.Fields(sent.Words)) > 50 || sent.Language != "") {
				t.Errorf("brave got %d words in %q", len(strings.Fields(sent.Words)), sent.Language)
			}
			if tt.words == long && !strings.HasSuffix(sent.Words, "bicycle") {
				t.Errorf("%s: the query is cut in a word: %q", api, sent.Words)
			}
			if sent.Max > 20 {
				t.Errorf("%s was asked for %d hits", api, sent.Max)
			}
		}
	}
}

// SearXNG reads !!g as an order to send the person to another engine, with the
// query; a colon picks a language.
func TestCommandsAreTakenOutOfQueries(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	for _, engine := range engines(t, srv.URL(), 0) {
		if _, err := engine.Search(t.Context(), search.Query{Words: "!!g :de ?? bicycle\u200bs !images what?\x00"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range srv.Requests() {
		if r.Words != "g de bicycles images what?" {
			t.Errorf("%s was asked %q", r.API, r.Words)
		}
	}
}

func TestMaxBoundsHits(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	for i := range 60 {
		srv.Add("", searchtest.Hit{URL: fmt.Sprintf("https://example.com/%d", i), Title: "A page"})
	}
	for api, engine := range engines(t, srv.URL(), 0) {
		most := map[searchtest.API]int{searchtest.SearXNG: 50, searchtest.Brave: 20, searchtest.Tavily: 20}[api]
		for in, want := range map[int]int{0: 10, -1: 10, 3: 3, 20: 20, 1000: most} {
			if hits, err := engine.Search(t.Context(), search.Query{Words: "bicycle", Max: in}); err != nil || len(hits) != want {
				t.Errorf("%s: Max %d gives %d hits, %v; want %d", api, in, len(hits), err, want)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()

	srv := searchtest.New(t)
	all := engines(t, srv.URL(), 0)
	for _, tt := range []struct{ in, searxng, brave string }{
		{"", "", ""}, {"de", "de", "de"}, {"de-AT", "de-AT", "de"}, {"ja", "ja", "jp"}, {"pt", "pt", "pt-pt"}, {"pt-BR", "pt-BR", "pt-br"}, {"zh-TW", "zh-TW", "zh-hant"},
		{"tlh", "tlh", ""}, {"de&key=x", "", ""}, {"all", "all", ""},
	} {
		for api, want := range map[searchtest.API]string{searchtest.SearXNG: tt.searxng, searchtest.Brave: tt.brave} {
			before := len(srv.Requests())
			if _, err := all[api].Search(t.Context(), search.Query{Words: "bicycle", Language: tt.in}); err != nil {
				t.Fatal(err)
			}
			if got := srv.Requests()[before].Language; got != want {
				t.Errorf("%s: %q is sent as %q, want %q", api, tt.in, got, want)
			}
		}
	}
}

// answers returns engines that all get the same answer.
func answers(t *testing.T, status int, header http.Header, body string) map[searchtest.API]search.Engine {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	return engines(t, srv.URL, 0)
}

func TestOddAnswers(t *testing.T) {
	t.Parallel()

	const good = `{"url":"https://example.com/","title":"A page"}`
	wrap := func(results string) string {
		return fmt.Sprintf(`{"type":"search","web":{"results":%[1]s,"more":{}},"results":%[1]s,"unresponsive_engines":[],"unknown":[1,{}]}`, results)
	}
	for _, tt := range []struct {
		name, body string
		want       int // hits, -1 for malformed
	}{
		{"fields missing", wrap(`[` + good + `]`), 1},
		{"nulls", wrap(`[{"url":"https://example.com/","title":null,"content":null,"description":null,"publishedDate":null,"page_age":null,"published_date":null,"extra_snippets":null}]`), 1},
		{"one of another shape", wrap(`[` + good + `,{"url":7},"x",null]`), 1},
		{"all of another shape", wrap(`[{"url":7},"x"]`), -1},
		{"none", wrap(`[]`), 0},
		{"no address", wrap(`[{"title":"A page"},{"url":""},{"url":"/relative"},{"url":"https://"},{"url":"http://[::1"}]`), 0},
		{"a list", `[]`, -1},
		{"a string", `"x"`, -1},
		{"nothing", ``, -1},
		{"deep", strings.Repeat("[", 20_000), -1},
		{"two documents", wrap(`[]`) + `{}`, -1},
		{"a page", `<html>`, -1},
		{"bad UTF-8", wrap("[{\"url\":\"https://example.com/\",\"title\":\"\xff\xfe\"}]"), 1},
	} {
		for api, engine := range answers(t, http.StatusOK, nil, tt.body) {
			hits, err := engine.Search(t.Context(), search.Query{Words: "bicycle"})
			if tt.want < 0 {
				if e := failure(t, err); e.Kind != search.Malformed {
					t.Errorf("%s: %s: %v, want malformed", api, tt.name, err)
				}
				continue
			}
			if err != nil || len(hits) != tt.want {
				t.Errorf("%s: %s: %v, %v; want %d hits", api, tt.name, hits, err, tt.want)
			}
			for _, h := range hits {
				if !utf8.ValidString(h.Title) {
					t.Errorf("%s: %s: title %q", api, tt.name, h.Title)
				}
			}
		}
	}
}

func TestStatusesWithAnOddBody(t *testing.T) {
	t.Parallel()

	soon := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for _, tt := range []struct {
		status int
		header http.Header
		kind   search.Kind
	}{
		{301, nil, search.Malformed}, {401, nil, search.Unauthorized}, {402, nil, search.Quota}, {404, nil, search.BadRequest}, {408, nil, search.Unavailable},
		{422, nil, search.BadRequest}, {429, http.Header{"Retry-After": {soon}}, search.RateLimited}, {429, http.Header{"Retry-After": {"-3"}}, search.RateLimited},
		{429, http.Header{"Retry-After": {"NaN"}, "X-Ratelimit-Remaining": {"0,"}, "X-Ratelimit-Reset": {"x, y"}}, search.RateLimited},
		{500, nil, search.Unavailable}, {502, nil, search.Unavailable}, {599, nil, search.Unavailable}, {204, nil, search.Malformed}, {700, nil, search.Malformed},
	} {
		for api, engine := range answers(t, tt.status, tt.header, `{"error":{"code":"the key `+searchtest.Key+` is wrong"},"detail":"`+searchtest.Key+`"}`) {
			_, err := engine.Search(t.Context(), search.Query{Words: "bicycle"})
			e := failure(t, err)
			if e.Kind != tt.kind || e.RetryAfter < 0 || e.RetryAfter > time.Hour || tt.header.Get("Retry-After") == soon && e.RetryAfter < 59*time.Minute {
				t.Errorf("%s: status %d: %v after %s, want %s", api, tt.status, err, e.RetryAfter, tt.kind)
			}
		}
	}
}

// A redirect within the origin is followed, with the key; one to another origin
// never gets the key.
func TestRedirectsStayAtHome(t *testing.T) {
	t.Parallel()

	var strayed []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		strayed = append(strayed, r.Header.Get("X-Subscription-Token"))
	}))
	t.Cleanup(other.Close)
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/away"):
			http.Redirect(w, r, other.URL+"/", http.StatusTemporaryRedirect)
		case strings.HasPrefix(r.URL.Path, "/round"):
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		case strings.HasPrefix(r.URL.Path, "/near"):
			http.Redirect(w, r, "/there?"+r.URL.RawQuery, http.StatusTemporaryRedirect)
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{"type": "search", "web": map[string]any{"results": []any{map[string]any{"url": "https://example.com/" + r.Header.Get("X-Subscription-Token")}}}})
		}
	}))
	t.Cleanup(home.Close)
	ask := func(path string) ([]search.Hit, error) {
		e, err := search.NewBrave(search.Options{Base: home.URL + path, Key: secret.New("open"), Client: fresh()})
		if err != nil {
			t.Fatal(err)
		}
		return e.Search(t.Context(), search.Query{Words: "bicycle"})
	}

	if hits, err := ask("/near"); err != nil || len(hits) != 1 || hits[0].URL != "https://example.com/open" {
		t.Errorf("a redirect within the origin gives %v, %v", hits, err)
	}
	for _, path := range []string{"/away", "/round"} {
		if _, err := ask(path); failure(t, err).Kind != search.BadRequest {
			t.Errorf("%s: %v, want a refusal", path, err)
		}
	}
	if len(strayed) > 0 {
		t.Errorf("another origin got %q", strayed)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()

	key := secret.New("k")
	for _, tt := range []struct {
		name string
		o    search.Options
	}{
		{"no address", search.Options{Key: key}},
		{"no scheme", search.Options{Key: key, Base: "localhost:8080"}},
		{"another scheme", search.Options{Key: key, Base: "file:///etc/passwd"}},
		{"no host", search.Options{Key: key, Base: "http:///search"}},
		{"a password", search.Options{Key: key, Base: "http://a:b@localhost"}},
		{"a query", search.Options{Key: key, Base: "http://localhost/?key=k"}},
	} {
		if _, err := search.NewSearXNG(tt.o); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: NewSearXNG = %v, want invalid", tt.name, err)
		}
		if _, err := search.NewBrave(tt.o); tt.o.Base != "" && !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: NewBrave = %v, want invalid", tt.name, err)
		}
	}
	_, err := search.NewBrave(search.Options{})
	_, err2 := search.NewTavily(search.Options{})
	if !fault.Is(err, fault.Invalid) || !fault.Is(err2, fault.Invalid) {
		t.Errorf("without a key: %v and %v, want invalid", err, err2)
	}
}

func TestSeveralFallsBackOnFailureOnly(t *testing.T) {
	t.Parallel()

	first, second := searchtest.New(t), searchtest.New(t)
	second.Add("bicycle", searchtest.Hit{URL: "https://example.com/"})
	e := search.Several(engines(t, first.URL(), 0)[searchtest.Brave], engines(t, second.URL(), 0)[searchtest.Tavily])

	if hits, err := e.Search(t.Context(), search.Query{Words: "bicycle"}); err != nil || len(hits) != 0 || len(second.Requests()) != 0 {
		t.Errorf("the first finds nothing: %v, %v, and %d requests to the second; want none", hits, err, len(second.Requests()))
	}
	first.Fail(searchtest.RateLimited)
	if hits, err := e.Search(t.Context(), search.Query{Words: "bicycle"}); err != nil || len(hits) != 1 || hits[0].Engine != "tavily" {
		t.Errorf("the first fails: %v, %v; want the second's", hits, err)
	}
	second.Fail(searchtest.Unavailable)
	if _, err := e.Search(t.Context(), search.Query{Words: "bicycle"}); failure(t, err).Engine != "brave" || !strings.Contains(err.Error(), "tavily: unavailable") {
		t.Errorf("both fail: %v, want both failures, the first's first", err)
	}
	if hits, err := search.Several().Search(t.Context(), search.Query{Words: "bicycle"}); hits != nil || err != nil {
		t.Errorf("no engines give %v, %v", hits, err)
	}
	if e.Name() != "brave,tavily" {
		t.Errorf("Name() = %q", e.Name())
	}
}
