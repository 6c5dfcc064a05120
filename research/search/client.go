package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
)

// client is what the web engines share: an address, a key, limits.
type client struct {
	engine  string
	base    string // without a trailing slash
	key     secret.Secret
	http    *http.Client
	timeout time.Duration
}

// newClient checks o. base is the vendor's own address; it may be empty.
func newClient(engine, base string, o Options) (*client, error) {
	if o.Base != "" {
		base = o.Base
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fault.New(fault.Invalid, "must be an address such as https://search.example.com").At(engine + " address")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fault.New(fault.Invalid, "must have no user name, query or fragment; a key goes into the setting for keys").At(engine + " address")
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	return &client{engine: engine, base: strings.TrimRight(u.String(), "/"), key: o.Key, http: sameOrigin(o.Client), timeout: o.Timeout}, nil
}

// needsKey is the fault of an engine without the key it requires.
func needsKey(engine string) error {
	return fault.New(fault.Invalid, "is needed; the vendor gives one to each account").At(engine + " key")
}

// maxRedirects bounds the redirects of one search.
const maxRedirects = 3

// errRedirect refuses a redirect that would take the key to another origin.
var errRedirect = errors.New("redirect to another origin or method")

// sameOrigin returns a copy of base that follows redirects only within the origin
// and keeps no cookies.
func sameOrigin(base *http.Client) *http.Client {
	own := http.Client{}
	if base != nil {
		own.Transport = base.Transport
	}
	own.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		first := via[0]
		if len(via) > maxRedirects || r.URL.Scheme != first.URL.Scheme || r.URL.Host != first.URL.Host || r.Method != first.Method {
			return errRedirect
		}
		return nil
	}
	return &own
}

// answer is a complete response of an engine.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// get sends a GET request with a query string.
func (c *client) get(ctx context.Context, path string, query url.Values, header http.Header) (answer, error) {
	return c.send(ctx, http.MethodGet, path+"?"+query.Encode(), header, nil)
}

// post sends a POST request with a JSON body.
func (c *client) post(ctx context.Context, path string, body any, header http.Header) (answer, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return answer{}, fmt.Errorf("encode a search: %w", err)
	}
	header.Set("Content-Type", "application/json")
	return c.send(ctx, http.MethodPost, path, header, b)
}

// send makes one request and reads the response within the limits. Its errors are
// [*Error]: no response, a refused redirect, or a response that is too large.
func (c *client) send(ctx context.Context, method, target string, header http.Header, body []byte) (answer, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method, c.base+target, bytes.NewReader(body))
	if err != nil {
		return answer{}, &Error{Engine: c.engine, Kind: BadRequest, Detail: "the request cannot be written"}
	}
	req.Header = header
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Quaestor")
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, c.failed(ctx, limited, err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes+1))
	if err != nil {
		return answer{}, c.failed(ctx, limited, err)
	}
	if len(text) > maxBytes {
		return answer{}, c.malformed("more than 2 MB")
	}
	return answer{resp.StatusCode, resp.Header, text}, nil
}

// failed classifies an error of the network. If a context has ended, that is the
// cause, and err is only a consequence of it; err also contains the address.
func (c *client) failed(ctx, limited context.Context, err error) *Error {
	e := &Error{Engine: c.engine, Kind: Unavailable, Detail: "no connection"}
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil:
		e.Detail, e.cause = "given up", ctx.Err()
	case limited.Err() != nil:
		e.Detail = "no answer within " + c.timeout.String()
	case errors.Is(err, errRedirect):
		e.Kind, e.Detail = BadRequest, "it redirects to another address; set that one"
	case errors.As(err, &dns):
		e.Detail = "name not found"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Detail = "connection refused"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		e.Detail = "connection lost"
	}
	return e
}

// malformed is the error of a response that does not follow the API.
func (c *client) malformed(detail string) *Error {
	return &Error{Engine: c.engine, Kind: Malformed, Detail: detail}
}

// read decodes the body of a response with status 200 into v.
func (c *client) read(a answer, v any) error {
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(a.body), []byte("<")) {
		return c.malformed("a web page instead of JSON")
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		return c.malformed("no JSON of the API's shape")
	}
	return nil
}

// gather turns results into at most n hits. It leaves out results that cannot be
// decoded, addresses that are not opened, and duplicates. If there are results and
// none can be decoded, the API must have changed.
func gather[R any](c *client, results []json.RawMessage, n int, hit func(R) Hit) ([]Hit, error) {
	var hits []Hit
	seen, read := map[string]bool{}, 0
	for _, raw := range results {
		var r R
		if json.Unmarshal(raw, &r) != nil {
			continue
		}
		read++
		h := hit(r)
		h.URL, h.Engine = normal(h.URL), c.engine
		h.Title, h.Snippet, h.Published = plain(h.Title, maxTitle), plain(h.Snippet, maxSnippet), day(h.Published)
		if h.URL == "" || seen[h.URL] || len(hits) == n {
			continue
		}
		seen[h.URL] = true
		hits = append(hits, h)
	}
	if read == 0 && len(results) > 0 {
		return nil, c.malformed("results of another shape")
	}
	return hits, nil
}
