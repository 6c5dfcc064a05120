package llm_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/secret"
)

func TestCheckTellsWhetherTheServerTakesUs(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, mediaType string
		status          int
		want            llm.Class
	}{
		{"a list", "application/json", 200, ""},
		{"no such list", "application/json", 404, ""},
		{"another method", "text/plain", 405, ""},
		{"busy", "application/json", 429, ""},
		{"another key", "application/json", 401, llm.Refused},
		{"a key for less", "application/json", 403, llm.Refused},
		{"broken", "text/html", 502, llm.Upstream},
		{"a page", "text/html; charset=utf-8", 200, llm.NotJSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer "+canaryKey {
					t.Errorf("it asks %s %s with %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
				}
				w.Header().Set("Content-Type", tt.mediaType)
				w.WriteHeader(tt.status)
			}))
			t.Cleanup(srv.Close)
			c, err := llm.New(llm.Options{BaseURL: srv.URL + "/v1", Key: secret.New(canaryKey), Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)

			err = c.Check(t.Context())
			var e *llm.Error
			if errors.As(err, &e); tt.want == "" && err != nil || tt.want != "" && (e == nil || e.Class != tt.want) {
				t.Errorf("Check = %v, want class %q", err, tt.want)
			}
		})
	}
}

func TestCheckOfNobody(t *testing.T) {
	t.Parallel()

	c, err := llm.New(llm.Options{BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)

	var e *llm.Error
	if err := c.Check(t.Context()); !errors.As(err, &e) || e.Class != llm.Broken {
		t.Errorf("Check = %v, want broken", err)
	}
}
