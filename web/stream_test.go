package web

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"quaestor/internal/llm/llmtest"
	"quaestor/sessions"
)

// slow returns a model that speaks slowly enough for a test to act mid-sentence.
func slow(t testing.TB, text string, pause time.Duration) *llmtest.Server {
	t.Helper()
	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: text, PieceDelay: pause})
	model.OnUnderstand(llmtest.Reply{JSON: heardNothing})
	return model
}

// spoken is the reply as its pieces make it.
func spoken(t testing.TB, events []told) string {
	t.Helper()
	text, attempt := "", 0.0
	for _, e := range pick(events, sessions.KindDelta) {
		if e.ID != "" {
			t.Errorf("a piece carries the id %s", e.ID)
		}
		if a, _ := e.Data["attempt"].(float64); a > attempt {
			attempt, text = a, ""
		}
		at := int(e.Data["offset"].(float64))
		if at > len(text) {
			t.Fatalf("a piece begins at %d, the reply has %d characters", at, len(text))
		}
		text = text[:at] + e.Data["content"].(string)
	}
	return text
}

func content(events []told) string {
	for _, e := range pick(events, sessions.KindMessage) {
		return e.Data["content"].(string)
	}
	return ""
}

func TestTurnIsOneStreamFromSessionToDone(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	events := w.say(turnBody{ContextType: "business_profile"})

	if first, last := events[0], events[len(events)-1]; first.Type != "session" || last.Type != "done" || last.Data["reason"] != "answered" {
		t.Errorf("the stream goes from %s to %s", first.Raw, last.Raw)
	}
	if events[0].Data["contextType"] != "business_profile" || events[0].Data["turn"] != 1.0 {
		t.Errorf("first event %s", events[0].Raw)
	}
	if got, want := spoken(t, events), content(events); got != want || want == "" {
		t.Errorf("pieces make %q, message %q", got, want)
	}
	for _, kind := range []sessions.Kind{"question", "completeness"} {
		if len(pick(events, kind)) != 1 {
			t.Errorf("%d events %s, want 1", len(pick(events, kind)), kind)
		}
	}
	rising(t, events)
}

func rising(t testing.TB, events []told) {
	t.Helper()
	last := 0
	for _, e := range lasting(events) {
		n, err := strconv.Atoi(e.ID)
		if err != nil || n <= last {
			t.Fatalf("id %q after %d", e.ID, last)
		}
		last = n
	}
}

// The request leaves the context type out: the event names it all the same.
func TestSessionEventAlwaysNamesTheContext(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("idea_discovery")

	events := w.say(turnBody{SessionID: id, Message: `an app 0,"contextType":"" for "cooks"`})

	if got := events[0]; got.Data["contextType"] != "idea_discovery" || got.Data["message"] != `an app 0,"contextType":"" for "cooks"` {
		t.Errorf("first event %s", got.Raw)
	}
}

func TestTwoTabsSeeTheSame(t *testing.T) {
	t.Parallel()

	w := open(t, terms{model: slow(t, "One thing after the other, then.", 30*time.Millisecond)})
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	events := request{path: "/api/v1/sessions/" + made.ID + "/events"}
	one, two := w.stream(events), w.stream(events)

	said := w.say(turnBody{SessionID: made.ID, Message: "We bake bread"})
	first, second := one.until("done"), two.until("done")

	want := raws(lasting(said))
	for name, got := range map[string][]told{"first": first, "second": second} {
		if diff := cmp.Diff(want, raws(lasting(got))); diff != "" {
			t.Errorf("%s tab (-said +seen):\n%s", name, diff)
		}
		if text := spoken(t, got); text != content(said) {
			t.Errorf("%s tab saw the pieces %q of %q", name, text, content(said))
		}
	}
}

func TestClosedTabDoesNotStopTheTurn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{model: slow(t, "One thing after the other, then?", 30*time.Millisecond)})
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	leave(w, request{path: chatPath, body: turnBody{SessionID: made.ID, Message: "We bake bread"}})

	events := w.stream(request{path: "/api/v1/sessions/" + made.ID + "/events"}).until("done")

	if got := content(events); got != "One thing after the other, then?" {
		t.Errorf("the reply is %q", got)
	}
}

