package outbound

import (
	"errors"
	"net/http"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard decides about addresses as they are dialled.
type guard struct {
	allow  []netip.Prefix
	public *ssrf.Guardian // denies what the registries of special addresses list
}

func newGuard(allow []netip.Prefix) *guard {
	return &guard{allow: allow, public: ssrf.New()}
}

// control is a [net.Dialer]'s Control: it runs after the look-up, before the
// connection, for every address tried. An allowed prefix is asked first, because
// the list of ports is not for what an operator allows.
func (g *guard) control(network, address string, c syscall.RawConn) error {
	if g.allowed(address) {
		return nil
	}
	err := g.public.Safe(network, address, c)
	if err == nil {
		return nil
	}
	if errors.Is(err, ssrf.ErrProhibitedPort) && g.isPublic(address) {
		return &RefusedError{Host: address, Reason: ErrPort}
	}
	return &RefusedError{Host: address, Reason: ErrPrivate}
}

// allowed reports whether an operator allows the address.
func (g *guard) allowed(address string) bool {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return false
	}
	for _, p := range g.allow {
		if p.Contains(at.Addr().Unmap()) {
			return true
		}
	}
	return false
}

// isPublic reports whether only the port is wrong.
func (g *guard) isPublic(address string) bool {
	at, err := netip.ParseAddrPort(address)
	return err == nil && g.public.SafeAddr(at.Addr()) == nil
}

// plainTransport sends requests that carry nothing of ours. It sees every request,
// redirects included, which a client's own hooks do not.
type plainTransport struct {
	next  *http.Transport
	agent string
}

// RoundTrip refuses what [Check] refuses and sends a copy of r without
// credentials, cookies and the page it came from.
func (b *plainTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := Check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // the contract of a RoundTripper; there is nothing to report
		}
		return nil, err
	}
	own := r.Clone(r.Context())
	for _, h := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Referer"} {
		own.Header.Del(h)
	}
	if own.Header.Get("User-Agent") == "" {
		own.Header.Set("User-Agent", b.agent)
	}
	return b.next.RoundTrip(own)
}

// CloseIdleConnections frees the connections nobody uses.
func (b *plainTransport) CloseIdleConnections() { b.next.CloseIdleConnections() }
