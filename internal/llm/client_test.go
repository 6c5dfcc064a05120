package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/secret"
)

// traced returns a context that tells conn the local address of each connection used.
func traced(ctx context.Context, conn func(local string)) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) { conn(i.Conn.LocalAddr().String()) },
	})
}

func TestNewChecksOptions(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name string
		in   llm.Options
		ok   bool
	}{
		{"default server", llm.Options{Model: "m"}, true},
		{"local", llm.Options{BaseURL: "http://127.0.0.1:1/v1/", Model: "m"}, true},
		{"no model", llm.Options{}, false},
		{"blank model", llm.Options{Model: " "}, false},
		{"no scheme", llm.Options{BaseURL: "127.0.0.1/v1", Model: "m"}, false},
		{"file", llm.Options{BaseURL: "file:///etc", Model: "m"}, false},
		{"gopher", llm.Options{BaseURL: "gopher://h/1", Model: "m"}, false},
		{"no host", llm.Options{BaseURL: "http:///v1", Model: "m"}, false},
		{"unreadable", llm.Options{BaseURL: "http://a b\x7f", Model: "m"}, false},
		{"password", llm.Options{BaseURL: "http://u:" + canaryKey + "@h/v1", Model: "m"}, false},
		{"query", llm.Options{BaseURL: "http://h/v1?key=" + canaryKey, Model: "m"}, false},
		{"negative", llm.Options{Model: "m", Idle: -1}, false},
		{"too negative", llm.Options{Model: "m", Retries: -2}, false},
	}
	for _, tc := range cases {
		_, err := llm.New(tc.in)
		if (err == nil) != tc.ok {
			t.Errorf("%s: New = %v, want ok %t", tc.name, err, tc.ok)
		}
		if err != nil && (!fault.Is(err, fault.Invalid) || strings.Contains(fmt.Sprintf("%+v", err), canaryKey)) {
			t.Errorf("%s: New = %+v, want an invalid fault that shows no secret", tc.name, err)
		}
	}
}

func TestClientSendsWhatItShould(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	warm := 0.2
	r := ask("hi")
	r.MaxTokens, r.Temperature = 40, &warm

	if _, err := c.Stream(background(t), r, func(string) error { return nil }); err != nil {
		t.Fatalf("Stream: %v", err)
	}
	want := llmtest.Request{
		Number: 1, Path: "/v1/chat/completions", Model: "m", Stream: true, StreamUsage: true, MaxTokens: 40,
		Temperature: &warm, HasKey: true,
		Messages: []llmtest.Message{{Role: "system", Content: "Interview the person."}, {Role: "user", Content: "hi"}},
	}
	ignore := cmpopts.IgnoreFields(llmtest.Request{}, "Header", "Body")
	if diff := cmp.Diff(want, srv.Requests()[0], ignore, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if got := c.Model(); got != "m" {
		t.Errorf("Model() = %q, want m", got)
	}
}

func TestClientWithoutKeySendsNone(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, func(o *llm.Options) { o.Key = secret.Secret{} })
	if _, err := c.Stream(background(t), ask("hi"), func(string) error { return nil }); err != nil {
		t.Fatalf("Stream: %v", err)
	}

	if srv.Requests()[0].HasKey {
		t.Error("an Authorization header was sent without a key")
	}
}

// A server that does not know a parameter says so once; the same call goes on
// without it and so do all later ones.
func TestClientLearnsWhatTheServerRefuses(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	srv.Handle(func(r llmtest.Request) llmtest.Reply {
		body := string(r.Body)
		for _, name := range []string{"stream_options", `"max_tokens"`, "temperature"} {
			if strings.Contains(body, name) {
				return llmtest.Reply{Status: 400, ErrorText: "unknown parameter: " + strings.Trim(name, `"`)}
			}
		}
		return llmtest.Reply{Text: "fine"}
	})
	warm := 0.2
	r := ask("hi")
	r.MaxTokens, r.Temperature = 40, &warm

	first, err := c.Stream(background(t), r, func(string) error { return nil })
	if err != nil {
		t.Fatalf("Stream: %v", err)
	}
	asked := len(srv.Requests())
	if _, err := c.Stream(background(t), r, func(string) error { return nil }); err != nil {
		t.Fatalf("second Stream: %v", err)
	}
	if asked != 4 || len(srv.Requests()) != 5 || first.Attempts != 1 {
		t.Errorf("asked %d then %d times in %d attempts, want 4, 5 and 1", asked, len(srv.Requests()), first.Attempts)
	}
	if got := srv.Requests()[4].MaxTokens; got != 40 {
		t.Errorf("max tokens after the lesson = %d, want 40 under the other name", got)
	}
}

