package talk_test

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
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestRepeatedRequestBringsTheSameEventsAgain(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	first := webtest.Lasting(w.Say(talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town", ClientMessageID: "m-1"}))
	w.Say(talk.TurnBody{SessionID: id, Message: "It is the food industry", ClientMessageID: "m-2"})
	before := w.Fingerprint()

	cases := []struct {
		name    string
		request webtest.Request
	}{
		{"in its session", webtest.Request{Path: webtest.ChatPath, Body: webtest.Plain(talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town", ClientMessageID: "m-1"})}},
		{"with spaces around", webtest.Request{Path: webtest.ChatPath, Body: webtest.Plain(talk.TurnBody{SessionID: id, Message: " We bake bread for the cafés in our town\n", ClientMessageID: "m-1"})}},
		{"by the header", webtest.Request{Path: webtest.ChatPath, Body: webtest.Plain(talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town"}), Header: map[string]string{"Idempotency-Key": "m-1"}}},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := w.Do(tt.request).Header.Get("Idempotency-Replayed"); got != "true" {
				t.Errorf("Idempotency-Replayed is %q, want true", got)
			}
			if diff := cmp.Diff(webtest.Raws(first), webtest.Raws(w.Stream(tt.request).Rest())); diff != "" {
				t.Errorf("events (-first +again):\n%s", diff)
			}
		})
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("repeating changed tables:\n%s", diff)
	}
}

func TestRepeatedFirstMessageFindsItsSession(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	body := talk.TurnBody{ContextType: "business_profile", Message: "We bake bread", ClientMessageID: "first"}

	first, again := webtest.Lasting(w.Say(body)), webtest.Lasting(w.Say(body))

	if diff := cmp.Diff(webtest.Raws(first), webtest.Raws(again)); diff != "" {
		t.Errorf("events (-first +again):\n%s", diff)
	}
}

// A repeated message is recognised by its content, however it names its session.
func TestRepeatedRequestIsTheSameHoweverItNamesItsSession(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	opened := webtest.Request{Path: webtest.ChatPath, Body: map[string]any{"contextType": "business_profile", "message": "We bake bread", "clientMessageId": "first"}}
	first := webtest.Lasting(w.Stream(opened).Rest())
	id := first[0].Data["sessionId"]
	ranged := map[string]any{"sessionId": id, "message": "About that", "clientMessageId": "second", "answers": json.RawMessage(`{"annual_revenue": {"min": 1, "max": 2}}`)}
	second := webtest.Lasting(w.Stream(webtest.Request{Path: webtest.ChatPath, Body: ranged}).Rest())
	before := w.Fingerprint()

	for _, tt := range []struct {
		name string
		body map[string]any
		want []webtest.Told
	}{
		{"by the session", map[string]any{"sessionId": id, "message": "We bake bread", "clientMessageId": "first"}, first},
		{"by both", map[string]any{"sessionId": id, "contextType": "business_profile", "message": "We bake bread", "clientMessageId": "first"}, first},
		{"with no answers", map[string]any{"sessionId": id, "message": "We bake bread", "clientMessageId": "first", "answers": map[string]any{}}, first},
		{"by the context after the session", map[string]any{"contextType": "business_profile", "message": "About that", "clientMessageId": "second", "answers": json.RawMessage(`{"annual_revenue":{"max":2,"min":1}}`)}, second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(webtest.Raws(tt.want), webtest.Raws(w.Stream(webtest.Request{Path: webtest.ChatPath, Body: tt.body}).Rest())); diff != "" {
				t.Errorf("events (-first +again):\n%s", diff)
			}
		})
	}
	for name, body := range map[string]map[string]any{
		"other answers": {"sessionId": id, "message": "About that", "clientMessageId": "second", "answers": json.RawMessage(`{"annual_revenue":{"min":1,"max":3}}`)},
		"no answers":    {"sessionId": id, "message": "About that", "clientMessageId": "second"},
		"other text":    {"sessionId": id, "message": "We bake cakes", "clientMessageId": "first"},
	} {
		if p := webtest.Fetch[web.Problem](w, http.StatusUnprocessableEntity, webtest.Request{Path: webtest.ChatPath, Body: body}); p.Code != "idempotency_mismatch" {
			t.Errorf("%s: code %s, want idempotency_mismatch", name, p.Code)
		}
	}
	other := map[string]any{"sessionId": id, "contextType": "idea_discovery", "message": "We bake bread", "clientMessageId": "first"}
	if p := webtest.Fetch[web.Problem](w, http.StatusUnprocessableEntity, webtest.Request{Path: webtest.ChatPath, Body: other}); p.Code != "context_type_mismatch" {
		t.Errorf("another context: code %s, want context_type_mismatch", p.Code)
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("repeating changed tables:\n%s", diff)
	}
}

func TestRepeatedRequestJoinsATurnThatRuns(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: "That must begin long before the town is awake. What do you bake?", PieceDelay: 150 * time.Millisecond})
	model.OnUnderstand(llmtest.Reply{JSON: webtest.HeardNothing})
	w := webtest.Open(t, webtest.Terms{Model: model})
	q := webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{ContextType: "business_profile", Message: "We bake", ClientMessageID: "slow"}}
	first := w.Stream(q)
	begun := first.Until(sessions.KindDelta)

	again := w.Stream(q).Rest()
	events := append(begun, first.Rest()...)

	if diff := cmp.Diff(webtest.Raws(webtest.Lasting(events)), webtest.Raws(webtest.Lasting(again))); diff != "" {
		t.Errorf("events (-first +again):\n%s", diff)
	}
	if len(webtest.Pick(again, sessions.KindDelta)) == 0 {
		t.Error("who joined saw no piece of the reply")
	}
}

// Requirement R6: however often the network repeats a message, it has one effect.
func TestTwoHundredParallelDoublesHaveOneEffect(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	q := webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{ContextType: "business_profile", Message: "We bake bread for the cafés in our town", ClientMessageID: uuid.NewString()}}
	const doubles = 200
	answers := make([][]string, doubles)
	var wg sync.WaitGroup
	for i := range doubles {
		wg.Go(func() {
			if resp, err := http.DefaultTransport.RoundTrip(w.Build(q)); err == nil {
				answers[i] = webtest.Raws(webtest.Lasting((&webtest.Stream{T: t, Lines: webtest.NewLines(resp.Body)}).Rest()))
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
	super := postgrestest.Superuser(t, w.Pool)
	for table, want := range map[string]int{"elicitation_sessions": 1, "turns": 1, "messages": 2} {
		var n int
		if err := super.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != want {
			t.Errorf("%s holds %d rows (%v), want %d", table, n, err, want)
		}
	}
}

// Two first messages that a person sends at the same time must not create two sessions.
func TestParallelFirstMessagesMakeOneSession(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			body := talk.TurnBody{ContextType: "business_profile", Message: "We bake bread", ClientMessageID: string(rune('a' + i))}
			if resp, err := http.DefaultTransport.RoundTrip(w.Build(webtest.Request{Path: webtest.ChatPath, Body: body})); err == nil {
				(&webtest.Stream{T: t, Lines: webtest.NewLines(resp.Body)}).Rest()
				_ = resp.Body.Close()
			}
		})
	}
	wg.Wait()

	if list := webtest.Fetch[web.Page[web.SessionBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions"}); len(list.Items) != 1 {
		t.Errorf("there are %d sessions, want 1", len(list.Items))
	}
}
