package mcp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/web/mcp"
	"quaestor/web/webtest"
)

// bearer sends a token with every request.
type bearer struct {
	token string
	http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.RoundTripper.RoundTrip(r)
}

// client is a connected client of the SDK.
type client struct {
	t *testing.T
	*sdk.ClientSession
}

// connect connects the client of the SDK as whoever sees the world.
func connect(t *testing.T, w *webtest.World) client {
	t.Helper()
	session, err := dial(t, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return client{t, session}
}

func dial(t *testing.T, w *webtest.World) (*sdk.ClientSession, error) {
	t.Helper()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(transport.CloseIdleConnections)
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	return c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.URL + mcp.Path, HTTPClient: &http.Client{Transport: bearer{w.Token, transport}}, MaxRetries: -1}, nil)
}

// raw calls a tool.
func (c client) raw(name string, args any) *sdk.CallToolResult {
	c.t.Helper()
	got, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: %v", name, err)
	}
	return got
}

// call calls a tool that must succeed, and returns its structured content.
func call[T any](c client, name string, args any) T {
	c.t.Helper()
	got := c.raw(name, args)
	if got.IsError {
		c.t.Fatalf("%s(%v) is an error: %s", name, args, words(got))
	}
	if words(got) == "" {
		c.t.Errorf("%s has no text", name)
	}
	raw, err := json.Marshal(got.StructuredContent)
	if err != nil {
		c.t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		c.t.Fatalf("%s: %v in %s", name, err, raw)
	}
	return out
}

// refused calls a tool that must fail, and checks that its text has all of want.
func (c client) refused(name string, args any, want ...string) {
	c.t.Helper()
	got := c.raw(name, args)
	if !got.IsError {
		c.t.Errorf("%s(%v) is no error: %s", name, args, words(got))
		return
	}
	for _, w := range want {
		if !strings.Contains(words(got), w) {
			c.t.Errorf("%s(%v) says %q, which lacks %q", name, args, words(got), w)
		}
	}
}

// words are the text of a result.
func words(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, content := range r.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// stranger is somebody of another organisation, in its highest role.
func stranger(t *testing.T, w *webtest.World) *webtest.World {
	t.Helper()
	other, err := auth.EnsureTenant(t.Context(), w.Pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Server.Library.Ship(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	return w.As(other.ID, "eve", auth.Owner)
}
