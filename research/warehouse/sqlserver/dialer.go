package sqlserver

import (
	"context"
	"database/sql/driver"
	"net"
	"sync"

	"quaestor/research/warehouse/wire"
)

// dialer dials allowed addresses only. The driver passes the host's name on and does not resolve it
// itself.
type dialer struct {
	wire.Reach
	host string
}

// DialContext connects to an address that may be reached.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.Dial(ctx, network, address)
	if l, ok := ctx.Value(loginKey{}).(*login); ok && err == nil {
		l.began(c)
	}
	return c, err
}

// HostName implements the driver's interface, by which it leaves name resolution to the dialer.
func (d dialer) HostName() string { return d.host }

// bounded gives up a login after its time. The driver waits for the answers of a login without
// regarding its context, so the connection is closed under it.
type bounded struct{ driver.Connector }

// Connect implements [driver.Connector].
func (b bounded) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	l := &login{}
	stop := context.AfterFunc(ctx, l.abort)
	c, err := b.Connector.Connect(context.WithValue(ctx, loginKey{}, l))
	if !stop() && err == nil { // it was closed at the last moment
		_ = c.Close()
		return nil, ctx.Err()
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return c, err
}

// loginKey is the key of a [login] in a context.
type loginKey struct{}

// login is a login that is under way.
type login struct {
	mu   sync.Mutex // guards the rest
	conn net.Conn   // nil before it was dialled
	over bool       // its time is over
}

// began records the connection of a login, and closes it if its time is over.
func (l *login) began(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conn = c
	if l.over {
		_ = c.Close()
	}
}

// abort closes the connection of a login.
func (l *login) abort() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	if l.conn != nil {
		_ = l.conn.Close()
	}
}
