package wire

import (
	"context"
	"net"
	"net/netip"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/outbound"
)

// Reach is what a connector may dial. The zero value reaches public addresses
// only.
type Reach struct {
	Allow   []netip.Prefix // private addresses that may be reached all the same
	Sockets bool           // whether a host that begins with a slash is a socket of this machine; for tests and private installations
}

// Check refuses a host that cannot be one.
func (r Reach) Check(host string) error {
	switch {
	case strings.HasPrefix(host, "/") && !r.Sockets:
		return fault.New(fault.Unprocessable, "sockets of this machine are not reached; give a name or an address").At(Host)
	case !strings.HasPrefix(host, "/") && strings.ContainsAny(host, "/@?# ,"):
		return fault.New(fault.Unprocessable, "must be a name or an address, without a scheme, port or path").At(Host)
	}
	return nil
}

// Dial connects to an address that r reaches. The name is looked up once, and what
// it stands for is what is checked.
func (r Reach) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "unix" && r.Sockets {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return outbound.NewDialer(r.Allow).DialContext(ctx, network, address)
}
