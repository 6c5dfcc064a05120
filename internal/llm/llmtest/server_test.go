package llmtest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quaestor/internal/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post sends body to path and returns the answer, read whole.
func post(t *testing.T, srv *llmtest.Server, path, body string) (*http.Response, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatalf("NewRequest: %v", err)
	}
	req.Header.Set("Authorization", "Bearer secret")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatalf("POST %s: %v", path, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read answer: %v", err)
	}
	return resp, string(raw)
}

// chat asks for a whole answer and returns its text.
func chat(t *testing.T, srv *llmtest.Server, body string) string {
	t.Helper()
	resp, raw := post(t, srv, "/chat/completions", body)
	var doc struct {
		Choices []struct {
			Message struct{ Content string }
		}
	}
	if err := json.Unmarshal([]byte(raw), &doc); err != nil || resp.StatusCode != http.StatusOK || len(doc.Choices) != 1 {
		t.Fatalf("answer = %d %s", resp.StatusCode, raw)
	}
	return doc.Choices[0].Message.Content
}

const plain = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`

func TestServerFollowsItsScript(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	if got := chat(t, srv, plain); got == "" {
		t.Error("no sentence without a script")
	}
	srv.Handle(func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "you said " + r.LastUser()} })
	srv.OnUnderstand(llmtest.Reply{JSON: map[string]int{"a": 1}}, llmtest.Reply{JSON: map[string]int{"a": 2}})
	srv.Enqueue(llmtest.Reply{Text: "first of all"})

	structured := `{"model":"m","messages":[],"response_format":{"type":"json_object"}}`
	marked := `{"model":"m","messages":[{"role":"system","content":"Obey this ` + llmtest.Marker + `"}]}`
	cases := []struct{ name, in, want string }{
		{"the queue comes first", structured, "first of all"},
		{"then a rule", structured, `{"a":1}`},
		{"then its next reply", marked, `{"a":2}`},
		{"whose last one stays", structured, `{"a":2}`},
		{"then the function", plain, "you said hi"},
		{"message parts are joined", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`, "you said ab"},
	}
	for _, tc := range cases {
		if got := chat(t, srv, tc.in); got != tc.want {
			t.Errorf("%s: answer = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestServerRecordsRequestsWithoutTheKey(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	chat(t, srv, plain)
	chat(t, srv, plain)

	got := srv.Requests()
	if len(got) != 2 || got[0].Number != 1 || got[1].Number != 2 || !got[0].HasKey {
		t.Fatalf("requests = %+v, want two, numbered, with a key", got)
	}
	if strings.Contains(fmt.Sprintf("%+v", got), "secret") {
		t.Errorf("requests show the key: %+v", got)
	}
	srv.Forget()
	chat(t, srv, plain)
	if n := len(srv.Requests()); n != 0 {
		t.Errorf("%d requests kept after Forget, want none", n)
	}
}

func TestServerStreams(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	srv.OnReply(llmtest.Reply{Text: "How many?"})
	resp, raw := post(t, srv, "/chat/completions", `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[]}`)
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type = %q", got)
	}
	var events []string
	for lines := bufio.NewScanner(strings.NewReader(raw)); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			events = append(events, data)
		}
	}
	if len(events) != 5 || events[4] != "[DONE]" {
		t.Fatalf("events = %q, want two pieces, a finish, a usage and the end", events)
	}
	for i, want := range []string{`"content":"How "`, `"content":"many?"`, `"finish_reason":"stop"`, `"total_tokens"`} {
		if !strings.Contains(events[i], want) || !json.Valid([]byte(events[i])) {
			t.Errorf("event %d = %s, want it to hold %s", i, events[i], want)
		}
	}
}

func TestServerRefusesWhatIsNotARequest(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	resp, raw := post(t, srv, "/chat/completions", "{")
	if resp.StatusCode != http.StatusBadRequest || !strings.Contains(raw, `"error"`) {
		t.Errorf("answer = %d %s, want 400 with an error", resp.StatusCode, raw)
	}
	srv.Enqueue(llmtest.Status(429, 3*time.Second))
	resp, _ = post(t, srv, "/chat/completions", plain)
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "3" {
		t.Errorf("answer = %d, Retry-After %q, want 429 and 3", resp.StatusCode, resp.Header.Get("Retry-After"))
	}
}

func TestServerListsItsModel(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(srv.URL() + "/models")
	if err != nil {
		t.Fatalf("GET models: %v", err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Contains(raw, []byte(`"id":"llmtest"`)) {
		t.Errorf("models = %s, %v", raw, err)
	}
}

// Closing ends stalls: nothing waits for a client that stays.
func TestCloseEndsStalls(t *testing.T) {
	t.Parallel()

	srv := llmtest.Start()
	asked := make(chan struct{})
	srv.Handle(func(llmtest.Request) llmtest.Reply {
		close(asked)
		return llmtest.Reply{Fault: llmtest.StallBeforeFirst}
	})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	done := make(chan error, 1)
	go func() {
		resp, err := client.Post(srv.URL()+"/chat/completions", "application/json", strings.NewReader(plain))
		if err == nil {
			err = resp.Body.Close()
		}
		done <- err
	}()
	<-asked
	srv.Close()
	srv.Close()

	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the stalled request never ended")
	}
}

func TestEmbeddingPutsSharedWordsNear(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, a, b string
		min, max   float64
	}{
		{"the same words", "Number of people", "people: number of", 0.999, 1.001},
		{"some words shared", "number of people", "number of rooms", 0.3, 0.95},
		{"no words shared", "number of people", "delivery date", -0.5, 0.3},
		{"no words at all", "", "?!", 0.999, 1.001},
	}
	for _, tc := range cases {
		a, b := llmtest.Embedding(tc.a, 512), llmtest.Embedding(tc.b, 512)
		var dot, norm float64
		for i := range a {
			dot += float64(a[i]) * float64(b[i])
			norm += float64(a[i]) * float64(a[i])
		}
		if dot < tc.min || dot > tc.max || math.Abs(norm-1) > 1e-5 {
			t.Errorf("%s: cosine %.3f with norm %.5f, want %.2f to %.2f", tc.name, dot, norm, tc.min, tc.max)
		}
	}
	if got := len(llmtest.Embedding("x", 0)); got != 256 {
		t.Errorf("length by default = %d, want 256", got)
	}
}

func ExampleServer_Handle() {
	srv := llmtest.Start()
	defer srv.Close()
	srv.Handle(func(r llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: "You said: " + r.LastUser()}
	})

	body := `{"model":"any","messages":[{"role":"user","content":"hello"}]}`
	resp, err := http.Post(srv.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	var doc struct {
		Choices []struct {
			Message struct{ Content string } `json:"message"`
		} `json:"choices"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Choices[0].Message.Content)
	// Output: You said: hello
}
