package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"quaestor/internal/fault"
)

type contextKey int

const (
	requestKey contextKey = iota
	actorKey
	credentialKey
	failureKey
)

// nameRequest names a request, for problems and logs.
func nameRequest(w http.ResponseWriter, r *http.Request) *http.Request {
	id := "req_" + rand.Text()[:16]
	w.Header().Set("X-Request-Id", id)
	return r.WithContext(context.WithValue(r.Context(), requestKey, id))
}

// RequestID returns the name of the request that a context is of; empty for none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey).(string)
	return id
}

// arrive names each request, takes out of its address what nobody may write down,
// and turns a panic into a problem. What is done before the handler is done in
// functions that return: the stack below a stream stays for as long as the stream,
// and there are many.
func (s *Server) arrive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w, r = hideShare(w, hideInvitation(nameRequest(w, r)))
		r = s.accountable(r)
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v)
			}
			s.problem(w, r, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}()
		next.ServeHTTP(w, r)
	})
}

// accountable adds to a request how its problems are logged.
func (s *Server) accountable(r *http.Request) *http.Request {
	path := r.URL.Path
	log := func(p *Problem, err error) { s.logProblem(r.Context(), path, p, err) }
	return r.WithContext(context.WithValue(r.Context(), failureKey, log))
}

// contentPolicy lets a page load what this server serves and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func secureHeaders(h http.Header) {
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// plainAddress secures the answer and refuses addresses whose text cannot be.
func (s *Server) plainAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secureHeaders(w.Header())
		if !legible(r.URL) {
			s.problem(w, r, fault.New(fault.Invalid, "the address is not plain UTF-8 text").Coded("bad_address"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// uncoded refuses bodies that are compressed: nothing here unpacks them, and what they
// hold would be called broken.
func (s *Server) uncoded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
			w.Header().Set("Accept-Encoding", "identity")
			s.problem(w, r, fault.New(fault.Unsupported, "send the body as it is, without Content-Encoding").Coded("encoded_body"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// shortForms bounds the forms that pages send: net/http keeps up to 32 MB of one in
// memory and writes any number of files to the disk.
func shortForms(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t := MediaType(r); t == "multipart/form-data" || t == "application/x-www-form-urlencoded" {
			if limit := formLimit(r.URL.Path); limit > 0 {
				r.Body = http.MaxBytesReader(w, r.Body, limit)
			}
		}
		next.ServeHTTP(w, r)
	})
}

// formLimit is how many bytes a form at a path may have; 0 where files are taken,
// which have bounds of their own.
func formLimit(path string) int64 {
	switch {
	case strings.HasPrefix(path, "/s/") && strings.HasSuffix(path, "/say"), strings.HasPrefix(path, "/api/v1/sessions/") && strings.HasSuffix(path, "/files"):
		return 0
	case path == "/drafts" || strings.HasPrefix(path, "/drafts/"):
		return MaxObjectiveForm
	case path == "/data/packs/drafts":
		return MaxPackForm
	}
	return MaxBody
}

// legible reports whether an address is text: what is not UTF-8, or holds NUL, names
// nothing, and the database takes neither.
func legible(u *url.URL) bool {
	query, err := url.QueryUnescape(u.RawQuery)
	text := u.Path + query
	return err == nil && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// sameOrigin refuses writes that a page of another site has a browser make.
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(s.Handle(func(http.ResponseWriter, *http.Request) error { return ErrCrossSite() }))
	return p.Handler(next)
}

func ErrCrossSite() error {
	return fault.New(fault.Forbidden, "this request comes from a page of another site, which is not allowed here").Coded("cross_site")
}

// CrossOrigin reports whether a page of another origin makes the request.
func CrossOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || !strings.EqualFold(u.Host, r.Host)
}

// MediaType returns the media type of a request's body, without parameters.
func MediaType(r *http.Request) string {
	return BareMediaType(r.Header.Get("Content-Type"))
}

// BareMediaType is a media type without parameters.
func BareMediaType(kind string) string {
	kind, _, _ = strings.Cut(kind, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// MaxObjectiveForm bounds a form that carries an objective, which has a megabyte at
// most.
const MaxObjectiveForm = 2 << 20

// MaxPackForm bounds the form that makes a pack, with its files, in bytes.
const MaxPackForm = 32 << 20
