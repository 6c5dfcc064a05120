package llm_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/secret"
)

// openai-go takes settings from the environment; this client does not.
func TestClientReadsNoEnvironment(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the server of OPENAI_BASE_URL was asked for %s", r.URL)
	}))
	t.Cleanup(elsewhere.Close)
	for name, value := range map[string]string{
		"OPENAI_BASE_URL": elsewhere.URL, "OPENAI_API_KEY": "sk-environment", "OPENAI_ADMIN_KEY": "sk-environment",
		"OPENAI_ORG_ID": "environment", "OPENAI_PROJECT_ID": "environment", "OPENAI_WEBHOOK_SECRET": "environment",
		"OPENAI_CUSTOM_HEADERS": "X-Custom: environment", "OPENAI_LOG": "debug",
	} {
		t.Setenv(name, value)
	}
	var seen []http.Header
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header)
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(srv.Close)
	for _, key := range []string{"", canaryKey} {
		seen = nil
		c, err := llm.New(llm.Options{BaseURL: srv.URL, Key: secret.New(key), Model: "m"})
		if err != nil {
			t.Fatalf("New: %v", err)
		}
		t.Cleanup(c.Close)
		askEverything(t, c)

		want := ""
		if key != "" {
			want = "Bearer " + key
		}
		if len(seen) != 6 {
			t.Errorf("the server was asked %d times, want 6", len(seen))
		}
		for _, h := range seen {
			if h.Get("Authorization") != want || h.Get("User-Agent") != "quaestor" {
				t.Errorf("Authorization %q, User-Agent %q, want %q and quaestor", h.Get("Authorization"), h.Get("User-Agent"), want)
			}
			for name, values := range h {
				if strings.HasPrefix(name, "X-Stainless") || strings.Contains(fmt.Sprint(values), "environment") {
					t.Errorf("header %s: %s", name, values)
				}
			}
		}
	}
}

// askEverything makes one request of each kind.
func askEverything(t *testing.T, c *llm.Client) {
	t.Helper()
	ctx := background(t)
	_, _ = c.Stream(ctx, ask("hi"), func(string) error { return nil })
	_, _ = c.JSON(ctx, ask("hi"), countSchema(t), &countAnswer{})
	_, _, _ = c.Embed(ctx, []string{"a"}, 0)
	_, _ = c.Speak(ctx, "hi", "alloy", 0)
	_, _ = c.Transcribe(ctx, []byte("RIFF"), "", nil)
	if err := c.Check(ctx); err != nil {
		t.Errorf("Check: %v", err)
	}
}

// The key is in no error and in no print of the client, whatever fails and whatever
// the server says.
func TestTheKeyIsNeverShown(t *testing.T) {
	t.Parallel()

	for _, status := range []int{200, 302, 400, 401, 429, 500} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"error":{"message":%q}}`, r.Header.Get("Authorization"))
		}))
		t.Cleanup(srv.Close)
		c, err := llm.New(llm.Options{BaseURL: srv.URL, Key: secret.New(canaryKey), Model: "m", Retries: -1})
		if err != nil {
			t.Fatalf("New: %v", err)
		}
		t.Cleanup(c.Close)
		shown := fmt.Sprintf("%+v %#v", c, c)
		_, err = c.Stream(background(t), ask("hi"), func(string) error { return nil })
		for ; err != nil; err = errors.Unwrap(err) {
			shown += fmt.Sprintf("%v %+v %#v", err, err, err)
		}
		if strings.Contains(shown, canaryKey) {
			t.Errorf("status %d: the key is shown", status)
		}
	}
}
