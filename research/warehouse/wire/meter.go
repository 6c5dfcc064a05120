package wire

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"
)

// ErrTooMuch is returned by a connection that received more than its budget.
var ErrTooMuch = errors.New("the server sends more than a result may have")

// Budget is how many bytes may still arrive on the connections that draw on it. It is safe for
// concurrent use. Its zero value allows nothing.
type Budget struct{ left atomic.Int64 }

// Allow sets the budget to n bytes.
func (b *Budget) Allow(n int64) { b.left.Store(n) }

// Over reports whether the budget was exceeded.
func (b *Budget) Over() bool { return b.left.Load() < 0 }

// MeterConn returns a connection that draws on b and closes itself when b is exceeded. It protects
// drivers that hold one row in memory, however large a server makes it. Writing is not counted.
func MeterConn(c net.Conn, b *Budget) net.Conn { return &meteredConn{c, b} }

// meteredConn counts the bytes that are read from a connection.
type meteredConn struct {
	net.Conn
	budget *Budget
}

// Read reads and charges the budget.
func (m *meteredConn) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	if m.budget.left.Add(-int64(n)) < 0 {
		_ = m.Conn.Close()
		return 0, ErrTooMuch
	}
	return n, err
}

// SyscallConn lets drivers check whether the other end is still connected.
func (m *meteredConn) SyscallConn() (syscall.RawConn, error) {
	if c, ok := m.Conn.(syscall.Conn); ok {
		return c.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
