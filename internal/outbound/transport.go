package outbound

import (
	"net/http"
	"net/netip"
	"time"
)

// NewTransport returns a transport for APIs that an organisation named and has a key for,
// such as that of a language model: it reaches what [NewDialer] reaches, on any port, and
// passes on the credentials of a request. It knows no proxy. Its client decides about
// redirects and about how long to wait; CloseIdleConnections frees what it holds.
func NewTransport(allow []netip.Prefix) *http.Transport {
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            NewDialer(allow).DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    5 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
	}
}
