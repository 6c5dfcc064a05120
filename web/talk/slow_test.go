package talk_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// A tab on a bad line reads byte by byte, and nothing at all while another tab sees a whole
// turn. The turn and the other tab do not wait for it, and it still gets every event once.
func TestSlowReaderGetsAllAndHoldsUpNobody(t *testing.T) {
	t.Parallel()

	const headers = 900 // of the answer; the reader stops soon after them
	long := strings.Repeat("We bake bread. ", 2500)
	readers := map[string]func(t *testing.T, w *webtest.World, id string, gate <-chan struct{}) func() []webtest.Told{
		"stream": func(t *testing.T, w *webtest.World, id string, gate <-chan struct{}) func() []webtest.Told {
			resp, err := w.Drip(headers, gate).RoundTrip(w.Build(webtest.Request{Path: "/api/v1/sessions/" + id + "/events"}))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = resp.Body.Close() })
			return func() []webtest.Told {
				return (&webtest.Stream{T: t, Lines: webtest.NewLines(resp.Body)}).Until("done")
			}
		},
		"socket": func(t *testing.T, w *webtest.World, id string, gate <-chan struct{}) func() []webtest.Told {
			client := &http.Client{Transport: w.Drip(headers, gate)}
			conn, _, err := websocket.Dial(t.Context(), w.SocketURL(id), &websocket.DialOptions{HTTPClient: client})
			if err != nil {
				t.Fatal(err)
			}
			conn.SetReadLimit(1 << 20)
			t.Cleanup(func() { _ = conn.CloseNow() })
			return func() []webtest.Told { return (&webtest.Socket{T: t, Ctx: t.Context(), Conn: conn}).Until("done") }
		},
	}
	for name, attach := range readers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			w := webtest.Open(t, webtest.Terms{Model: slow(t, strings.Repeat("One thing after the other, then. ", 20), time.Millisecond)})
			far, _ := w.Narrow()
			made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
			gate := make(chan struct{})
			read := attach(t, far, made.ID, gate)
			tab := w.Stream(webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/events"})

			said := w.Say(talk.TurnBody{SessionID: made.ID, Message: long})
			quick := tab.Until("done") // the slow one has read nothing of it yet
			close(gate)
			got := read()

			for who, seen := range map[string][]webtest.Told{"quick": quick, "slow": got} {
				if diff := cmp.Diff(webtest.Raws(webtest.Lasting(said)), webtest.Raws(webtest.Lasting(seen))); diff != "" {
					t.Errorf("the %s tab (-said +seen):\n%.2000s", who, diff)
				}
				if text := spoken(t, seen); text != content(said) {
					t.Errorf("the %s tab saw the pieces %q of %q", who, text, content(said))
				}
			}
			rising(t, got)
		})
	}
}

// Readers that never read cost little memory, delay nobody and are disconnected. The test
// does not run in parallel, because it measures memory.
func TestReadersThatNeverReadAreLetGo(t *testing.T) {
	const each, turns, mayHold = 10, 40, 12 << 20
	w := webtest.Open(t, webtest.Terms{Model: slow(t, "One thing after the other, then.", 0)})
	far, closed := w.Narrow()
	alone := w.Begin("business_profile")
	watched := w.Begin("business_profile")

	usual := w.Grows(alone, turns)
	for range each {
		far.NeverReadStream(watched)
		far.NeverReadSocket(watched)
	}
	grown := w.Grows(watched, turns)
	talked := time.Now()
	deadline := time.After(webtest.Patience)
	for i := range 2 * each {
		select {
		case <-closed:
		case <-deadline:
			t.Fatalf("%d of %d readers were let go within %v", i, 2*each, webtest.Patience)
		}
	}

	// If every reader had a copy of what it does not read, they would take 48 MB.
	if grown-usual > mayHold {
		t.Errorf("%d readers that never read made the heap grow by %d bytes, want at most %d", 2*each, grown-usual, mayHold)
	}
	if took := time.Since(talked); took > web.WriteDeadline+webtest.Patience/3 {
		t.Errorf("the last of them was let go %v after the last turn, want at most about %v", took, web.WriteDeadline)
	}
	if n := len(webtest.Pick(w.Stream(webtest.Request{Path: "/api/v1/sessions/" + watched + "/events"}).Turns(turns+1), sessions.KindDone)); n != turns+1 {
		t.Errorf("%d turns are in the log, want %d", n, turns+1)
	}
}
