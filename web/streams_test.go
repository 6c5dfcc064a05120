package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"quaestor/sessions"
)

// cable is one connection to a world, written and read by hand.
type cable struct {
	t    testing.TB
	w    *world
	conn net.Conn
	in   *bufio.Reader
}

func (w *world) plug() *cable {
	w.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	return &cable{w.t, w, conn, bufio.NewReader(conn)}
}

// ask sends requests in one piece.
func (c *cable) ask(requests ...request) {
	c.t.Helper()
	var all bytes.Buffer
	for _, q := range requests {
		if err := c.w.build(q).Write(&all); err != nil {
			c.t.Fatal(err)
		}
	}
	if _, err := all.WriteTo(c.conn); err != nil {
		c.t.Fatal(err)
	}
}

// answer reads an answer's head.
func (c *cable) answer() *http.Response {
	c.t.Helper()
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatalf("no answer came: %v", err)
	}
	return resp
}

func (c *cable) turn() (*http.Response, []told) {
	c.t.Helper()
	resp := c.answer()
	return resp, (&stream{c.t, newLines(resp.Body)}).rest()
}

func (c *cable) wantLive() {
	c.t.Helper()
	resp := c.answer()
	if raw, err := io.ReadAll(resp.Body); err != nil || string(raw) != "ok\n" {
		c.t.Errorf("the next request was answered %q, %v, want ok", raw, err)
	}
}

// wantClosed waits for the end of the connection.
func (c *cable) wantClosed() {
	c.t.Helper()
	if raw, err := io.ReadAll(c.in); err != nil || len(raw) > 0 {
		c.t.Errorf("the connection brought %q, %v, want its end", raw, err)
	}
}

var live = request{path: "/livez"}

func aTurn(session string) request {
	return request{path: "/api/discovery-chat", body: map[string]string{"sessionId": session, "message": "hello"}}
}

// streaming waits until so many streams are open.
func (w *world) streaming(n int) {
	w.t.Helper()
	want := fmt.Sprintf("\nquaestor_streams %d\n", n)
	for end := time.Now().Add(patience); ; {
		raw, err := io.ReadAll(w.do(request{path: "/metrics"}).Body)
		if err != nil {
			w.t.Fatal(err)
		}
		if strings.Contains(string(raw), want) {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("%d streams are not what is open", n)
		}
	}
}

func TestAConnectionServesOneTurnAfterAnother(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	c := w.plug()

	for i := range 3 {
		c.ask(aTurn(session))
		resp, events := c.turn()

		if n := len(events); n == 0 || events[n-1].Type != sessions.KindDone {
			t.Errorf("turn %d brought %d events and no end", i, n)
		}
		if resp.Close || resp.ContentLength != -1 || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("turn %d was answered with the head %v", i, resp)
		}
		c.ask(live)
		c.wantLive()
	}
}

func TestARequestSentTooSoonIsAnsweredAfterTheStream(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	c := w.plug()

	c.ask(aTurn(session), live, aTurn(session))

	for i := range 2 {
		if _, events := c.turn(); len(events) == 0 {
			t.Errorf("turn %d brought no events", i)
		}
		if i == 0 {
			c.wantLive()
		}
	}
}

func TestWhoIsNotToKeepTheConnectionLosesItAfterTheStream(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	for name, change := range map[string]func(raw string) string{
		"asked for":    func(raw string) string { return strings.Replace(raw, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1) },
		"old protocol": func(raw string) string { return strings.Replace(raw, "HTTP/1.1", "HTTP/1.0", 1) },
	} {
		var raw bytes.Buffer
		if err := w.build(aTurn(session)).Write(&raw); err != nil {
			t.Fatal(err)
		}
		c := w.plug()
		if _, err := io.WriteString(c.conn, change(raw.String())); err != nil {
			t.Fatal(err)
		}

		if _, events := c.turn(); len(events) == 0 {
			t.Errorf("%s: the turn brought no events", name)
		}
		c.wantClosed()
	}
}

// What is left of a request must not be taken for the next one.
func TestABodyThatNobodyReadsIsNoRequest(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	c := w.plug()
	hidden := "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"

	if _, err := fmt.Fprintf(c.conn, "GET /api/v1/sessions/%s/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", session, len(hidden), hidden); err != nil {
		t.Fatal(err)
	}
	resp := c.answer()
	w.streaming(1)
	w.endRequests()
	_ = c.conn.(*net.TCPConn).CloseWrite()
	rest, err := io.ReadAll(resp.Body)

	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(string(rest), "version") {
		t.Errorf("the stream brought %q, %v", rest, err)
	}
	if more, _ := io.ReadAll(c.in); len(more) > 0 {
		t.Errorf("after the stream came %q", more)
	}
}

func TestWhoLeavesEndsTheirStream(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	c := w.plug()
	c.ask(request{path: "/api/v1/sessions/" + session + "/events"})
	c.answer()
	w.streaming(1)

	_ = c.conn.Close()

	w.streaming(0)
}

func TestStreamsEndWithTheServer(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	reading := w.plug()
	reading.ask(request{path: "/api/v1/sessions/" + session + "/events"})
	resp := reading.answer()
	w.streaming(1)

	w.endRequests()

	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("the stream was cut off instead of ended: %v", err)
	}
}
