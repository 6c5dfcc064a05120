package talk_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/llm/llmtest"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// slow returns a model that replies so slowly that a test can act in the middle.
func slow(t testing.TB, text string, pause time.Duration) *llmtest.Server {
	t.Helper()
	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: text, PieceDelay: pause})
	model.OnUnderstand(llmtest.Reply{JSON: webtest.HeardNothing})
	return model
}

// spoken returns the reply that the pieces make up.
func spoken(t testing.TB, events []webtest.Told) string {
	t.Helper()
	text, attempt := "", 0.0
	for _, e := range webtest.Pick(events, sessions.KindDelta) {
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

func content(events []webtest.Told) string {
	for _, e := range webtest.Pick(events, sessions.KindMessage) {
		return e.Data["content"].(string)
	}
	return ""
}

func TestTurnIsOneStreamFromSessionToDone(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	events := w.Say(talk.TurnBody{ContextType: "business_profile"})

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
		if len(webtest.Pick(events, kind)) != 1 {
			t.Errorf("%d events %s, want 1", len(webtest.Pick(events, kind)), kind)
		}
	}
	rising(t, events)
}

func rising(t testing.TB, events []webtest.Told) {
	t.Helper()
	last := 0
	for _, e := range webtest.Lasting(events) {
		n, err := strconv.Atoi(e.ID)
		if err != nil || n <= last {
			t.Fatalf("id %q after %d", e.ID, last)
		}
		last = n
	}
}

// The event names the context type even when the request leaves it out.
func TestSessionEventAlwaysNamesTheContext(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")

	events := w.Say(talk.TurnBody{SessionID: id, Message: `an app 0,"contextType":"" for "cooks"`})

	if got := events[0]; got.Data["contextType"] != "idea_discovery" || got.Data["message"] != `an app 0,"contextType":"" for "cooks"` {
		t.Errorf("first event %s", got.Raw)
	}
}

func TestTwoTabsSeeTheSame(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Model: slow(t, "One thing after the other, then.", 30*time.Millisecond)})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	events := webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/events"}
	one, two := w.Stream(events), w.Stream(events)

	said := w.Say(talk.TurnBody{SessionID: made.ID, Message: "We bake bread"})
	first, second := one.Until("done"), two.Until("done")

	want := webtest.Raws(webtest.Lasting(said))
	for name, got := range map[string][]webtest.Told{"first": first, "second": second} {
		if diff := cmp.Diff(want, webtest.Raws(webtest.Lasting(got))); diff != "" {
			t.Errorf("%s tab (-said +seen):\n%s", name, diff)
		}
		if text := spoken(t, got); text != content(said) {
			t.Errorf("%s tab saw the pieces %q of %q", name, text, content(said))
		}
	}
}

func TestClosedTabDoesNotStopTheTurn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Model: slow(t, "One thing after the other, then?", 30*time.Millisecond)})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	leave(w, webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: made.ID, Message: "We bake bread"}})

	events := w.Stream(webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/events"}).Until("done")

	if got := content(events); !strings.HasPrefix(got, "One thing after the other, then?") {
		t.Errorf("the reply is %q", got)
	}
}

// leave sends a request and closes the connection after the first piece of the reply.
func leave(w *webtest.World, q webtest.Request) {
	w.T.Helper()
	ctx, cancel := context.WithCancel(w.T.Context())
	defer cancel()
	resp, err := http.DefaultTransport.RoundTrip(w.Build(q).WithContext(ctx))
	if err != nil {
		w.T.Fatal(err)
	}
	(&webtest.Stream{T: w.T, Lines: webtest.NewLines(resp.Body)}).Until("delta")
	cancel()
	_ = resp.Body.Close()
}

