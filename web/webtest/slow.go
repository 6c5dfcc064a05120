package webtest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"

	"github.com/coder/websocket"

	"quaestor/web/talk"
)

// narrowBytes is what connections of these tests hold at each end, as far as the
// system lets them be that small.
const narrowBytes = 4 << 10

// Narrow is the world behind connections that hold little, and what tells when one of
// them was closed: a stream outlives the request it was asked for by.
func (w *World) Narrow() (*World, <-chan struct{}) {
	w.T.Helper()
	closed := make(chan struct{}, 100)
	srv := httptest.NewUnstartedServer(w.Server.Handler())
	srv.Listener = narrowListener{srv.Listener, closed}
	srv.Start()
	w.T.Cleanup(srv.Close)
	other := *w
	other.URL = srv.URL
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
func (w *World) dial(ctx context.Context) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(w.URL, "http://"))
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetReadBuffer(narrowBytes)
}

// Drip is the way of a client that reads byte by byte: first bytes of each
// connection at once, the rest when the gate opens.
func (w *World) Drip(first int, gate <-chan struct{}) *http.Transport {
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := w.dial(ctx)
		return &dripConn{conn, first, gate}, err
	}}
	w.T.Cleanup(t.CloseIdleConnections)
	return t
}

// Grows returns by how many bytes the heap Grows while a session takes turns with
// long messages.
func (w *World) Grows(id string, turns int) int {
	w.T.Helper()
	before, most := heap(), 0
	for i := range turns {
		w.Say(talk.TurnBody{SessionID: id, Message: fmt.Sprint(i, strings.Repeat(" We bake bread.", 4000))})
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

// NeverReadStream asks for a session's events and reads nothing.
func (w *World) NeverReadStream(id string) {
	w.T.Helper()
	conn, err := w.dial(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET /api/v1/sessions/%s/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", id); err != nil {
		w.T.Fatal(err)
	}
}

// NeverReadSocket opens a session's websocket and reads nothing.
func (w *World) NeverReadSocket(id string) {
	w.T.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return w.dial(ctx) }}}
	conn, _, err := websocket.Dial(w.T.Context(), w.SocketURL(id), &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = conn.CloseNow() })
}
