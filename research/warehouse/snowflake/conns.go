package snowflake

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"quaestor/research/warehouse/wire"
)

// connSet is the network connections of one warehouse. The driver uses them for a moment after it
// was closed, so they have to be closed separately. It is safe for concurrent use.
type connSet struct {
	*http.Transport
	reach wire.Reach

	mu     sync.Mutex            // guards the rest
	open   map[net.Conn]struct{} // those that were dialled and not closed yet
	closed bool
}

// newConnSet returns an empty set.
func newConnSet(reach wire.Reach) *connSet {
	l := &connSet{reach: reach, open: map[net.Conn]struct{}{}}
	l.Transport = &http.Transport{DialContext: l.dial, TLSHandshakeTimeout: openTime, MaxIdleConnsPerHost: maxConns, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
	return l
}

// dial connects to an address that may be reached.
func (l *connSet) dial(ctx context.Context, network, address string) (net.Conn, error) {
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
	out := &trackedConn{c, l}
	l.open[out] = struct{}{}
	return out, nil
}

// end closes all connections and prevents new ones. A dial that is under way fails with
// [net.ErrClosed].
func (l *connSet) end() {
	l.mu.Lock()
	l.closed = true
	open := l.open
	l.open = map[net.Conn]struct{}{}
	l.mu.Unlock()
	for c := range open {
		_ = c.(*trackedConn).Conn.Close()
	}
	l.CloseIdleConnections()
}

// trackedConn is one network connection. It is forgotten by its set when it is closed.
type trackedConn struct {
	net.Conn
	of *connSet
}

// Close closes the connection and forgets it.
func (c *trackedConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