func TestReloadGoesOnWhereItWas(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	w.Say(talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town"})
	path := "/api/v1/sessions/" + id + "/events"
	all := webtest.Raws(webtest.Lasting(append(w.Stream(webtest.Request{Path: path}).Until("done"), nextTurn(w, path)...)))

	for cut := range all {
		seen := ""
		if cut > 0 {
			seen, _, _ = strings.Cut(all[cut-1], " ")
		}
		for _, q := range []webtest.Request{{Path: path, Header: map[string]string{"Last-Event-ID": seen}}, {Path: path + "?after=" + seen}} {
			s := w.Stream(q)
			var got []string
			for range all[cut:] {
				e, ok := s.Next()
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

// nextTurn returns the events of the second turn of a log.
func nextTurn(w *webtest.World, path string) []webtest.Told {
	s := w.Stream(webtest.Request{Path: path})
	s.Until("done")
	return s.Until("done")
}

func TestMidSentenceReloadOnAnotherInstance(t *testing.T) {
	t.Parallel()

	model := slow(t, "One thing after the other, slowly, and then the rest of it.", 150*time.Millisecond)
	here := webtest.Open(t, webtest.Terms{Model: model})
	there := webtest.Open(t, webtest.Terms{Model: model, Pool: here.Pool})
	made := webtest.Fetch[web.SessionBody](here, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	running := here.Stream(webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: made.ID, Message: "We bake bread"}})
	begun := running.Until("delta")

	seen := there.Stream(webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/events", Header: map[string]string{"Last-Event-ID": begun[0].ID}}).Until("done")
	said := append(begun, running.Rest()...)

	if diff := cmp.Diff(webtest.Raws(webtest.Lasting(said))[1:], webtest.Raws(webtest.Lasting(seen))); diff != "" {
		t.Errorf("events (-here +there):\n%s", diff)
	}
	if len(webtest.Pick(seen, "delta")) < 2 || !strings.HasPrefix(content(said), spoken(t, seen)) {
		t.Errorf("%d pieces made %q of %q", len(webtest.Pick(seen, "delta")), spoken(t, seen), content(said))
	}
}

func TestStopFromTheOtherInstanceKeepsWhatWasSaid(t *testing.T) {
	t.Parallel()

	model := slow(t, "One thing after the other, slowly, and then the rest of it, which never comes.", 200*time.Millisecond)
	here := webtest.Open(t, webtest.Terms{Model: model})
	there := webtest.Open(t, webtest.Terms{Model: model, Pool: here.Pool})
	made := webtest.Fetch[web.SessionBody](here, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	running := here.Stream(webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: made.ID, Message: "We bake bread"}})
	begun := running.Until("delta")

	if resp := there.Do(webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + made.ID + "/turns/1/stop"}); resp.StatusCode != http.StatusAccepted {
		t.Fatalf("stop answered %d", resp.StatusCode)
	}
	events := append(begun, running.Until("done")...)

	if got := events[len(events)-1].Data["reason"]; got != "stopped" {
		t.Errorf("the turn ended with %v, want stopped", got)
	}
	list := webtest.Fetch[web.Page[web.MessageBody]](there, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/messages"}).Items
	if len(list) != 2 || list[0].Content != "We bake bread" || list[1].Complete || !strings.HasPrefix("One thing after the other, slowly, and then the", list[1].Content) || list[1].Content != content(events) {
		t.Errorf("transcript %+v", list)
	}
	if got := webtest.Fetch[talk.TurnBodyOut](there, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/turns/1"}); got.Status != sessions.TurnStopped {
		t.Errorf("the turn is %s, want stopped", got.Status)
	}
}

// Requirement R7: readers who lose their connections at random, over both protocols, see
// every event once and in order.
func TestThousandRandomDisconnects(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	written := make(chan int, 1)
	go func() {
		turns := 1
		for _, m := range talkLines {
			w.Say(talk.TurnBody{SessionID: id, Message: m})
			turns++
		}
		written <- turns
	}()
	turns := 0
	var got []webtest.Told
	for cut := 0; cut < 1000 || turns == 0 || len(webtest.Pick(got, "done")) < turns; cut++ {
		read := w.Glimpse
		if cut%2 == 1 {
			read = w.GlimpseSocket
		}
		got = append(got, read(id, lastID(got), rand.IntN(6))...)
		select {
		case turns = <-written:
		default:
		}
		if cut > 20000 {
			t.Fatalf("%d of %d turns were seen to end after %d disconnects", len(webtest.Pick(got, "done")), turns, cut)
		}
	}

	want := webtest.Lasting(w.Stream(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"}).Turns(turns))
	if diff := cmp.Diff(webtest.Raws(want), webtest.Raws(webtest.Lasting(got))); diff != "" {
		t.Errorf("events (-log +seen):\n%s", diff)
	}
}

// talkLines is what a person answers in an interview about their business.
var talkLines = []string{"We bake bread at night and deliver it to forty cafés", "food and drink", "why do you ask?", "no, actually we are in hospitality",
	"cafés within an hour's drive", "they need fresh bread before six", "skip", "I don't know", "how far are we?", "yes"}

func lastID(events []webtest.Told) string {
	if all := webtest.Lasting(events); len(all) > 0 {
		return all[len(all)-1].ID
	}
	return "0"
}
