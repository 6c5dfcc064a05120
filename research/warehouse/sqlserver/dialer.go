package sqlserver

import (
	"context"
	"net"

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
	return d.Dial(ctx, network, address)
}

// HostName implements the driver's interface, by which it leaves name resolution to the dialer.
func (d dialer) HostName() string { return d.host }
