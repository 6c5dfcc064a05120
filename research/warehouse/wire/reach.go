package wire

import (
	"context"
	"net"
	"net/netip"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/outbound"
)

// Reach is what a connector may dial. The zero value allows public addresses only. It is not
// modified after construction and safe for concurrent use.
type Reach struct {
	Allow   []netip.Prefix // private addresses that are allowed nevertheless
	Sockets bool           // a host that begins with a slash is a local socket; for tests and private installations
}

// Check refuses a host that is malformed or not allowed. The error is a [*fault.Error] for the
// field [Host]. Whether the address itself is allowed is known only once it is dialled.
func (r Reach) Check(host string) error {
	switch {
	case strings.HasPrefix(host, "/") && !r.Sockets:
		return fault.New(fault.Unprocessable, "sockets of this machine are not reached; give a name or an address").At(Host)
	case !strings.HasPrefix(host, "/") && strings.ContainsAny(host, "/@?# ,"):
		return fault.New(fault.Unprocessable, "must be a name or an address, without a scheme, port or path").At(Host)
	}
	return nil
}

// Dial connects to an address that r allows. The name is resolved once, and the resulting
// address is both checked and dialled, so that a second lookup cannot change it.
func (r Reach) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "unix" && r.Sockets {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return outbound.NewDialer(r.Allow).DialContext(ctx, network, address)
}
