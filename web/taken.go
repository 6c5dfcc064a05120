package web

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// taken is a connection taken over from net/http within an answer whose head
// promised chunks. It is the outlet of one stream.
type taken struct {
	conn   net.Conn
	ctx    context.Context //nolint:containedctx // of the stream: it ends when the client leaves, or the server
	cancel context.CancelFunc
	broken bool   // a write failed; the stream's own
	ahead  []byte // what the client sent meanwhile; of attend, and who comes after it

	over  chan struct{} // closed when the stream has ended
	whole bool          // the answer is, and the connection may be used again; set before over
	stay  func() bool   // reports whether the connection is still open when it is; set before over
}

// mayTake reports whether an answer to r that is not begun will be made of chunks,
// and its connection fit for another request.
func (st *Streams) mayTake(r *http.Request) bool {
	return st != nil && r.ProtoMajor == 1 && r.ProtoMinor == 1 && !r.Close && wholly(r)
}

// take takes over the connection of an answer whose head was sent, with what the
// stream has to know of who reads it. It returns nil when net/http keeps it.
func (st *Streams) take(w http.ResponseWriter, r *http.Request) *taken {
	if !st.admit() {
		return nil
	}
	conn, buffers, err := http.NewResponseController(w).Hijack()
	if err != nil {
		st.wg.Add(-2)
		return nil
	}
	t := &taken{conn: conn, ahead: unread(buffers.Reader), over: make(chan struct{})}
	if c, ok := conn.(*resumed); ok && len(c.ahead) == 0 {
		t.conn = c.Conn
	}
	t.ctx, t.cancel = context.WithCancel(asIdentified(st.life, r.Context()))
	return t
}

// wholly reports whether a request was read to its end. What is left of it would be
// taken for the next one.
func wholly(r *http.Request) bool {
	if r.Body == http.NoBody {
		return true
	}
	if r.Method != http.MethodPost { // nobody read it
		return false
	}
	n, err := r.Body.Read(make([]byte, 1))
	return n == 0 && err == io.EOF
}

// unread returns what was read from a connection and not used. It is a copy: the
// reader's buffer is not to live on.
func unread(r *bufio.Reader) []byte {
	b, _ := r.Peek(r.Buffered())
	return bytes.Clone(b)
}

// hear waits for the first byte of what the client sends next.
func (t *taken) hear() error {
	if len(t.ahead) > 0 {
		return nil
	}
	b := make([]byte, 1)
	if _, err := io.ReadFull(t.conn, b); err != nil {
		return err
	}
	t.ahead = b
	return nil
}

// send implements [outlet]: each piece is a chunk.
func (t *taken) send(b []byte) error {
	buf := buffers.Get().(*[]byte) //nolint:forcetypeassert // nothing else is in the pool
	defer keepBuffer(buf)
	for piece := range slices.Chunk(b, maxWrite) {
		*buf = strconv.AppendInt((*buf)[:0], int64(len(piece)), 16)
		*buf = append(*buf, "\r\n"...)
		*buf = append(*buf, piece...)
		*buf = append(*buf, "\r\n"...)
		if err := t.write(*buf); err != nil {
			return err
		}
	}
	return nil
}

func (t *taken) write(b []byte) error {
	err := t.conn.SetWriteDeadline(time.Now().Add(writeDeadline))
	if err == nil {
		_, err = t.conn.Write(b)
	}
	t.broken = t.broken || err != nil
	return err
}

// finish ends the answer, and with the server the connection.
func (t *taken) finish(st *Streams) {
	defer close(t.over)
	left := t.ctx.Err() != nil && st.life.Err() == nil
	t.cancel()
	if t.broken || left || t.write([]byte("0\r\n\r\n")) != nil {
		_ = t.conn.Close()
		return
	}
	_ = t.conn.SetWriteDeadline(time.Time{})
	_ = t.conn.SetReadDeadline(time.Now().Add(st.idle))
	t.whole, t.stay = true, context.AfterFunc(st.life, func() { _ = t.conn.Close() })
}

// resumed is a connection of whose next request some was read.
type resumed struct {
	net.Conn
	ahead []byte
}

// Read implements [net.Conn].
func (c *resumed) Read(p []byte) (int, error) {
	if len(c.ahead) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.ahead)
	c.ahead = c.ahead[n:]
	return n, nil
}

// CloseWrite ends what is written, as net/http does before it closes a connection
// that still sends.
func (c *resumed) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}
