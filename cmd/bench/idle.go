package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// opener opens what a reader of t's session holds open from the event of that number on.
type opener func(ctx context.Context, t *talker, after int64) (io.Closer, error)

// idleSettle is how long a server rests before its memory is read, so that what it does
// after a turn is over.
const idleSettle = 3 * time.Second

// measureIdle measures the memory of readers of sessions in which nothing happens,
// over both wires.
func (b *bench) measureIdle(ctx context.Context) error {
	t := table{left: 1, head: []string{"reader", "count", "RSS before MB", "held MB", "KB each"}}
	for _, wire := range []struct {
		name string
		open opener
	}{{"event stream", openStream}, {"websocket", openSocket}} {
		err := b.with(ctx, rulesKind, func(s *server) error {
			before, held, err := b.hold(ctx, s, wire.open)
			t.add(wire.name, fmt.Sprint(b.idle), fmt.Sprint(before>>20), fmt.Sprint(held>>20), figure(float64(held-before)/float64(b.idle)/1024))
			return err
		})
		if err != nil {
			return err
		}
	}
	b.tell("Memory of readers to whom nothing is sent", &t)
	return nil
}

// hold opens readers of one quiet session and returns the server's memory without
// and with them.
func (b *bench) hold(ctx context.Context, s *server, open opener) (before, held int64, err error) {
	t := b.talker(s, "reader")
	if _, err := t.say(ctx); err != nil {
		return 0, 0, err
	}
	if err := b.pause(ctx, idleSettle); err != nil {
		return 0, 0, err
	}
	var head int64
	if err := b.db.QueryRow(ctx, `SELECT last_seq FROM session_heads WHERE session_id = $1`, t.session).Scan(&head); err != nil {
		return 0, 0, err
	}
	if before, err = resident(s.pid()); err != nil {
		return 0, 0, err
	}
	for range b.idle {
		c, err := open(ctx, t, head)
		if err != nil {
			return 0, 0, err
		}
		defer func() { _ = c.Close() }() // all stay open until the memory was read
	}
	if err := b.pause(ctx, idleSettle); err != nil {
		return 0, 0, err
	}
	held, err = resident(s.pid())
	return before, held, err
}

// openStream reads the events of t's session after a number.
func openStream(ctx context.Context, t *talker, after int64) (io.Closer, error) {
	resp, err := t.send(ctx, http.MethodGet, fmt.Sprintf("/api/v1/sessions/%s/events?after=%d", t.session, after), nil)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("events of session %s: %s", t.session, resp.Status), resp.Body.Close())
	}
	return resp.Body, nil
}

// socket is a websocket that is held open.
type socket struct{ *websocket.Conn }

// Close does not wait for the server to say goodbye.
func (s socket) Close() error { return s.CloseNow() }

// openSocket reads the same over a websocket.
func openSocket(ctx context.Context, t *talker, after int64) (io.Closer, error) {
	conn, resp, err := websocket.Dial(ctx, fmt.Sprintf("%s/api/v1/sessions/%s/socket?after=%d", t.base, t.session, after), &websocket.DialOptions{HTTPClient: t.http})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("socket of session %s: %w", t.session, err)
	}
	go answerPings(ctx, conn) // ends when the connection is closed
	return socket{conn}, nil
}

// answerPings reads what the server sends: without a reader nobody answers its pings.
func answerPings(ctx context.Context, conn *websocket.Conn) {
	for {
		if _, _, err := conn.Read(ctx); err != nil {
			return
		}
	}
}
