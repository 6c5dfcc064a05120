package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"quaestor/internal/audio"
)

// Call is a websocket of a session that is spoken about.
type Call struct {
	T    testing.TB
	Ctx  context.Context
	Conn *websocket.Conn

	Rate  int
	Sound int // samples received since the last frame of JSON
}

// VoiceURL is where calls about a session are held.
func (w *World) VoiceURL(id string) string {
	return strings.Replace(w.URL, "http", "ws", 1) + "/api/v1/sessions/" + id + "/voice"
}

// Voice opens a websocket for a call, and sends start, which may be empty.
func (w *World) Voice(id, start string) *Call {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), Patience)
	conn, _, err := websocket.Dial(ctx, w.VoiceURL(id), &websocket.DialOptions{HTTPHeader: w.Build(Request{}).Header})
	if err != nil {
		w.T.Fatalf("open the websocket: %v", err)
	}
	conn.SetReadLimit(1 << 20)
	w.T.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	c := &Call{T: w.T, Ctx: ctx, Conn: conn, Rate: 16000}
	if start != "" {
		c.Send(start)
	}
	return c
}

// Send sends a frame of JSON.
func (c *Call) Send(text string) {
	c.T.Helper()
	if err := c.Conn.Write(c.Ctx, websocket.MessageText, []byte(text)); err != nil {
		c.T.Fatal(err)
	}
}

// Play sends sound, in frames of a tenth of a second.
func (c *Call) Play(samples []int16) {
	c.T.Helper()
	for len(samples) > 0 {
		n := min(len(samples), c.Rate/10)
		if err := c.Conn.Write(c.Ctx, websocket.MessageBinary, audio.Encode(nil, samples[:n])); err != nil {
			c.T.Fatal(err)
		}
		samples = samples[n:]
	}
}

// Press says something while the button is held.
func (c *Call) Press(samples []int16) {
	c.T.Helper()
	c.Send(`{"type":"press"}`)
	c.Play(samples)
	c.Send(`{"type":"release"}`)
}

// Until reads up to and including the first frame of JSON that fits, and returns those that
// came. Fits is a type, or a type and a field with its value, as in "state state=speaking".
func (c *Call) Until(fits string) []Told {
	c.T.Helper()
	kind, field, _ := strings.Cut(fits, " ")
	name, want, _ := strings.Cut(field, "=")
	var out []Told
	for {
		e := c.Next()
		out = append(out, e)
		if string(e.Type) == kind && (name == "" || fmt.Sprint(e.Data[name]) == want) {
			return out
		}
	}
}

// Next returns the next frame of JSON.
func (c *Call) Next() Told {
	c.T.Helper()
	c.Sound = 0
	for {
		kind, raw, err := c.Conn.Read(c.Ctx)
		if err != nil {
			c.T.Fatalf("the frame never came: %v", err)
		}
		if kind == websocket.MessageText {
			return fromFrame(c.T, raw)
		}
		c.Sound += len(raw) / 2
	}
}

// Hears reads until that many samples of sound have come; frames of JSON are dropped.
func (c *Call) Hears(samples int) {
	c.T.Helper()
	for n := 0; n < samples; {
		kind, raw, err := c.Conn.Read(c.Ctx)
		if err != nil {
			c.T.Fatalf("the sound never came: %v", err)
		}
		if kind == websocket.MessageBinary {
			n += len(raw) / 2
		}
	}
}

// Last returns the last of events as a value.
func Last[T any](t testing.TB, events []Told) T {
	t.Helper()
	var out T
	if err := json.Unmarshal([]byte(events[len(events)-1].Raw), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
