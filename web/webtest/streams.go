package webtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// cable is one connection to a world, written and read by hand.
type cable struct {
	t    testing.TB
	w    *World
	Conn net.Conn
	In   *bufio.Reader
}

func (w *World) Plug() *cable {
	w.T.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.URL, "http://"))
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(Patience))
	return &cable{w.T, w, conn, bufio.NewReader(conn)}
}

// Ask sends requests in one piece.
func (c *cable) Ask(requests ...Request) {
	c.t.Helper()
	var all bytes.Buffer
	for _, q := range requests {
		if err := c.w.Build(q).Write(&all); err != nil {
			c.t.Fatal(err)
		}
	}
	if _, err := all.WriteTo(c.Conn); err != nil {
		c.t.Fatal(err)
	}
}

// Answer reads an Answer's head.
func (c *cable) Answer() *http.Response {
	c.t.Helper()
	resp, err := http.ReadResponse(c.In, nil)
	if err != nil {
		c.t.Fatalf("no answer came: %v", err)
	}
	return resp
}

func (c *cable) Turn() (*http.Response, []Told) {
	c.t.Helper()
	resp := c.Answer()
	return resp, (&Stream{c.t, NewLines(resp.Body)}).Rest()
}

func (c *cable) WantLive() {
	c.t.Helper()
	resp := c.Answer()
	if raw, err := io.ReadAll(resp.Body); err != nil || string(raw) != "ok\n" {
		c.t.Errorf("the next request was answered %q, %v, want ok", raw, err)
	}
}

// WantClosed waits for the end of the connection.
func (c *cable) WantClosed() {
	c.t.Helper()
	if raw, err := io.ReadAll(c.In); err != nil || len(raw) > 0 {
		c.t.Errorf("the connection brought %q, %v, want its end", raw, err)
	}
}

// Streaming waits until so many streams are open.
func (w *World) Streaming(n int) {
	w.T.Helper()
	want := fmt.Sprintf("\nquaestor_streams %d\n", n)
	for end := time.Now().Add(Patience); ; {
		raw, err := io.ReadAll(w.Do(Request{Path: "/metrics"}).Body)
		if err != nil {
			w.T.Fatal(err)
		}
		if strings.Contains(string(raw), want) {
			return
		}
		if time.Now().After(end) {
			w.T.Fatalf("%d streams are not what is open", n)
		}
	}
}