func TestClientRefusesRedirects(t *testing.T) {
	t.Parallel()

	var other sync.Map
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		other.Store(r.URL.Path, r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	for _, code := range []int{301, 302, 303, 307, 308} {
		for name, client := range map[string]*http.Client{"own": nil, "given": {Transport: &http.Transport{DisableKeepAlives: true}}} {
			origin := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/stolen", code))
			t.Cleanup(origin.Close)
			c, err := llm.New(llm.Options{BaseURL: origin.URL, Key: secret.New(canaryKey), Model: "m", HTTP: client})
			if err != nil {
				t.Fatalf("New: %v", err)
			}
			t.Cleanup(c.Close)

			_, err = c.Stream(background(t), ask("hi"), func(string) error { return nil })
			if e := failure(t, err, llm.Refused); e.Attempts != 1 {
				t.Errorf("%d %s: %d attempts, want 1", code, name, e.Attempts)
			}
		}
	}

	other.Range(func(path, key any) bool {
		t.Errorf("the other origin was asked for %s with key %q", path, key)
		return true
	})
}

func TestClientFollowsRedirectsWithinItsOrigin(t *testing.T) {
	t.Parallel()

	const body = "data: {\"choices\":[{\"delta\":{\"content\":\"here\"},\"finish_reason\":\"stop\"}]}\n\n"
	mux := http.NewServeMux()
	mux.Handle("/old/", http.RedirectHandler("/new", http.StatusTemporaryRedirect))
	mux.HandleFunc("/new", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, body)
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	c, err := llm.New(llm.Options{BaseURL: srv.URL + "/old", Model: "m"})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(c.Close)

	reply, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
	if err != nil || reply.Text != "here" {
		t.Errorf("Stream = %q, %v, want here", reply.Text, err)
	}
}

func TestClientNamesAnAbsentServer(t *testing.T) {
	t.Parallel()

	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c, err := llm.New(llm.Options{BaseURL: gone.URL, Model: "m", Retries: -1})
	if err != nil {
		t.Fatalf("New: %v", err)
	}

	_, err = c.Stream(background(t), ask("hi"), func(string) error { return nil })
	if e := failure(t, err, llm.Broken); e.Reason != "connection refused" {
		t.Errorf("Reason = %q, want connection refused", e.Reason)
	}
}

func TestClientLeavesAFailingServerAlone(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, func(o *llm.Options) { o.Retries = -1 })
	srv.OnReply(llmtest.Status(500, 0))
	for range 5 {
		_, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
		failure(t, err, llm.Upstream)
	}

	_, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
	if e := failure(t, err, llm.Upstream); e.Reason != llm.ReasonCircuit {
		t.Errorf("Reason = %q, want %q", e.Reason, llm.ReasonCircuit)
	}
	if got := len(srv.Requests()); got != 5 {
		t.Errorf("the server was asked %d times, want 5", got)
	}
}

func TestClientDoesNotLeaveAServerThatAnswers(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	srv.OnReply(llmtest.Status(401, 0))
	for range 8 {
		_, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
		failure(t, err, llm.Refused)
	}

	if got := len(srv.Requests()); got != 8 {
		t.Errorf("the server was asked %d times, want 8", got)
	}
}

func TestErrorReadsAsFault(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name string
		in   *llm.Error
		kind fault.Kind
		text string
	}{
		{"limited", &llm.Error{Class: llm.Limited, Status: 429}, fault.Limited, "language model: limited (status 429)"},
		{"idle", &llm.Error{Class: llm.Timeout, Reason: llm.ReasonIdle}, fault.Unavailable, "language model: timeout: idle"},
		{"upstream", &llm.Error{Class: llm.Upstream, Status: 503}, fault.Unavailable, "language model: upstream (status 503)"},
	}
	for _, tc := range cases {
		err := fmt.Errorf("reply: %w", tc.in)
		var shown *fault.Error
		if !errors.As(err, &shown) || shown.Kind != tc.kind || shown.Message == "" {
			t.Errorf("%s: fault = %+v, want kind %s", tc.name, shown, tc.kind)
		}
		if got := tc.in.Error(); got != tc.text {
			t.Errorf("%s: Error() = %q, want %q", tc.name, got, tc.text)
		}
	}
}

func TestObserveSeesEachCallOnce(t *testing.T) {
	t.Parallel()

	var seen []llm.Call
	c, srv := setup(t, func(o *llm.Options) { o.Observe = func(call llm.Call) { seen = append(seen, call) } })
	srv.Enqueue(llmtest.Status(503, 0))
	srv.On(llmtest.Request.Structured, llmtest.Reply{JSON: map[string]any{"count": "x"}}, llmtest.Reply{JSON: map[string]any{"count": 1}})
	srv.OnReply(llmtest.Reply{Text: "fine", Usage: &llmtest.Usage{PromptTokens: 3, CompletionTokens: 1, TotalTokens: 4}})

	if _, err := c.Stream(background(t), ask("hi"), func(string) error { return nil }); err != nil {
		t.Fatalf("Stream: %v", err)
	}
	var out countAnswer
	if _, err := c.JSON(background(t), ask("hi"), countSchema(t), &out); err != nil {
		t.Fatalf("JSON: %v", err)
	}
	srv.Enqueue(llmtest.Status(401, 0))
	_, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
	failure(t, err, llm.Refused)

	want := []llm.Call{
		{Purpose: "reply", Model: "m", Attempts: 2, Usage: llm.Usage{PromptTokens: 3, CompletionTokens: 1}},
		{Purpose: "reply", Model: "m", Attempts: 2},
		{Purpose: "reply", Model: "m", Attempts: 1, Class: llm.Refused, Status: 401},
	}
	seen[1].Usage = llm.Usage{}
	if diff := cmp.Diff(want, seen, cmpopts.IgnoreTypes(time.Duration(0))); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestClientServesManyAtOnce(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	srv.Handle(func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "echo " + r.LastUser()} })
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			text := fmt.Sprintf("turn %d", i)
			reply, err := c.Stream(background(t), ask(text), func(string) error { return nil })
			if err != nil || reply.Text != "echo "+text {
				t.Errorf("Stream(%q) = %q, %v", text, reply.Text, err)
			}
		})
	}
	all.Wait()
}
