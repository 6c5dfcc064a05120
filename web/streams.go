package web

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// Streams has the connections that are streamed to. Left to net/http, a stream keeps
// its request, all that came of it, and buffers for the next one for as long as it
// waits: most of its memory. Here it keeps a connection and a place in a log.
//
// It is a [net.Listener], to be served beside the one that connections come from: a
// connection whose stream has ended comes back by it when its client asks again.
// [Streams.Close] ends them all. It is safe for concurrent use.
type Streams struct {
	after time.Duration // how long a stream stays with net/http
	idle  time.Duration
	back  chan net.Conn
	life  context.Context //nolint:containedctx // of every stream, which outlives its request; ends with Close
	end   context.CancelFunc

	mu     sync.Mutex
	closed bool           // guarded by mu
	wg     sync.WaitGroup // of the goroutines of streams; grows with mu held, and not once closed
}

// takeAfter is how long a stream stays with net/http. To take a connection over and
// bring it back costs new buffers and a new stack, and a stream that is over by then
// would have held its memory for no longer.
const takeAfter = 250 * time.Millisecond

// NewStreams returns streams that keep a connection for idle after an answer.
func NewStreams(idle time.Duration) *Streams {
	life, end := context.WithCancel(context.Background())
	return &Streams{after: takeAfter, idle: idle, back: make(chan net.Conn), life: life, end: end}
}

// Accept implements [net.Listener]. It returns a connection whose stream has ended
// and whose client asks again.
func (st *Streams) Accept() (net.Conn, error) {
	select {
	case c := <-st.back:
		return c, nil
	case <-st.life.Done():
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. It ends all streams, and waits for none; see
// [Streams.Wait].
func (st *Streams) Close() error {
	st.mu.Lock()
	st.closed = true
	st.mu.Unlock()
	st.end()
	return nil
}

// Wait waits after [Streams.Close] until the last stream has ended, or ctx.
func (st *Streams) Wait(ctx context.Context) error {
	over := make(chan struct{})
	go func() { // ends with the last stream: none waits longer than for its write
		st.wg.Wait()
		close(over)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("streams are still open: %w", ctx.Err())
	}
}

// Addr implements [net.Listener].
func (st *Streams) Addr() net.Addr { return returned{} }

// returned is where connections come from that were here before.
type returned struct{}

// Network implements [net.Addr].
func (returned) Network() string { return "streams" }

// String implements [net.Addr].
func (returned) String() string { return "streams" }

// admit counts the two goroutines of a stream in, unless no more are to begin.
func (st *Streams) admit() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.closed {
		return false
	}
	st.wg.Add(2)
	return true
}

// run has stream write to t, and makes of t what becomes of it then.
func (st *Streams) run(t *taken, stream func(context.Context, *sink)) {
	go func() { // ends with t.ctx, see Wait
		defer st.wg.Done()
		defer t.finish(st)
		stream(t.ctx, &sink{out: t})
	}()
	go func() { // ends when the connection is closed, which finish or the client sees to
		defer st.wg.Done()
		st.attend(t)
	}()
}

// attend waits for what the client does next. Who leaves ends the stream; who asks
// again, now or within the idle time, is answered once the stream has ended.
func (st *Streams) attend(t *taken) {
	left := t.hear() != nil
	if left {
		t.cancel()
	}
	<-t.over
	if left || !t.whole || !t.stay() {
		_ = t.conn.Close()
		return
	}
	select {
	case st.back <- &resumed{Conn: t.conn, ahead: t.ahead}:
	case <-st.life.Done():
		_ = t.conn.Close()
	}
}
