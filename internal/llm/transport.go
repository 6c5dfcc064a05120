package llm

import (
	"net"
	"net/http"
	"time"
)

// maxRedirects bounds how often one request follows the server elsewhere.
const maxRedirects = 3

// sameOrigin returns a copy of base that follows redirects within one origin and
// with the same method only: others would carry the prompt and the key elsewhere, or
// leave the prompt out. A nil base means a client of our own making.
func sameOrigin(base *http.Client) *http.Client {
	if base == nil {
		base = &http.Client{Transport: newTransport()}
	}
	own := *base
	own.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		first := via[0]
		if len(via) > maxRedirects || r.URL.Scheme != first.URL.Scheme || r.URL.Host != first.URL.Host || r.Method != first.Method {
			return http.ErrUseLastResponse // a status like any other that is not 200
		}
		return nil
	}
	return &own
}

// newTransport keeps many connections to one host and little memory on each. It
// sets no header timeout: the watch covers dialling, headers and the first content
// with one timer, whichever client is used.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConnsPerHost:    512,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
}