// leave makes a request and goes away after the first piece of the answer.
func leave(w *world, q request) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	resp, err := http.DefaultTransport.RoundTrip(w.build(q).WithContext(ctx))
	if err != nil {
		w.t.Fatal(err)
	}
	(&stream{w.t, newLines(resp.Body)}).until("delta")
	cancel()
	_ = resp.Body.Close()
}

func TestReloadGoesOnWhereItWas(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	w.say(turnBody{SessionID: id, Message: "We bake bread for cafés"})
	path := "/api/v1/sessions/" + id + "/events"
	all := raws(lasting(append(w.stream(request{path: path}).until("done"), nextTurn(w, path)...)))

	for cut := range all {
		seen := ""
		if cut > 0 {
			seen, _, _ = strings.Cut(all[cut-1], " ")
		}
		for _, q := range []request{{path: path, header: map[string]string{"Last-Event-ID": seen}}, {path: path + "?after=" + seen}} {
			s := w.stream(q)
			var got []string
			for range all[cut:] {
				e, ok := s.next()
				if !ok {
					t.Fatalf("the stream after %q ended early", seen)
				}
				got = append(got, e.ID+" "+e.Raw)
			}
			if diff := cmp.Diff(all[cut:], got); diff != "" {
				t.Errorf("after %q (-all +got):\n%s", seen, diff)
			}
		}
	}
}

// nextTurn returns the second turn's events of a log.
func nextTurn(w *world, path string) []told {
	s := w.stream(request{path: path})
	s.until("done")
	return s.until("done")
}

