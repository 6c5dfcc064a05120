package talk_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"quaestor/sessions"
	"quaestor/web/webtest"
)

var live = webtest.Request{Path: "/livez"}

func aTurn(session string) webtest.Request {
	return webtest.Request{Path: "/api/discovery-chat", Body: map[string]string{"sessionId": session, "message": "hello"}}
}

func TestAConnectionServesOneTurnAfterAnother(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	c := w.Plug()

	for i := range 3 {
		c.Ask(aTurn(session))
		resp, events := c.Turn()

		if n := len(events); n == 0 || events[n-1].Type != sessions.KindDone {
			t.Errorf("turn %d brought %d events and no end", i, n)
		}
		if resp.Close || resp.ContentLength != -1 || resp.Header.Get("X-Request-ID") == "" {
			t.Errorf("turn %d was answered with the head %v", i, resp)
		}
		c.Ask(live)
		c.WantLive()
	}
}

func TestARequestSentTooSoonIsAnsweredAfterTheStream(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	c := w.Plug()

	c.Ask(aTurn(session), live, aTurn(session))

	for i := range 2 {
		if _, events := c.Turn(); len(events) == 0 {
			t.Errorf("turn %d brought no events", i)
		}
		if i == 0 {
			c.WantLive()
		}
	}
}

func TestConnectionIsClosedAfterTheStreamOnRequest(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	for name, change := range map[string]func(raw string) string{
		"asked for":    func(raw string) string { return strings.Replace(raw, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1) },
		"old protocol": func(raw string) string { return strings.Replace(raw, "HTTP/1.1", "HTTP/1.0", 1) },
	} {
		var raw bytes.Buffer
		if err := w.Build(aTurn(session)).Write(&raw); err != nil {
			t.Fatal(err)
		}
		c := w.Plug()
		if _, err := io.WriteString(c.Conn, change(raw.String())); err != nil {
			t.Fatal(err)
		}

		if _, events := c.Turn(); len(events) == 0 {
			t.Errorf("%s: the turn brought no events", name)
		}
		c.WantClosed()
	}
}

// The unread rest of a request must not be taken for the next one.
func TestABodyThatNobodyReadsIsNoRequest(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	c := w.Plug()
	hidden := "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"

	if _, err := fmt.Fprintf(c.Conn, "GET /api/v1/sessions/%s/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", session, len(hidden), hidden); err != nil {
		t.Fatal(err)
	}
	resp := c.Answer()
	w.Streaming(1)
	w.EndRequests()
	_ = c.Conn.(*net.TCPConn).CloseWrite()
	rest, err := io.ReadAll(resp.Body)

	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(string(rest), "version") {
		t.Errorf("the stream brought %q, %v", rest, err)
	}
	if more, _ := io.ReadAll(c.In); len(more) > 0 {
		t.Errorf("after the stream came %q", more)
	}
}

func TestStreamEndsWhenItsReaderLeaves(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	c := w.Plug()
	c.Ask(webtest.Request{Path: "/api/v1/sessions/" + session + "/events"})
	c.Answer()
	w.Streaming(1)

	_ = c.Conn.Close()

	w.Streaming(0)
}

func TestStreamsEndWithTheServer(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	reading := w.Plug()
	reading.Ask(webtest.Request{Path: "/api/v1/sessions/" + session + "/events"})
	resp := reading.Answer()
	w.Streaming(1)

	w.EndRequests()

	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("the stream was cut off instead of ended: %v", err)
	}
}
