package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"quaestor/sessions"
)

// narrowBytes is what connections of these tests hold at each end, as far as the
// system lets them be that small.
const narrowBytes = 4 << 10

// narrow is the world behind connections that hold little, and what tells when one of
// them was closed: a stream outlives the request it was asked for by.
func (w *world) narrow() (*world, <-chan struct{}) {
	w.t.Helper()
	closed := make(chan struct{}, 100)
	srv := httptest.NewUnstartedServer(w.server.Handler())
	srv.Listener = narrowListener{srv.Listener, closed}
	srv.Start()
	w.t.Cleanup(srv.Close)
	other := *w
	other.url = srv.URL
	return &other, closed
}

type narrowListener struct {
	net.Listener
	closed chan<- struct{}
}

func (l narrowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(narrowBytes)
	}
	return &narrowConn{Conn: c, closed: l.closed}, err
}

type narrowConn struct {
	net.Conn
	once   sync.Once
	closed chan<- struct{}
}

func (c *narrowConn) Close() error {
	c.once.Do(func() { c.closed <- struct{}{} })
	return c.Conn.Close()
}

// dripConn brings one byte at a time. After the first few it brings none until
// the gate opens.
type dripConn struct {
	net.Conn
	left int
	gate <-chan struct{}
}

func (c *dripConn) Read(b []byte) (int, error) {
	if c.left--; c.left < 0 {
		<-c.gate
	}
	return c.Conn.Read(b[:1])
}

// dial connects a client that holds little.
func (w *world) dial(ctx context.Context) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetReadBuffer(narrowBytes)
}

// drip is the way of a client that reads byte by byte: first bytes of each
// connection at once, the rest when the gate opens.
func (w *world) drip(first int, gate <-chan struct{}) *http.Transport {
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := w.dial(ctx)
		return &dripConn{conn, first, gate}, err
	}}
	w.t.Cleanup(t.CloseIdleConnections)
	return t
}

// A tab on a bad line reads byte by byte, and nothing at all while another sees a
// whole turn: the turn and the other tab do not wait, and the slow one gets it
// all, once.
func TestSlowReaderGetsAllAndHoldsUpNobody(t *testing.T) {
	t.Parallel()

	const headers = 900 // of the answer; the reader stops soon after them
	long := strings.Repeat("We bake bread. ", 2500)
	readers := map[string]func(t *testing.T, w *world, id string, gate <-chan struct{}) func() []told{
		"stream": func(t *testing.T, w *world, id string, gate <-chan struct{}) func() []told {
			resp, err := w.drip(headers, gate).RoundTrip(w.build(request{path: "/api/v1/sessions/" + id + "/events"}))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = resp.Body.Close() })
			return func() []told { return (&stream{t, newLines(resp.Body)}).until("done") }
		},
		"socket": func(t *testing.T, w *world, id string, gate <-chan struct{}) func() []told {
			client := &http.Client{Transport: w.drip(headers, gate)}
			conn, _, err := websocket.Dial(t.Context(), w.socketURL(id), &websocket.DialOptions{HTTPClient: client})
			if err != nil {
				t.Fatal(err)
			}
			conn.SetReadLimit(1 << 20)
			t.Cleanup(func() { _ = conn.CloseNow() })
			return func() []told { return (&socket{t, t.Context(), conn}).until("done") }
		},
	}
	for name, attach := range readers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			w := open(t, terms{model: slow(t, strings.Repeat("One thing after the other, then. ", 20), time.Millisecond)})
			far, _ := w.narrow()
			made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
			gate := make(chan struct{})
			read := attach(t, far, made.ID, gate)
			tab := w.stream(request{path: "/api/v1/sessions/" + made.ID + "/events"})

			said := w.say(turnBody{SessionID: made.ID, Message: long})
			quick := tab.until("done") // the slow one has read nothing of it yet
			close(gate)
			got := read()

			for who, seen := range map[string][]told{"quick": quick, "slow": got} {
				if diff := cmp.Diff(raws(lasting(said)), raws(lasting(seen))); diff != "" {
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

// Readers that never read cost little, hold up nobody and are let go. Not in
// parallel: it measures memory.
func TestReadersThatNeverReadAreLetGo(t *testing.T) {
	const each, turns, mayHold = 10, 40, 12 << 20
	w := open(t, terms{model: slow(t, "One thing after the other, then.", 0)})
	far, closed := w.narrow()
	alone := w.begin("business_profile")
	watched := w.begin("business_profile")

	usual := w.grows(alone, turns)
	for range each {
		far.neverReadStream(watched)
		far.neverReadSocket(watched)
	}
	grown := w.grows(watched, turns)
	talked := time.Now()
	deadline := time.After(patience)
	for i := range 2 * each {
		select {
		case <-closed:
		case <-deadline:
			t.Fatalf("%d of %d readers were let go within %v", i, 2*each, patience)
		}
	}

	// Copies of their own of what they do not read would be 48 MB.
	if grown-usual > mayHold {
		t.Errorf("%d readers that never read made the heap grow by %d bytes, want at most %d", 2*each, grown-usual, mayHold)
	}
	if took := time.Since(talked); took > writeDeadline+patience/3 {
		t.Errorf("the last of them was let go %v after the last turn, want at most about %v", took, writeDeadline)
	}
	if n := len(pick(w.stream(request{path: "/api/v1/sessions/" + watched + "/events"}).turns(turns+1), sessions.KindDone)); n != turns+1 {
		t.Errorf("%d turns are in the log, want %d", n, turns+1)
	}
}

// grows returns by how many bytes the heap grows while a session takes turns with
// long messages.
func (w *world) grows(id string, turns int) int {
	w.t.Helper()
	before, most := heap(), 0
	for i := range turns {
		w.say(turnBody{SessionID: id, Message: fmt.Sprint(i, strings.Repeat(" We bake bread.", 4000))})
		most = max(most, heap()-before)
	}
	return most
}

// heap is how many bytes are in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// neverReadStream asks for a session's events and reads nothing.
func (w *world) neverReadStream(id string) {
	w.t.Helper()
	conn, err := w.dial(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET /api/v1/sessions/%s/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", id); err != nil {
		w.t.Fatal(err)
	}
}

// neverReadSocket opens a session's websocket and reads nothing.
func (w *world) neverReadSocket(id string) {
	w.t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return w.dial(ctx) }}}
	conn, _, err := websocket.Dial(w.t.Context(), w.socketURL(id), &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.CloseNow() })
}