func TestMidSentenceReloadOnAnotherInstance(t *testing.T) {
	t.Parallel()

	model := slow(t, "One thing after the other, slowly, and then the rest of it.", 150*time.Millisecond)
	here := open(t, terms{model: model})
	there := open(t, terms{model: model, pool: here.pool})
	made := fetch[sessionBody](here, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	running := here.stream(request{path: chatPath, body: turnBody{SessionID: made.ID, Message: "We bake bread"}})
	begun := running.until("delta")

	seen := there.stream(request{path: "/api/v1/sessions/" + made.ID + "/events", header: map[string]string{"Last-Event-ID": begun[0].ID}}).until("done")
	said := append(begun, running.rest()...)

	if diff := cmp.Diff(raws(lasting(said))[1:], raws(lasting(seen))); diff != "" {
		t.Errorf("events (-here +there):\n%s", diff)
	}
	if len(pick(seen, "delta")) < 2 || !strings.HasPrefix(content(said), spoken(t, seen)) {
		t.Errorf("%d pieces made %q of %q", len(pick(seen, "delta")), spoken(t, seen), content(said))
	}
}

func TestStopFromTheOtherInstanceKeepsWhatWasSaid(t *testing.T) {
	t.Parallel()

	model := slow(t, "One thing after the other, slowly, and then the rest of it, which never comes.", 200*time.Millisecond)
	here := open(t, terms{model: model})
	there := open(t, terms{model: model, pool: here.pool})
	made := fetch[sessionBody](here, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	running := here.stream(request{path: chatPath, body: turnBody{SessionID: made.ID, Message: "We bake bread"}})
	begun := running.until("delta")

	if resp := there.do(request{method: http.MethodPost, path: "/api/v1/sessions/" + made.ID + "/turns/1/stop"}); resp.StatusCode != http.StatusAccepted {
		t.Fatalf("stop answered %d", resp.StatusCode)
	}
	events := append(begun, running.until("done")...)

	if got := events[len(events)-1].Data["reason"]; got != "stopped" {
		t.Errorf("the turn ended with %v, want stopped", got)
	}
	list := fetch[page[messageBody]](there, http.StatusOK, request{path: "/api/v1/sessions/" + made.ID + "/messages"}).Items
	if len(list) != 2 || list[0].Content != "We bake bread" || list[1].Complete || !strings.HasPrefix("One thing after the other, slowly, and then the", list[1].Content) || list[1].Content != content(events) {
		t.Errorf("transcript %+v", list)
	}
	if got := fetch[turnBodyOut](there, http.StatusOK, request{path: "/api/v1/sessions/" + made.ID + "/turns/1"}); got.Status != sessions.TurnStopped {
		t.Errorf("the turn is %s, want stopped", got.Status)
	}
}

// R7: people lose their connections at random, over both protocols, and see every
// event once, in order; what they saw of a reply is the reply.
func TestThousandRandomDisconnects(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	written := make(chan int, 1)
	go func() {
		turns := 1
		for _, m := range talk {
			w.say(turnBody{SessionID: id, Message: m})
			turns++
		}
		written <- turns
	}()
	turns := 0
	var got []told
	for cut := 0; cut < 1000 || turns == 0 || len(pick(got, "done")) < turns; cut++ {
		read := w.glimpse
		if cut%2 == 1 {
			read = w.glimpseSocket
		}
		got = append(got, read(id, lastID(got), rand.IntN(6))...)
		select {
		case turns = <-written:
		default:
		}
		if cut > 20000 {
			t.Fatalf("%d of %d turns were seen to end after %d disconnects", len(pick(got, "done")), turns, cut)
		}
	}

	want := lasting(w.stream(request{path: "/api/v1/sessions/" + id + "/events"}).turns(turns))
	if diff := cmp.Diff(raws(want), raws(lasting(got))); diff != "" {
		t.Errorf("events (-log +seen):\n%s", diff)
	}
}

// talk is what a person says who is asked about their business.
var talk = []string{"We bake bread at night and deliver it to forty cafés", "food and drink", "why do you ask?", "no, actually we are in hospitality",
	"cafés within an hour's drive", "they need fresh bread before six", "skip", "I don't know", "how far are we?", "yes"}

// turns reads until that many turns have ended.
func (s *stream) turns(n int) []told {
	s.t.Helper()
	var out []told
	for range n {
		out = append(out, s.until("done")...)
	}
	return out
}

func lastID(events []told) string {
	if all := lasting(events); len(all) > 0 {
		return all[len(all)-1].ID
	}
	return "0"
}

// glimpse reads at most n events, or as many as come within a moment, and leaves.
func (w *world) glimpse(id, after string, n int) []told {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Millisecond)
	defer cancel()
	q := request{path: "/api/v1/sessions/" + id + "/events", header: map[string]string{"Last-Event-ID": after}}
	resp, err := http.DefaultTransport.RoundTrip(w.build(q).WithContext(ctx))
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	s := &stream{w.t, newLines(resp.Body)}
	var out []told
	for range n {
		e, ok := s.next()
		if !ok {
			break
		}
		out = append(out, e)
	}
	return out
}

// glimpseSocket is glimpse over a websocket.
func (w *world) glimpseSocket(id, after string, n int) []told {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Millisecond)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, w.socketURL(id)+"?after="+after, nil)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.CloseNow() }()
	var out []told
	for range n {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			break
		}
		out = append(out, fromFrame(w.t, raw))
	}
	return out
}

func (w *world) socketURL(id string) string {
	return strings.Replace(w.url, "http", "ws", 1) + "/api/v1/sessions/" + id + "/socket"
}

// fromFrame reads a websocket frame as the event of a stream it stands for.
func fromFrame(t testing.TB, raw []byte) told {
	t.Helper()
	e := told{Raw: string(raw)}
	if err := json.Unmarshal(raw, &e.Data); err != nil {
		t.Fatalf("frame %s: %v", raw, err)
	}
	e.Type = sessions.Kind(fmt.Sprint(e.Data["type"]))
	if seq, ok := e.Data["seq"].(float64); ok {
		e.ID = strconv.Itoa(int(seq))
		e.Raw = strings.Replace(e.Raw, `"seq":`+e.ID+`,`, "", 1)
	}
	return e
}
