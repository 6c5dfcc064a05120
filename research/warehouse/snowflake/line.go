package snowflake

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"quaestor/research/warehouse/wire"
)

// lines are the connections of one warehouse. The driver goes on to use them for a
// moment after it was closed, so that they have to be ended from below.
type lines struct {
	*http.Transport
	reach wire.Reach

	mu     sync.Mutex // guards the rest
	open   map[net.Conn]struct{}
	closed bool
}

func newLines(reach wire.Reach) *lines {
	l := &lines{reach: reach, open: map[net.Conn]struct{}{}}
	l.Transport = &http.Transport{DialContext: l.dial, TLSHandshakeTimeout: openTime, MaxIdleConnsPerHost: maxConns, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
	return l
}

// dial connects to what may be reached.
func (l *lines) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := l.reach.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	out := &line{c, l}
	l.open[out] = struct{}{}
	return out, nil
}

// end closes every connection, and lets none be made.
func (l *lines) end() {
	l.mu.Lock()
	l.closed = true
	open := l.open
	l.open = map[net.Conn]struct{}{}
	l.mu.Unlock()
	for c := range open {
		_ = c.(*line).Conn.Close()
	}
	l.CloseIdleConnections()
}

// line is one connection.
type line struct {
	net.Conn
	of *lines
}

// Close ends it.
func (c *line) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
