// Package outbound makes requests to addresses that other people named: pages to read,
// hooks to call, servers of a tenant.
//
// What it guarantees, wherever the address came from:
//
//   - The address is checked after the name is looked up and before the
//     connection is made, on every dial, redirects included. A name that points
//     elsewhere the second time gains nothing.
//   - Only public addresses on ports 80 and 443, except those an operator
//     allows; these may be reached on any port.
//   - Only http and https; no user or password in a URL, no proxy from the
//     environment, no cookies, no credentials.
//
// A request that is refused ends in an error that [errors.As] finds as [*Refused]
// and [errors.Is] as one of the reasons below.
package outbound

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// The reasons for a refusal.
var (
	ErrPrivate   = errors.New("the address is not public")
	ErrPort      = errors.New("only ports 80 and 443 are reached")
	ErrScheme    = errors.New("only http and https are read")
	ErrUserinfo  = errors.New("the address carries a user or password")
	ErrHost      = errors.New("the address names no host")
	ErrRedirects = errors.New("the server redirects without end")
)

// RefusedError is a request that was not made.
type RefusedError struct {
	Host   string // the host or address that was refused, as far as it is known
	Reason error  // one of the reasons above
}

// Error returns the host and the reason.
func (r *RefusedError) Error() string { return fmt.Sprintf("%s: %v", r.Host, r.Reason) }

// Unwrap returns the reason.
func (r *RefusedError) Unwrap() error { return r.Reason }

// Options of [NewClient]. The zero value reaches public addresses only.
type Options struct {
	Allow         []netip.Prefix // private addresses that may be reached all the same, on any port, such as an intranet; nil for none
	Timeout       time.Duration  // of a whole request with redirects and body. Zero means 20 s
	HeaderTimeout time.Duration  // from the request's end to the answer's header. Zero means 10 s
	DialTimeout   time.Duration  // of a connection, and of its TLS handshake. Zero means 5 s
	UserAgent     string         // sent when a request has none. Empty means "Quaestor"
	MaxRedirects  int            // followed in one request. Zero means 5; below zero, a redirect is an error
}

// maxHeader bounds the header of an answer, in bytes.
const maxHeader = 64 << 10

// NewClient returns a client that keeps the package's promises. It is safe for
// concurrent use; CloseIdleConnections frees what it holds.
func NewClient(o Options) *http.Client {
	o = o.withDefaults()
	return newClient(o, &net.Dialer{Timeout: o.DialTimeout, Control: newGuard(o.Allow).control})
}

// newClient builds the client over a dialer, which has the guard's check.
func newClient(o Options, d *net.Dialer) *http.Client {
	t := &http.Transport{
		Proxy:                  nil,
		DialContext:            d.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    o.DialTimeout,
		ResponseHeaderTimeout:  o.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
	}
	return &http.Client{
		Transport:     &plainTransport{next: t, agent: o.UserAgent},
		CheckRedirect: o.follow,
		Timeout:       o.Timeout,
	}
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.Timeout, 20 * time.Second}, {&o.HeaderTimeout, 10 * time.Second}, {&o.DialTimeout, 5 * time.Second}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	o.MaxRedirects = cmp.Or(o.MaxRedirects, 5)
	o.UserAgent = cmp.Or(o.UserAgent, "Quaestor")
	return o
}

// follow decides about one more redirect; what it leads to is checked by bare.
func (o Options) follow(r *http.Request, via []*http.Request) error {
	if len(via) > max(o.MaxRedirects, 0) {
		return &RefusedError{Host: r.URL.Host, Reason: ErrRedirects}
	}
	return nil
}

// Check reports whether u may be requested at all: its scheme, its host, and that it
// carries no user. The address behind the host is checked when it is dialled.
func Check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return &RefusedError{Host: u.Host, Reason: ErrScheme}
	case u.User != nil:
		return &RefusedError{Host: u.Host, Reason: ErrUserinfo}
	case u.Hostname() == "":
		return &RefusedError{Host: u.Host, Reason: ErrHost}
	}
	return nil
}
