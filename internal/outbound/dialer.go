package outbound

import (
	"net"
	"net/netip"
	"time"

	"code.dny.dev/ssrf"
)

// NewDialer returns a dialer for servers that are no web servers, such as
// databases: to public addresses and to those of allow, on any port. What it does
// not reach is a [*Refused]. A connection takes at most 10 s.
func NewDialer(allow []netip.Prefix) *net.Dialer {
	g := &guard{allow: allow, public: ssrf.New(ssrf.WithAnyPort())}
	return &net.Dialer{Timeout: 10 * time.Second, Control: g.control}
}
