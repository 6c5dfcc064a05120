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

const sentence = "One thing after the other, slowly, and then the rest of it."

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
	if _, err := http.Get(p.url + "/livez"); err == nil {
		t.Error("the server still answers")
	}
}

// A turn that is not over when the server has to close: its stream said nothing of it,
// and the next server left it alone until the first was taken for dead.
func TestTurnThatOutlivesItsServerIsSaidToGoOnAndDoes(t *testing.T) {
	t.Parallel()

	args := append(slow(t, sentence, 120*time.Millisecond), "--database-url", postgrestest.URL(t), "--drain-limit", "0s")
	for name, piece := range map[string]string{"at once": "session", "after a while": "delta"} {
		t.Run(name, func(t *testing.T) {
			first := launch(t, args...)
			running := first.open("/api/discovery-chat", map[string]any{"contextType": "business_profile", "message": "bread for cafés", "userId": name})
			begun := running.until(piece)
			first.stop()
			events := append(begun, running.rest()...)
			first.ended()

			second, restarted := launch(t, args...), time.Now()
			watching := second.open("/api/v1/sessions/"+fmt.Sprint(begun[0].Data["sessionId"])+"/events", nil)
			watching.until("done")

			if last := events[len(events)-1]; last.Type != "interrupted" || !strings.Contains(fmt.Sprint(last.Data["detail"]), "clientMessageId") {
				t.Errorf("the stream ended with %s, want that it was interrupted", last.Raw)
			}
			if took := time.Since(restarted); took > 10*time.Second {
				t.Errorf("the turn was over %v after the restart", took)
			}
		})
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
		{"no connections", []string{"serve", "--max-conns", "0"}, []string{"--max-conns (QUAESTOR_MAX_CONNS): must be 2 to 500, not 0"}},
		{"fewer than none", []string{"serve", "--max-conns=-3"}, []string{"--max-conns (QUAESTOR_MAX_CONNS): must be 2 to 500, not -3"}},
		{"connections beyond all bounds", []string{"serve", "--max-conns", "100000"}, []string{"--max-conns (QUAESTOR_MAX_CONNS): must be 2 to 500, not 100000"}},
		{"turns over before they begin", []string{"serve", "--turn-limit=-1s"}, []string{"--turn-limit (QUAESTOR_TURN_LIMIT): must be 1s or more, not -1s"}},
		{"a question wait backwards", []string{"work", "--database-url", "postgres://u@h/db", "--question-wait=-1s"}, []string{"--question-wait (QUAESTOR_QUESTION_WAIT): must be 0s or more, not -1s"}},
		{"no time to drain", []string{"serve", "--drain-limit=-1s"}, []string{"--drain-limit (QUAESTOR_DRAIN_LIMIT): must be 0s or more, not -1s"}},
		{"a window for nothing", []string{"migrate", "--model-window", "5"}, []string{"--model-window (QUAESTOR_MODEL_WINDOW): must be 8096 or more, not 5"}},
		{"long vectors", []string{"config", "--embedding-dimension", "9999"}, []string{"--embedding-dimension (QUAESTOR_EMBEDDING_DIMENSION): must be 0 to 1536, not 9999"}},
		{"jobs kept longer than the queue does", []string{"serve", "--keep-jobs-days", "31"}, []string{"--keep-jobs-days (QUAESTOR_KEEP_JOBS_DAYS): must be 0 to 30, not 31"}},
		{"a price that is no number", []string{"serve", "--reply-price", "NaN"}, []string{"--reply-price (QUAESTOR_REPLY_PRICE): must be 0 or more, not NaN"}},
		{"a model nowhere", []string{"config", "--model", "m", "--model-url", "nope"}, []string{"--model-url (OPENAI_BASE_URL): must be an address such as https://host/v1"}},
		{"a query in an address", []string{"config", "--model", "m", "--model-url", "http://h/v1?key=geheim"}, []string{"--model-url (OPENAI_BASE_URL): must end before the ?"}},
		{"a key in an address", []string{"config", "--speech-url", "http://me:geheim@h/v1"}, []string{"--speech-url (QUAESTOR_SPEECH_URL): must hold no user or password"}},
		{"documents nowhere", []string{"serve", "--documents-dir", "/nope"}, []string{"--documents-dir (QUAESTOR_DOCUMENTS_DIR): must be a folder", "/nope"}},
		{"files nowhere", []string{"serve", "--warehouse-dir", "/nope"}, []string{"--warehouse-dir (QUAESTOR_WAREHOUSE_DIR): must be a folder", "/nope"}},
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

func TestFewestConnectionsDo(t *testing.T) {
	t.Parallel()

	p := launch(t, "--database-url", postgrestest.URL(t), "--max-conns", fmt.Sprint(minConns))
	p.turn(map[string]any{"contextType": "business_profile", "message": ""})
	if events := p.turn(map[string]any{"contextType": "business_profile", "message": "We bake bread"}); events[len(events)-1].Type != "done" {
		t.Errorf("a turn with the fewest connections ended with %s", events[len(events)-1].Raw)
	}
}
