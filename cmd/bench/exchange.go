package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// exchange is one turn as the person's program saw it. Instants are of the
// run's clock.
type exchange struct {
	session  string
	opened   bool // it made its session
	began    time.Duration
	first    time.Duration // first piece of the reply
	ended    time.Duration
	calls    []call // what the model was asked meanwhile
	failed   string // why the turn failed; empty when it did not
	degraded bool   // the rules answered in the model's place
}

// firstWords is how long the person waited for the first piece of the reply.
func (e *exchange) firstWords() time.Duration { return e.first - e.began }

// whole is how long the turn took, what it settles included.
func (e *exchange) whole() time.Duration { return e.ended - e.began }

// addedToFirst is the part of firstWords in which no call to the model was under way.
func (e *exchange) addedToFirst() time.Duration {
	return e.firstWords() - underway(e.calls, e.began, e.first)
}

// added is the part of whole in which no call to the model was under way.
func (e *exchange) added() time.Duration { return e.whole() - underway(e.calls, e.began, e.ended) }

// line takes in one line of the stream and reports whether it ends the turn.
func (e *exchange) line(line []byte, now time.Duration) (end bool) {
	data, ok := bytes.CutPrefix(line, []byte(`data: {"type":"`))
	if !ok {
		return false
	}
	kind, rest, _ := bytes.Cut(data, []byte(`"`))
	switch string(kind) {
	case "session":
		e.session = field(rest, `"sessionId":"`)
	case "delta":
		if e.first == 0 {
			e.first = now
		}
	case "message":
		e.degraded = field(rest, `"degraded":"`) != ""
	case "error":
		e.failed, e.ended = "event error: "+field(rest, `"code":"`), now
		return true
	case "done":
		e.ended = now
		return true
	}
	return false
}

// field returns the text after name up to the next quotation mark; empty when name
// is not there. It is meant for texts without escapes.
func field(data []byte, name string) string {
	_, rest, _ := bytes.Cut(data, []byte(name))
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(text)
}

// talker is one person's program.
type talker struct {
	clock
	model   *model
	http    *http.Client
	base    string
	name    string // of the person; every session has its own
	session string
	turn    int // within the session
	began   int // sessions begun
}

// newHTTP returns a client that keeps a connection for each of its callers. It does not
// ask for compressed answers, whose decompression would count as the server's time.
func newHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 10_000, DisableCompression: true, ReadBufferSize: 4 << 10, WriteBufferSize: 1 << 10}}
}

// say takes the next turn, in a new session after every ten. A turn that the
// server calls failed is an error.
func (t *talker) say(ctx context.Context) (exchange, error) {
	if t.turn >= turnsASession {
		t.turn, t.session = 0, ""
	}
	if t.session == "" {
		t.began++
	}
	t.turn++
	person := fmt.Sprintf("%s-%d", t.name, t.began)
	e := exchange{opened: t.session == ""}
	err := t.post(ctx, fmt.Sprintf(`{"sessionId":%q,"contextType":%q,"userId":%q,"message":%q}`, t.session, contextType, person, message(person, t.turn)), &e)
	e.calls = t.model.take(markerOf(person, t.turn))
	if err == nil && e.failed != "" {
		err = fmt.Errorf("turn of %s: %s", person, e.failed)
	}
	t.session = e.session
	return e, err
}

// post sends a message and reads the stream of events to its end.
func (t *talker) post(ctx context.Context, body string, e *exchange) error {
	e.began = t.now()
	resp, err := t.send(ctx, http.MethodPost, "/api/discovery-chat", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return fmt.Errorf("turn of %s: %s: %s", t.name, resp.Status, text)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(make([]byte, 0, 8<<10), 4<<20)
	for lines.Scan() {
		if e.line(lines.Bytes(), t.now()) {
			_, err := io.Copy(io.Discard, resp.Body) // to its end, so that the connection can be used again
			return err
		}
	}
	return fmt.Errorf("turn of %s: the stream ended early: %w", t.name, lines.Err())
}

// send sends a request; the caller closes the body of the response.
func (t *talker) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, t.base+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return t.http.Do(r)
}
