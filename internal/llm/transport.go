package llm

import (
	"errors"
	"net"
	"net/http"
	"time"
)

// maxRedirects bounds how often one request follows the server elsewhere.
const maxRedirects = 3

// errRedirect refuses a redirect that would carry the request, and with it the
// prompt and the key, to another origin or turn it into another method.
var errRedirect = errors.New("redirect to another origin or method")

// sameOrigin returns a copy of base that follows redirects within one origin
// only. A nil base means a client of our own making.
func sameOrigin(base *http.Client) *http.Client {
	if base == nil {
		base = &http.Client{Transport: newTransport()}
	}
	own := *base
	own.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		first := via[0]
		if len(via) > maxRedirects || r.URL.Scheme != first.URL.Scheme || r.URL.Host != first.URL.Host || r.Method != first.Method {
			return errRedirect
		}
		return nil
	}
	return &own
}

// newTransport keeps many connections to one host and little memory on each. It
// sets no header timeout: an attempt's watch covers dialling, headers and the
// first content with one timer, whichever client is used.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConnsPerHost:    512,
		IdleConnTimeout:        90 * time.Second,
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
		ReadBufferSize:         1 << 10,
		WriteBufferSize:        1 << 10,
	}
}
