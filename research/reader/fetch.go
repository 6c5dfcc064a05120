package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/outbound"
)

const (
	maxRedirects  = 5
	maxURL        = 4_096 // bytes
	maxRetryAfter = 24 * time.Hour
)

// fetch is the reading of one page, with a visit to each host it redirects to.
type fetch struct {
	r     *Reader
	asked string
	left  time.Duration // of the time for requests
}

// response is a server's response.
type response struct {
	url    *url.URL
	status int
	header http.Header
	body   []byte // empty unless status is 200 to 299
	cut    bool
	at     time.Time
}

// run follows redirects until it has the page.
func (e *fetch) run(ctx context.Context) (response, error) {
	u, err := e.parse()
	if err != nil {
		return response{}, err
	}
	for range maxRedirects + 1 {
		g, err := e.visit(ctx, u)
		if err != nil {
			return response{}, err
		}
		to := g.header.Get("Location")
		if g.status/100 == 2 {
			return g, nil
		}
		if g.status/100 != 3 || g.status == http.StatusNotModified || to == "" {
			return response{}, e.refusal(g)
		}
		if u, err = e.next(g.url, to); err != nil {
			return response{}, err
		}
	}
	return response{}, e.fail(Redirect, "the page leads from one address to the next without end", nil)
}

// parse checks the address asked for.
func (e *fetch) parse() (*url.URL, error) {
	if len(e.asked) > maxURL {
		return nil, e.fail(BadURL, "the address is too long", nil)
	}
	u, err := url.Parse(strings.TrimSpace(e.asked))
	if err != nil {
		return nil, e.fail(BadURL, "the address cannot be read", err)
	}
	if err := outbound.Check(u); err != nil {
		return nil, e.fail(BadURL, "this is no address of a page: "+errors.Unwrap(err).Error(), err)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// next returns the target of a redirect.
func (e *fetch) next(from *url.URL, to string) (*url.URL, error) {
	u, err := from.Parse(to)
	if err != nil || len(to) > maxURL {
		return nil, e.fail(Redirect, "the page leads to an address that cannot be read", err)
	}
	if err := outbound.Check(u); err != nil {
		return nil, e.fail(Redirect, "the page leads to what is not read: "+errors.Unwrap(err).Error(), err)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// visit requests one address from one host, when it is its turn there.
// Reading the host's robots.txt, if necessary, is part of the visit.
func (e *fetch) visit(ctx context.Context, u *url.URL) (response, error) {
	at := e.r.hosts.enter(u.Scheme+"://"+strings.ToLower(u.Host), time.Now())
	defer e.r.hosts.leave(at)
	if err := at.acquire(ctx); err != nil {
		return response{}, outOfTime(e.asked, err)
	}
	defer func() { at.release(time.Now(), e.r.o.Gap) }()
	if err := e.obey(ctx, at, u); err != nil {
		return response{}, err
	}
	return e.ask(ctx, e.r.pages.RoundTrip, u, e.r.o.MaxBytes)
}

// obey reads the host's robots.txt if it is not known, and refuses addresses it
// disallows. The caller must hold the host's turn.
func (e *fetch) obey(ctx context.Context, at *host, u *url.URL) error {
	if time.Now().After(at.until) {
		if err := e.learn(ctx, at, u); err != nil {
			return err
		}
	}
	target := u.EscapedPath()
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	if !at.rules.allows("/" + strings.TrimPrefix(target, "/")) {
		return e.fail(Robots, fmt.Sprintf("%s asks programs not to read this page", u.Host), nil)
	}
	return nil
}

// learn reads the host's robots.txt. A missing one allows everything. If the server
// fails, nothing is allowed this time and it is asked again next time.
func (e *fetch) learn(ctx context.Context, at *host, u *url.URL) error {
	g, err := e.ask(ctx, e.r.robots.Do, &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}, maxRobots)
	if err != nil {
		return err
	}
	switch g.status / 100 {
	case 2:
		at.rules = parseRobots(g.body)
	case 4:
		at.rules = rules{}
	default:
		err := e.fail(Robots, fmt.Sprintf("%s cannot say now what programs may read", u.Host), nil)
		err.Status, err.RetryAfter = g.status, retryAfter(g.header, g.at)
		return err
	}
	at.until = time.Now().Add(rulesStand)
	return nil
}

// ask sends one request and reads the response, within the time that is left.
func (e *fetch) ask(ctx context.Context, send func(*http.Request) (*http.Response, error), u *url.URL, limit int) (response, error) {
	start := time.Now()
	defer func() { e.left -= time.Since(start) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clock := time.AfterFunc(e.left, func() { cancel(errLong) })
	defer clock.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return response{}, e.fail(BadURL, "the address cannot be read", err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,application/pdf,text/plain,text/markdown,text/csv,*/*;q=0.5")
	res, err := send(req)
	if err != nil {
		return response{}, e.connError(ctx, u, err)
	}
	defer func() { _ = res.Body.Close() }() // the part needed has been read
	g := response{url: u, status: res.StatusCode, header: res.Header, at: time.Now().UTC()}
	if res.StatusCode/100 == 2 {
		if g.body, g.cut, err = e.download(res, limit, func() { cancel(errSlow) }); err != nil {
			return response{}, e.connError(ctx, u, err)
		}
	}
	return g, nil
}

// download reads a body up to the limit, as long as it keeps arriving.
func (e *fetch) download(res *http.Response, limit int, slow func()) ([]byte, bool, error) {
	if how := res.Header.Get("Content-Encoding"); how != "" && !strings.EqualFold(how, "identity") {
		return nil, false, unreadable(e.asked, "the page is packed in a way nobody asked for")
	}
	d := &watchedBody{from: res.Body}
	defer d.watch(e.r.o.Stall, slow)()
	body, err := io.ReadAll(io.LimitReader(d, int64(limit)+1))
	if err != nil && len(body) <= limit {
		return nil, false, err
	}
	if len(body) <= limit {
		return body, false, nil
	}
	return []byte(language.HeadBytes(string(body), limit)), true, nil
}

// refusal is the failure for a status that is neither success nor a redirect.
func (e *fetch) refusal(g response) *Error {
	err := e.fail(Status, fmt.Sprintf("%s answered %d %s", g.url.Host, g.status, http.StatusText(g.status)), nil)
	err.Status, err.RetryAfter = g.status, retryAfter(g.header, g.at)
	return err
}

// retryAfter returns how long the server asks to be left alone, given in seconds or
// as a date; at most a day.
func retryAfter(h http.Header, now time.Time) time.Duration {
	said := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(said); err == nil {
		return time.Duration(min(max(seconds, 0), int(maxRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(said); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}

// whole refuses a truncated file of a format that cannot be read without its end.
func (g response) whole(mediaType string, limit int) error {
	if !g.cut {
		return nil
	}
	f, err := formOf(g.url.String(), mediaType, g.body)
	if err == nil && (f == formPDF || f == formDOCX) {
		return &Error{Kind: TooLarge, URL: g.url.String(), Detail: fmt.Sprintf("the file has more than %d KiB and is only read whole", limit>>10)}
	}
	return nil
}
