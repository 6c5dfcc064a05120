package search_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quaestor/internal/secret"
	"quaestor/research/search"
	"quaestor/research/search/searchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fresh is a client without connections that outlive a test.
func fresh() *http.Client { return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} }

// engines returns all engines of the web at base, with the right key.
func engines(t *testing.T, base string, timeout time.Duration) map[searchtest.API]search.Engine {
	t.Helper()
	o := search.Options{Base: base, Key: secret.New(searchtest.Key), Client: fresh(), Timeout: timeout}
	searxng, err := search.NewSearXNG(o)
	brave, err2 := search.NewBrave(o)
	tavily, err3 := search.NewTavily(o)
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	return map[searchtest.API]search.Engine{searchtest.SearXNG: searxng, searchtest.Brave: brave, searchtest.Tavily: tavily}
}

// failure returns err as an Error that gives nothing away, or ends the test.
func failure(t *testing.T, err error) *search.Error {
	t.Helper()
	var e *search.Error
	if !errors.As(err, &e) {
		t.Fatalf("error = %v, want an *search.Error", err)
	}
	for _, hidden := range []string{searchtest.Key, "scripted", "127.0.0.1", "bicycle"} {
		for cause := error(e); cause != nil; cause = errors.Unwrap(cause) {
			if strings.Contains(cause.Error(), hidden) {
				t.Fatalf("error %q shows %q", cause, hidden)
			}
		}
	}
	return e
}
