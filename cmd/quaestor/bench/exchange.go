package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// exchange is one turn as the person's program saw it. Instants are of the
// run's clock; those of the model are zero when no model answered.
type exchange struct {
	session  string
	opened   bool // it made its session
	began    time.Duration
	first    time.Duration // first piece of the reply
	ended    time.Duration
	arrived  time.Duration // the model got the request for the reply
	sent     time.Duration // the model sent its first piece
	last     time.Duration // the model sent its last piece
	delays   []time.Duration
	lastID   int64
	failed   string // why it is no good; empty when it is
	degraded bool
	seen     func(id int64, at time.Duration) // told of each numbered event; may be nil
}

// own is the time the model took for its reply, which is not the server's.
func (e *exchange) own() time.Duration { return e.last - e.arrived }

// overhead is what the server added to the whole turn.
func (e *exchange) overhead() time.Duration { return e.ended - e.began - e.own() }

// firstAdded is what the server added before the first piece.
func (e *exchange) firstAdded() time.Duration { return e.first - e.began - (e.sent - e.arrived) }

// tail is the time from the model's last piece to the end of the turn; the whole
// turn's overhead when no model answered.
func (e *exchange) tail() time.Duration {
	if e.last == 0 {
		return e.ended - e.first
	}
	return e.ended - e.last
}

// line takes in one line of the stream and reports whether it ends the turn.
func (e *exchange) line(line []byte, now time.Duration) (end bool) {
	if id, ok := bytes.CutPrefix(line, []byte("id: ")); ok {
		n, _ := strconv.ParseInt(string(bytes.TrimSpace(id)), 10, 64)
		e.lastID = n
		if e.seen != nil {
			e.seen(n, now)
		}
		return false
	}
	data, ok := bytes.CutPrefix(line, []byte(`data: {"type":"`))
	if !ok {
		return false
	}
	kind, rest, _ := bytes.Cut(data, []byte(`"`))
	switch string(kind) {
	case "session":
		e.session = string(field(rest, `"sessionId":"`))
	case "delta":
		e.piece(field(rest, `"content":"`), now)
	case "message":
		e.degraded = len(field(rest, `"degraded":"`)) > 0
	case "error":
		e.failed = "event error: " + string(field(rest, `"code":"`))
		e.ended = now
		return true
	case "done":
		e.ended = now
		return true
	}
	return false
}

// piece takes in the text of one piece, or of several that came together.
func (e *exchange) piece(text []byte, now time.Duration) {
	if e.first == 0 {
		e.first = now
	}
	stamps(text, func(mark byte, at time.Duration) {
		if mark == arrivedMark {
			e.arrived = at
			return
		}
		if e.sent == 0 {
			e.sent = at
		}
		e.last = at
		e.delays = append(e.delays, now-at)
	})
}

// field returns the text after name up to the next quotation mark; nil when name
// is not there. It is meant for texts without escapes.
func field(data []byte, name string) []byte {
	at := bytes.Index(data, []byte(name))
	if at < 0 {
		return nil
	}
	text, _, _ := bytes.Cut(data[at+len(name):], []byte(`"`))
	return text
}

// talker is one person's program.
type talker struct {
	clock
	http    *http.Client
	base    string
	name    string // of the person; every session has its own
	session string
	turn    int // within the session
	began   int // sessions begun
	endless bool
	seen    func(id int64, at time.Duration)
}

// newHTTP returns a client with a connection for each of its callers.
func newHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 10_000, DisableCompression: true, ReadBufferSize: 4 << 10, WriteBufferSize: 1 << 10}}
}

// say takes the next turn, in a new session after every ten.
func (t *talker) say(ctx context.Context) (exchange, error) {
	if t.turn >= turnsASession && !t.endless {
		t.turn, t.session = 0, ""
	}
	if t.session == "" {
		t.began++
	}
	t.turn++
	e := exchange{opened: t.session == "", seen: t.seen, delays: make([]time.Duration, 0, 48)}
	body := fmt.Sprintf(`{"sessionId":%q,"contextType":%q,"userId":"%s-%d","message":%q}`, t.session, contextType, t.name, t.began, message(t.turn))
	if err := t.post(ctx, body, &e); err != nil {
		return e, err
	}
	t.session = e.session
	return e, nil
}

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
	if err := read(resp.Body, t.clock, e.line); err != nil {
		return fmt.Errorf("turn of %s: %w", t.name, err)
	}
	return nil
}

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

// read calls f with each line of a stream, and when it came, until f is done;
// then it reads to the stream's end, so that the connection can be used again.
func read(body io.Reader, c clock, f func(line []byte, now time.Duration) (end bool)) error {
	err := readUntil(body, c, func(line []byte, now time.Duration) error {
		if f(line, now) {
			return errEnd
		}
		return nil
	})
	if errors.Is(err, errEnd) {
		_, err = io.Copy(io.Discard, body)
	}
	return err
}

// errEnd says that what was wanted has come.
var errEnd = errors.New("end")

// What lines of a stream are read with, and how long one may be.
const (
	lineBuffer = 8 << 10
	maxLine    = 4 << 20
)

// readUntil calls f with each line until f returns an error, which it returns.
func readUntil(body io.Reader, c clock, f func(line []byte, now time.Duration) error) error {
	in := bufio.NewReaderSize(body, lineBuffer)
	for {
		line, err := nextLine(in)
		if err != nil {
			return err
		}
		if err := f(line, c.now()); err != nil {
			return err
		}
	}
}

// nextLine returns the next line without its end. It is good until the next call.
func nextLine(in *bufio.Reader) ([]byte, error) {
	var long []byte
	for {
		part, err := in.ReadSlice('\n')
		switch {
		case err == nil && long == nil:
			return part[:len(part)-1], nil
		case err == nil:
			return append(long, part[:len(part)-1]...), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("the stream ended early: %w", err)
		case len(long) > maxLine:
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
		long = append(long, part...)
	}
}
