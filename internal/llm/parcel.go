package llm

import (
	"errors"
	"io"
	"sync/atomic"
)

// errDropped says that a body was asked for after its answer had begun.
var errDropped = errors.New("request body is gone")

// parcel is a request body that is let go once the answer begins. net/http keeps
// a request until its answer ends; a prompt of many kilobytes would stay in
// memory for as long as its stream flows.
type parcel struct {
	data atomic.Pointer[[]byte]
}

// newParcel wraps data, which must not change any more.
func newParcel(data []byte) *parcel {
	p := &parcel{}
	p.data.Store(&data)
	return p
}

// open returns the body from its start, for the first time or, on a redirect or
// a stale connection, once more.
func (p *parcel) open() (io.ReadCloser, error) {
	data := p.data.Load()
	if data == nil {
		return nil, errDropped
	}
	return &unpacking{rest: *data}, nil
}

// drop lets go of the body. Who reads it at that moment reads on.
func (p *parcel) drop() { p.data.Store(nil) }

// unpacking is one reading of a parcel. It belongs to the goroutine that sends.
type unpacking struct {
	rest []byte
}

// Read implements [io.Reader].
func (u *unpacking) Read(p []byte) (int, error) {
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	if len(u.rest) == 0 {
		u.rest = nil
		return n, io.EOF
	}
	return n, nil
}

// Close implements [io.Closer].
func (u *unpacking) Close() error { return nil }
