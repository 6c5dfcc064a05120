package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
)

// Guests have no account. Each comes back to the one session they were invited
// to with a cookie of that session; nothing else here takes it.
const (
	GuestCookie = "quaestor_guest_" // and the session's id
	guestLasts  = 30 * 24 * time.Hour
)

// errGuestGone is the answer to a guest whose part has ended.
func errGuestGone() error {
	return fault.New(fault.Unauthenticated, "your part in this interview has ended; ask its owner for another invitation").Coded("guest_gone")
}

// guestCredential returns what a guest comes back to their session with; none when a
// request brings no cookie of the session it is about.
func guestCredential(r *http.Request) (credential, error) {
	if !strings.Contains(strings.Join(r.Header.Values("Cookie"), ";"), GuestCookie) {
		return credential{}, nil
	}
	session := sessionOf(r)
	cookie, err := r.Cookie(GuestCookie + session)
	if session == "" || err != nil {
		return credential{}, nil
	}
	ticket, err := auth.ReadTicket(auth.Guest, cookie.Value)
	if err != nil {
		return credential{}, errGuestGone()
	}
	return credential{guest: &ticket, session: session}, nil
}

// sessionOf returns the id of the session a request is about, empty for none.
func sessionOf(r *http.Request) string {
	for _, prefix := range []string{"/s/", "/api/v1/sessions/"} {
		if rest, ok := strings.CutPrefix(r.URL.Path, prefix); ok {
			id, _, _ := strings.Cut(rest, "/")
			return CanonicalID(id)
		}
	}
	if r.URL.Path == "/api/discovery-chat" {
		return CanonicalID(spokenOf(r))
	}
	return ""
}

// CanonicalID returns the id as it is kept, empty for what is none.
func CanonicalID(id string) string {
	known, err := uuid.Parse(id)
	if err != nil {
		return ""
	}
	return known.String()
}

// spokenOf returns the session a turn's body names, and leaves the body as it
// was.
func spokenOf(r *http.Request) string {
	head, err := io.ReadAll(io.LimitReader(r.Body, MaxBody))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), r.Body), r.Body}
	if err != nil {
		return ""
	}
	var body struct {
		SessionID string `json:"sessionId"`
	}
	_ = json.Unmarshal(head, &body) // what cannot be read names none, and is refused by who reads all of it
	return body.SessionID
}

// SetGuestCookie gives a browser the cookie of a session, or, with no secret, takes it
// away.
func SetGuestCookie(w http.ResponseWriter, r *http.Request, session, secret string) {
	c := sealedCookie(r, GuestCookie+session, secret, http.SameSiteLaxMode)
	c.MaxAge = int(guestLasts.Seconds())
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// dropStale takes away the cookie a request is refused for, so that the next one is
// not: of the session it is about, or else of who signed in.
func dropStale(w http.ResponseWriter, r *http.Request) {
	session := sessionOf(r)
	if _, err := r.Cookie(GuestCookie + session); err == nil && session != "" {
		SetGuestCookie(w, r, session, "")
		return
	}
	dropToken(w, r)
}

// AsRead marks a context as a read's, whatever the request was.
func AsRead(ctx context.Context) context.Context { return context.WithValue(ctx, writesKey{}, false) }

// AsWrite marks a context as a write's, whatever the request was.
func AsWrite(ctx context.Context) context.Context { return context.WithValue(ctx, writesKey{}, true) }

type baseKey struct{}

type writesKey struct{}

// writes reports whether a request changes something.
func writes(ctx context.Context) bool {
	changes, _ := ctx.Value(writesKey{}).(bool)
	return changes
}
