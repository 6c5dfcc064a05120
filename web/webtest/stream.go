package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"quaestor/sessions"
)

// Turns reads until that many Turns have ended.
func (s *Stream) Turns(n int) []Told {
	s.T.Helper()
	var out []Told
	for range n {
		out = append(out, s.Until("done")...)
	}
	return out
}

// Glimpse reads at most n events, or as many as come within a moment, and leaves.
func (w *World) Glimpse(id, after string, n int) []Told {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), 20*time.Millisecond)
	defer cancel()
	q := Request{Path: "/api/v1/sessions/" + id + "/events", Header: map[string]string{"Last-Event-ID": after}}
	resp, err := http.DefaultTransport.RoundTrip(w.Build(q).WithContext(ctx))
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	s := &Stream{w.T, NewLines(resp.Body)}
	var out []Told
	for range n {
		e, ok := s.Next()
		if !ok {
			break
		}
		out = append(out, e)
	}
	return out
}

// GlimpseSocket is glimpse over a websocket.
func (w *World) GlimpseSocket(id, after string, n int) []Told {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), 20*time.Millisecond)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, w.SocketURL(id)+"?after="+after, nil)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.CloseNow() }()
	var out []Told
	for range n {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			break
		}
		out = append(out, fromFrame(w.T, raw))
	}
	return out
}

func (w *World) SocketURL(id string) string {
	return strings.Replace(w.URL, "http", "ws", 1) + "/api/v1/sessions/" + id + "/socket"
}

// fromFrame reads a websocket frame as the event of a stream it stands for.
func fromFrame(t testing.TB, raw []byte) Told {
	t.Helper()
	e := Told{Raw: string(raw)}
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
