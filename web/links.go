package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

const InvitePath = "/invite/"

// hideInvitation takes the secret of an invitation's link out of the address
// before anything could write that down.
func hideInvitation(r *http.Request) *http.Request {
	secret, ok := strings.CutPrefix(r.URL.Path, InvitePath)
	if !ok {
		return r
	}
	r = r.WithContext(context.WithValue(r.Context(), linkKey{}, secret))
	r.URL = &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: InvitePath + "link"}
	r.RequestURI = r.URL.Path
	return r
}

const SharedPath = "/share/"

// linkKey is where a request has the secret of the link it follows.
type linkKey struct{}

// LinkSecret returns the secret of the link, of an invitation or a share, that a request
// follows; empty for none.
func LinkSecret(ctx context.Context) string {
	secret, _ := ctx.Value(linkKey{}).(string)
	return secret
}

// hideShare takes the secret of a shared link out of the address before anything
// could write that down, and has every answer below it kept by nobody: not by
// caches, not by search engines, not in the address of where its links lead.
func hideShare(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, SharedPath)
	if !ok {
		return w, r
	}
	secret, below, _ := strings.Cut(rest, "/")
	r = r.WithContext(context.WithValue(r.Context(), linkKey{}, secret))
	query := url.Values{"format": {r.URL.Query().Get("format")}}
	r.URL = &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: SharedPath + "link", RawQuery: query.Encode()}
	switch below {
	case "":
	case "export":
		r.URL.Path += "/export"
	default:
		r.URL.Path += "/nothing"
	}
	r.RequestURI = r.URL.Path
	return &uncached{ResponseWriter: w}, r
}

// uncached is an answer that nobody is to keep.
type uncached struct {
	http.ResponseWriter
	begun bool
}

func (u *uncached) WriteHeader(status int) {
	u.begin()
	u.ResponseWriter.WriteHeader(status)
}

func (u *uncached) Write(b []byte) (int, error) {
	u.begin()
	return u.ResponseWriter.Write(b)
}

// Unwrap gives response controllers what is below.
func (u *uncached) Unwrap() http.ResponseWriter { return u.ResponseWriter }

func (u *uncached) begin() {
	if u.begun {
		return
	}
	u.begun = true
	h := u.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
}
