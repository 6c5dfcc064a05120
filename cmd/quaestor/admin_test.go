package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/secret"
	"quaestor/research/search"
)

// No page may show a secret, in whatever setting it stands.
func TestSettingsInForceHideSecrets(t *testing.T) {
	t.Parallel()

	s := &Settings{Addr: "127.0.0.1:8080", DatabaseURL: secret.New("postgres://me:hunter2@host/name"), ModelKey: secret.New("hunter2"),
		BraveURL: "https://me:hunter2@gateway.example/brave", TurnLimit: 90 * time.Second}

	got := map[string]string{}
	for _, x := range inForce(s) {
		if strings.Contains(x.Value, "hunter2") {
			t.Errorf("%s shows %q", x.Variable, x.Value)
		}
		if x.Help == "" {
			t.Errorf("%s has no help", x.Variable)
		}
		got[x.Variable] = x.Value
	}

	for name, want := range map[string]string{"QUAESTOR_ADDR": "127.0.0.1:8080", "DATABASE_URL": "***", "OPENAI_API_KEY": "***", "QUAESTOR_TAVILY_KEY": "(not set)",
		"QUAESTOR_READ_PRIVATE": "(not set)", "QUAESTOR_TURN_LIMIT": "1m30s", "QUAESTOR_BRAVE_URL": "https://me:xxxxx@gateway.example/brave"} {
		if got[name] != want {
			t.Errorf("%s is shown as %q, want %q", name, got[name], want)
		}
	}
}

func TestModelIsTriedByOneRequest(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	p, err := modelPart(&Settings{Model: "small", ModelURL: srv.URL()})
	if err != nil || !p.On || p.Try == nil || !strings.Contains(p.State, "small at ") {
		t.Fatalf("the part is %+v, %v", p, err)
	}

	says, err := p.Try(t.Context(), "")

	if err != nil || !strings.HasPrefix(says, "The model answers") {
		t.Errorf("Try = %q, %v", says, err)
	}
	if none, err := modelPart(&Settings{}); err != nil || none.On || none.Try != nil {
		t.Errorf("without a model the part is %+v, %v", none, err)
	}
}

// What a test fails of says its class, and nothing that the other side said.
func TestFailedTestsSayWhy(t *testing.T) {
	t.Parallel()

	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the key hunter2 is wrong", http.StatusUnauthorized)
	}))
	t.Cleanup(srv.Close)
	s := &Settings{Model: "small", ModelURL: srv.URL, EmbeddingModel: "tiny", EmbeddingURL: srv.URL}
	model, err := modelPart(s)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := encoderPart(s)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := search.NewSearXNG(search.Options{Base: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		name string
		try  func() (string, error)
		want string
	}{
		{"model", func() (string, error) { return model.Try(t.Context(), "") }, "status 401"},
		{"encoder", func() (string, error) { return encoder.Try(t.Context(), "") }, "401"},
		{"searxng", func() (string, error) { return enginePart(engine, "searxng", "", "").Try(t.Context(), "") }, "unauthorized"},
	} {
		says, err := p.try()
		if says != "" || fault.Is(err, fault.Internal) || !strings.Contains(err.Error(), p.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the test of the %s = %q, %v, want a fault with %q", p.name, says, err, p.want)
		}
	}
}
