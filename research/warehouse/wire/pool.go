package wire

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"quaestor/research/warehouse"
)

// The bounds of a pool.
const (
	maxOpen = warehouse.MaxAtOnce // connections to one warehouse
	maxIdle = 5 * time.Minute     // after which an unused connection is not reused
)

// errClosed is returned for requests to a closed pool.
var errClosed = errors.New("the connection to the warehouse was closed")

// Pool keeps a few connections to one warehouse. It is safe for concurrent use.
type Pool[C io.Closer] struct {
	// open is called without a lock, by several goroutines at once.
	open  func(context.Context) (C, error)
	slots chan struct{} // one element for each connection in use

	mu     sync.Mutex    // guards the rest
	idle   []idleConn[C] // the most recently used one last
	closed bool
}

// idleConn is a connection that nobody uses.
type idleConn[C any] struct {
	conn  C
	since time.Time
}

// NewPool returns an empty pool whose connections are made by open. open should respect its
// context; the pool has no time limit of its own.
func NewPool[C io.Closer](open func(context.Context) (C, error)) *Pool[C] {
	return &Pool[C]{open: open, slots: make(chan struct{}, maxOpen)}
}

// Acquire returns a connection that prepare has accepted. An idle one that prepare refuses is
// replaced by another. Take waits while all connections are in use. The caller must give the
// connection back with [Pool.Release] or [Pool.Drop].
func (p *Pool[C]) Acquire(ctx context.Context, prepare func(context.Context, C) error) (C, error) {
	var none C
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	c, err := p.prepared(ctx, prepare)
	if err != nil {
		<-p.slots
		return none, err
	}
	return c, nil
}

// prepared returns a connection that prepare has accepted. A new connection that it refuses is
// an error; an idle one is merely stale.
func (p *Pool[C]) prepared(ctx context.Context, prepare func(context.Context, C) error) (C, error) {
	for {
		c, kept, err := p.next(ctx)
		if err != nil {
			return c, err
		}
		if err = prepare(ctx, c); err == nil {
			return c, nil
		}
		_ = c.Close()
		if !kept || ctx.Err() != nil {
			return c, err
		}
	}
}

// next returns a connection, and whether it was idle before.
func (p *Pool[C]) next(ctx context.Context) (c C, kept bool, err error) {
	c, kept, err = p.acquireIdle()
	if kept || err != nil {
		return c, kept, err
	}
	c, err = p.open(ctx)
	return c, false, err
}

// acquireIdle returns the most recently used idle connection, if there is one.
func (p *Pool[C]) acquireIdle() (c C, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return c, false, errClosed
	}
	for len(p.idle) > 0 {
		last := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if time.Since(last.since) < maxIdle {
			return last.conn, true, nil
		}
		_ = last.conn.Close()
	}
	return c, false, nil
}

// Release returns a connection to the pool for reuse. c must be in the state in which prepare expects
// it. On a closed pool it is closed.
func (p *Pool[C]) Release(c C) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = c.Close()
	} else {
		p.idle = append(p.idle, idleConn[C]{c, time.Now()})
	}
	<-p.slots
}

// Drop closes a connection that must not be reused.
func (p *Pool[C]) Drop(c C) {
	_ = c.Close()
	<-p.slots
}

// Close closes the idle connections now, and those in use when they are given back. Later
// requests fail. Closing twice does no harm.
func (p *Pool[C]) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		_ = c.conn.Close()
	}
	p.idle = nil
	return nil
}
