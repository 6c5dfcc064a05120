package sqlserver

import (
	"context"
	"net"

	"quaestor/research/warehouse/wire"
)

// dialer dials what may be reached. The driver hands the name over, and looks up
// nothing itself.
type dialer struct {
	wire.Reach
	host string
}

// DialContext connects to an address that may be reached.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return d.Dial(ctx, network, address)
}

// HostName tells the driver that names are looked up here.
func (d dialer) HostName() string { return d.host }
