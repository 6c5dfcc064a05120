package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web/ui"
)

const sharedPath = "/share/"

type shareKey struct{}

// hideShare takes the secret of a shared link out of the address before anything
// could write that down, and has every answer below it kept by nobody: not by
// caches, not by search engines, not in the address of where its links lead.
func hideShare(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, sharedPath)
	if !ok {
		return w, r
	}
	secret, below, _ := strings.Cut(rest, "/")
	r = r.WithContext(context.WithValue(r.Context(), shareKey{}, secret))
	query := url.Values{"format": {r.URL.Query().Get("format")}}
	r.URL = &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: sharedPath + "link", RawQuery: query.Encode()}
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

// shared shows the brief of a link to whoever has it. Who asks for its head alone, as
// messengers do before they show a link, has not seen it.
func (s *Server) shared(w http.ResponseWriter, r *http.Request) error {
	find := sessions.OpenShare
	if r.Method == http.MethodHead {
		find = sessions.FindShare
	}
	found, m, err := s.shareFollowed(r.Context(), find)
	if err != nil {
		return err
	}
	secret, _ := r.Context().Value(shareKey{}).(string)
	return render(w, r, ui.Shared(ui.SharedView{Brief: brief.Of(m), Base: sharedPath + secret, Until: found.ExpiresAt}))
}

// sharedExport gives the same as a file.
func (s *Server) sharedExport(w http.ResponseWriter, r *http.Request) error {
	_, m, err := s.shareFollowed(r.Context(), sessions.FindShare)
	if err != nil {
		return err
	}
	format, err := formatOf(r)
	if err != nil {
		return err
	}
	body, err := brief.Write(format, m.Anonymous())
	if err != nil {
		return err
	}
	return sendFile(w, format, "brief", body)
}

// findShareFunc looks a link up, at a time.
type findShareFunc = func(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (sessions.Share, error)

// shareFollowed returns what the link that is followed shows.
func (s *Server) shareFollowed(ctx context.Context, find findShareFunc) (sessions.Share, brief.Material, error) {
	secret, _ := ctx.Value(shareKey{}).(string)
	ticket, err := auth.ReadTicket(auth.Share, secret)
	if err != nil {
		return sessions.Share{}, brief.Material{}, sessions.NoShare()
	}
	found, err := find(ctx, s.Pool, ticket.Tenant, ticket.Hash, time.Now())
	if err != nil {
		return found, brief.Material{}, err
	}
	session, err := sessions.Find(ctx, s.Pool, found.Scope)
	if err != nil {
		return found, brief.Material{}, err
	}
	m, err := brief.Load(ctx, s.Pool, s.Library, session, found.Extent)
	return found, m, err
}
