package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/secret"
)

const canaryKey = "sk-canary-4711"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// setup starts a scripted server and a client on it, with limits short enough to
// wait for.
func setup(t *testing.T, change func(*llm.Options)) (*llm.Client, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	o := llm.Options{BaseURL: srv.URL(), Key: secret.New(canaryKey), Model: "m"}
	if change != nil {
		change(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(c.Close)
	return c, srv
}

// ask is a request with one user message.
func ask(text string) llm.Request {
	return llm.Request{Purpose: "reply", Messages: []llm.Message{
		{Role: "system", Content: "Interview the person."}, {Role: "user", Content: text},
	}}
}

// collect returns an onText that gathers pieces, and where it gathers them.
func collect() (func(string) error, *[]string) {
	var pieces []string
	return func(piece string) error {
		pieces = append(pieces, piece)
		return nil
	}, &pieces
}

// failure returns err as an *llm.Error of the wanted class, or ends the test.
func failure(t *testing.T, err error, want llm.Class) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("error = %v, want an *llm.Error of class %s", err, want)
	}
	if e.Class != want {
		t.Fatalf("error = %v (class %s), want class %s", err, e.Class, want)
	}
	if strings.Contains(err.Error(), canaryKey) || strings.Contains(err.Error(), "scripted") {
		t.Fatalf("error %q shows the key or the provider's words", err)
	}
	return e
}

// background is a context that ends before the test run would.
func background(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}
