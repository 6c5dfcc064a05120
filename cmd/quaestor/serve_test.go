package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
)

// slow returns the settings of a model that speaks slowly, and is never done
// reading before it has spoken.
func slow(t testing.TB, text string, pause time.Duration) []string {
	t.Helper()
	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: text, PieceDelay: pause})
	model.OnUnderstand(llmtest.Reply{JSON: map[string]any{"intent": "answer", "about": nil, "research": []any{}, "proposals": []any{}, "topic": nil, "follow_ups": []any{},
		"relationships": []any{}, "preferences": []any{}, "style": nil, "findings": []any{map[string]any{"key": "business_overview", "act": "tell",
			"value": "bread for cafés", "quote": "bread for cafés", "hedged": false, "vague": false, "confidence": 0.9, "skip_reason": nil, "premises": []any{}, "reason": ""}}}})
	return []string{"--model", "test", "--model-url", model.URL()}
}

const sentence = "One thing after the other, slowly, and then the rest of it?"

func TestTwoPeopleAtOnceEachInTheirSession(t *testing.T) {
	t.Parallel()

	p := launch(t, "--database-url", postgrestest.URL(t))
	said := map[string][]string{"anna": {"", "We bake bread", "food and drink"}, "ben": {"", "We repair bicycles", "repairs"}}
	ids := map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for person, messages := range said {
		wg.Go(func() {
			for _, m := range messages {
				events := p.turn(map[string]any{"contextType": "business_profile", "message": m, "userId": person})
				mu.Lock()
				ids[person] = fmt.Sprint(events[0].Data["sessionId"])
				mu.Unlock()
			}
		})
	}
	wg.Wait()

	if ids["anna"] == ids["ben"] {
		t.Fatalf("both are in session %s", ids["anna"])
	}
	for person, messages := range said {
		got := userMessages(p, ids[person])
		if diff := cmp.Diff(messages[1:], got); diff != "" {
			t.Errorf("%s said (-want +got):\n%s", person, diff)
		}
	}
}

// transcript is the answer of the messages of a session.
type transcript struct {
	Items []struct {
		Role, Content string
		Complete      bool
		Turn          int
	}
}

func userMessages(p *program, id string) []string {
	p.t.Helper()
	var out []string
	for _, m := range fetch[transcript](p, "/api/v1/sessions/"+id+"/messages").Items {
		if m.Role == "user" {
			out = append(out, m.Content)
		}
	}
	return out
}

func TestTermDrains(t *testing.T) {
	t.Parallel()

	p := launch(t, append(slow(t, sentence, 120*time.Millisecond), "--database-url", postgrestest.URL(t))...)
	running := p.open("/api/discovery-chat", map[string]any{"contextType": "business_profile", "message": "bread for cafés"})
	begun := running.until("delta")
	watching := p.open("/api/v1/sessions/"+fmt.Sprint(begun[0].Data["sessionId"])+"/events", nil)

	started := time.Now()
	p.stop()
	events := append(begun, running.rest()...)
	p.ended()

	if last := events[len(events)-1]; last.Type != "done" || last.Data["reason"] != "answered" {
		t.Errorf("the turn that ran ended with %s", last.Raw)
	}
	if took := time.Since(started); took > 15*time.Second || p.err != nil {
		t.Errorf("draining took %v and ended with %v", took, p.err)
	}
	if diff := cmp.Diff(lines(events), lines(watching.rest())); diff != "" {
		t.Errorf("a stream that was open saw (-turn +stream):\n%s", diff)
	}
	if _, err := http.Get(p.url + "/livez"); err == nil { //nolint:bodyclose // there is none
		t.Error("the server still answers")
	}
}

func TestServerThatDrainsIsNotReady(t *testing.T) {
	t.Parallel()

	p := launch(t, append(slow(t, sentence, 150*time.Millisecond), "--database-url", postgrestest.URL(t))...)
	running := p.open("/api/discovery-chat", map[string]any{"contextType": "business_profile", "message": "bread for cafés"})
	running.until("delta")
	p.get("/readyz")
	p.stop()

	for status := 0; status != http.StatusServiceUnavailable; {
		resp, err := p.ask(t.Context(), "/readyz", nil)
		if err != nil {
			t.Fatalf("the server was gone before it said that it drains: %v", err)
		}
		status = resp.StatusCode
		_ = resp.Body.Close()
	}
	resp, err := p.ask(t.Context(), "/api/discovery-chat", map[string]any{"contextType": "idea_discovery", "message": "Hello"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if raw, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusServiceUnavailable || !bytes.Contains(raw, []byte(`"draining"`)) {
		t.Errorf("a turn asked of a server that drains: %d %s", resp.StatusCode, raw)
	}
	if last := running.rest(); last[len(last)-1].Type != "done" {
		t.Errorf("the turn that ran ended with %s", last[len(last)-1].Raw)
	}
}

func TestUnsafeSettingsAreRefusedWithTheRemedy(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name string
		args []string
		says []string
	}{
		{"everybody's owner", []string{"serve", "--addr", "0.0.0.0:0"}, []string{"--addr", "127.0.0.1", "--auth tokens"}},
		{"no host", []string{"serve", "--addr", ":0"}, []string{"--addr", "127.0.0.1"}},
		{"IPv6 for all", []string{"serve", "--addr", "[::]:0"}, []string{"--addr", "127.0.0.1"}},
		{"no port", []string{"serve", "--addr", "localhost"}, []string{"--addr", "127.0.0.1:8080"}},
		{"unknown identity", []string{"serve", "--auth", "none"}, []string{"auth"}},
		{"database that is none", []string{"serve", "--addr", "127.0.0.1:0", "--database-url", "postgres://nobody@127.0.0.1:1/x"}, []string{"DATABASE_URL"}},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			var out bytes.Buffer
			err := run(t.Context(), append(tt.args, "--data-dir", t.TempDir()), &out, io.Discard)
			if err == nil {
				t.Fatalf("it was accepted: %s", out.String())
			}
			for _, part := range tt.says {
				if !strings.Contains(words(err), part) {
					t.Errorf("%q does not say %q", words(err), part)
				}
			}
		})
	}
}

func TestEventsCrossInstancesMidSentence(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	args := append(slow(t, sentence, 120*time.Millisecond), "--database-url", url)
	a, b := launch(t, args...), launch(t, args...)
	running := a.open("/api/discovery-chat", map[string]any{"contextType": "business_profile", "message": "bread for cafés"})
	begun := running.until("session")
	seen := b.open("/api/v1/sessions/"+fmt.Sprint(begun[0].Data["sessionId"])+"/events", nil).until("done")
	said := append(begun, running.rest()...)

	if diff := cmp.Diff(lines(said), lines(seen)); diff != "" {
		t.Errorf("events (-a +b):\n%s", diff)
	}
	pieces := 0
	for _, e := range seen {
		if e.Type == "delta" {
			pieces++
		}
	}
	if pieces < 2 {
		t.Errorf("the other instance saw the reply grow in %d pieces", pieces)
	}
}
