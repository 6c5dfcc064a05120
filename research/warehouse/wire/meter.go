package wire

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"
)

// ErrTooMuch ends a connection on which more came than was asked for.
var ErrTooMuch = errors.New("the server sends more than a result may have")

// Budget is how many bytes may come, on whatever connections draw on it.
type Budget struct{ left atomic.Int64 }

// Allow lets n bytes come from now on.
func (b *Budget) Allow(n int64) { b.left.Store(n) }

// Over says whether more came than might.
func (b *Budget) Over() bool { return b.left.Load() < 0 }

// Metered returns a connection that draws on b and ends when more comes than may:
// for drivers that hold what the server calls one row in memory, however large.
func Metered(c net.Conn, b *Budget) net.Conn { return &metered{c, b} }

type metered struct {
	net.Conn
	budget *Budget
}

// Read reads what there is.
func (m *metered) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	if m.budget.left.Add(-int64(n)) < 0 {
		_ = m.Conn.Close()
		return 0, ErrTooMuch
	}
	return n, err
}

// SyscallConn lets drivers look whether the other end is still there.
func (m *metered) SyscallConn() (syscall.RawConn, error) {
	if c, ok := m.Conn.(syscall.Conn); ok {
		return c.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
