package wire

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// The bounds of a pool.
const (
	maxOpen = 6               // connections to one warehouse
	maxIdle = 5 * time.Minute // after which an unused one is not used again
)

// errClosed ends what is asked of a connection that was closed.
var errClosed = errors.New("the connection to the warehouse was closed")

// Pool keeps a few connections to one warehouse. It may be used by many at once.
type Pool[C io.Closer] struct {
	open  func(context.Context) (C, error)
	slots chan struct{} // as many as connections may be in use

	mu     sync.Mutex // guards the rest
	idle   []parked[C]
	closed bool
}

type parked[C any] struct {
	conn  C
	since time.Time
}

// NewPool returns a pool of connections that open makes. It has none yet.
func NewPool[C io.Closer](open func(context.Context) (C, error)) *Pool[C] {
	return &Pool[C]{open: open, slots: make(chan struct{}, maxOpen)}
}

// Take returns a connection that prepare made ready; one that was kept and is not
// ready any more is replaced. It waits when all are in use. Give it back with
// [Pool.Put] or [Pool.Drop].
func (p *Pool[C]) Take(ctx context.Context, prepare func(context.Context, C) error) (C, error) {
	var none C
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	c, err := p.take(ctx, prepare)
	if err != nil {
		<-p.slots
		return none, err
	}
	return c, nil
}

func (p *Pool[C]) take(ctx context.Context, prepare func(context.Context, C) error) (C, error) {
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

// next returns a connection, and whether it was used before.
func (p *Pool[C]) next(ctx context.Context) (c C, kept bool, err error) {
	c, kept, err = p.unpark()
	if kept || err != nil {
		return c, kept, err
	}
	c, err = p.open(ctx)
	return c, false, err
}

// unpark returns the connection that was used last, if there is one.
func (p *Pool[C]) unpark() (c C, ok bool, err error) {
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

// Put gives back a connection that is as good as new.
func (p *Pool[C]) Put(c C) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = c.Close()
	} else {
		p.idle = append(p.idle, parked[C]{c, time.Now()})
	}
	<-p.slots
}

// Drop gives back a connection that is not to be used again.
func (p *Pool[C]) Drop(c C) {
	_ = c.Close()
	<-p.slots
}

// Close closes what is not in use, and the rest as it comes back.
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
