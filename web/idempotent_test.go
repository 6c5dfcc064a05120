package web

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

func TestRepeatedRequestBringsTheSameEventsAgain(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	first := lasting(w.say(turnBody{SessionID: id, Message: "We bake bread for cafés", ClientMessageID: "m-1"}))
	w.say(turnBody{SessionID: id, Message: "It is the food industry", ClientMessageID: "m-2"})
	before := w.fingerprint()

	cases := []struct {
		name    string
		request request
	}{
		{"in its session", request{path: chatPath, body: plain(turnBody{SessionID: id, Message: "We bake bread for cafés", ClientMessageID: "m-1"})}},
		{"with spaces around", request{path: chatPath, body: plain(turnBody{SessionID: id, Message: " We bake bread for cafés\n", ClientMessageID: "m-1"})}},
		{"by the header", request{path: chatPath, body: plain(turnBody{SessionID: id, Message: "We bake bread for cafés"}), header: map[string]string{"Idempotency-Key": "m-1"}}},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := w.do(tt.request).Header.Get("Idempotency-Replayed"); got != "true" {
				t.Errorf("Idempotency-Replayed is %q, want true", got)
			}
			if diff := cmp.Diff(raws(first), raws(w.stream(tt.request).rest())); diff != "" {
				t.Errorf("events (-first +again):\n%s", diff)
			}
		})
	}
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("repeating changed tables:\n%s", diff)
	}
}

func TestRepeatedFirstMessageFindsItsSession(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	body := turnBody{ContextType: "business_profile", Message: "We bake bread", ClientMessageID: "first"}

	first, again := lasting(w.say(body)), lasting(w.say(body))

	if diff := cmp.Diff(raws(first), raws(again)); diff != "" {
		t.Errorf("events (-first +again):\n%s", diff)
	}
}

// What makes a message the same is what it says, not what it calls its session.
func TestRepeatedRequestIsTheSameHoweverItNamesItsSession(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	opened := request{path: chatPath, body: map[string]any{"contextType": "business_profile", "message": "We bake bread", "clientMessageId": "first"}}
	first := lasting(w.stream(opened).rest())
	id := first[0].Data["sessionId"]
	ranged := map[string]any{"sessionId": id, "message": "About that", "clientMessageId": "second", "answers": json.RawMessage(`{"annual_revenue": {"min": 1, "max": 2}}`)}
	second := lasting(w.stream(request{path: chatPath, body: ranged}).rest())
	before := w.fingerprint()

	for _, tt := range []struct {
		name string
		body map[string]any
		want []told
	}{
		{"by the session", map[string]any{"sessionId": id, "message": "We bake bread", "clientMessageId": "first"}, first},
		{"by both", map[string]any{"sessionId": id, "contextType": "business_profile", "message": "We bake bread", "clientMessageId": "first"}, first},
		{"with no answers", map[string]any{"sessionId": id, "message": "We bake bread", "clientMessageId": "first", "answers": map[string]any{}}, first},
		{"by the context after the session", map[string]any{"contextType": "business_profile", "message": "About that", "clientMessageId": "second", "answers": json.RawMessage(`{"annual_revenue":{"max":2,"min":1}}`)}, second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(raws(tt.want), raws(w.stream(request{path: chatPath, body: tt.body}).rest())); diff != "" {
				t.Errorf("events (-first +again):\n%s", diff)
			}
		})
	}
	for name, body := range map[string]map[string]any{
		"other answers": {"sessionId": id, "message": "About that", "clientMessageId": "second", "answers": json.RawMessage(`{"annual_revenue":{"min":1,"max":3}}`)},
		"no answers":    {"sessionId": id, "message": "About that", "clientMessageId": "second"},
		"other text":    {"sessionId": id, "message": "We bake cakes", "clientMessageId": "first"},
	} {
		if p := fetch[problem](w, http.StatusUnprocessableEntity, request{path: chatPath, body: body}); p.Code != "idempotency_mismatch" {
			t.Errorf("%s: code %s, want idempotency_mismatch", name, p.Code)
		}
	}
	other := map[string]any{"sessionId": id, "contextType": "idea_discovery", "message": "We bake bread", "clientMessageId": "first"}
	if p := fetch[problem](w, http.StatusUnprocessableEntity, request{path: chatPath, body: other}); p.Code != "context_type_mismatch" {
		t.Errorf("another context: code %s, want context_type_mismatch", p.Code)
	}
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("repeating changed tables:\n%s", diff)
	}
}

func TestRepeatedRequestJoinsATurnThatRuns(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: "What do you bake, and for whom?", PieceDelay: 150 * time.Millisecond})
	model.OnUnderstand(llmtest.Reply{JSON: heardNothing})
	w := open(t, terms{model: model})
	q := request{path: chatPath, body: turnBody{ContextType: "business_profile", Message: "We bake", ClientMessageID: "slow"}}
	first := w.stream(q)
	begun := first.until(sessions.KindDelta)

	again := w.stream(q).rest()
	events := append(begun, first.rest()...)

	if diff := cmp.Diff(raws(lasting(events)), raws(lasting(again))); diff != "" {
		t.Errorf("events (-first +again):\n%s", diff)
	}
	if len(pick(again, sessions.KindDelta)) == 0 {
		t.Error("who joined saw no piece of the reply")
	}
}

// R6: whatever the network does to one message, it has one effect.
func TestTwoHundredParallelDoublesHaveOneEffect(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	q := request{path: chatPath, body: turnBody{ContextType: "business_profile", Message: "We bake bread for cafés", ClientMessageID: uuid.NewString()}}
	const doubles = 200
	answers := make([][]string, doubles)
	var wg sync.WaitGroup
	for i := range doubles {
		wg.Go(func() {
			if resp, err := http.DefaultTransport.RoundTrip(w.build(q)); err == nil {
				answers[i] = raws(lasting((&stream{t, newLines(resp.Body)}).rest()))
				_ = resp.Body.Close()
			}
		})
	}
	wg.Wait()

	for i, got := range answers {
		if diff := cmp.Diff(answers[0], got); diff != "" || len(got) == 0 {
			t.Fatalf("request %d got other events (-first +this):\n%s", i, diff)
		}
	}
	super := postgrestest.Superuser(t, w.pool)
	for table, want := range map[string]int{"elicitation_sessions": 1, "turns": 1, "messages": 2} {
		var n int
		if err := super.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != want {
			t.Errorf("%s holds %d rows (%v), want %d", table, n, err, want)
		}
	}
}

// Two first messages of one person at once must not make two sessions.
func TestParallelFirstMessagesMakeOneSession(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			body := turnBody{ContextType: "business_profile", Message: "We bake bread", ClientMessageID: string(rune('a' + i))}
			if resp, err := http.DefaultTransport.RoundTrip(w.build(request{path: chatPath, body: body})); err == nil {
				(&stream{t, newLines(resp.Body)}).rest()
				_ = resp.Body.Close()
			}
		})
	}
	wg.Wait()

	if list := fetch[page[sessionBody]](w, http.StatusOK, request{path: "/api/v1/sessions"}); len(list.Items) != 1 {
		t.Errorf("there are %d sessions, want 1", len(list.Items))
	}
}
