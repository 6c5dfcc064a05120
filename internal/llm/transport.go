package llm

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
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
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return sender{c}, nil
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dial,
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

// sender is a connection that sends prompts through shared buffers: a TCP
// connection makes one as large as the prompt for each request.
type sender struct{ net.Conn }

// sendBuffers are those not in use.
var sendBuffers = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// ReadFrom implements [io.ReaderFrom].
func (s sender) ReadFrom(r io.Reader) (int64, error) {
	b := sendBuffers.Get().(*[16 << 10]byte)
	defer sendBuffers.Put(b)
	return io.CopyBuffer(struct{ io.Writer }{s.Conn}, r, b[:])
}
