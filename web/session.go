package web

import (
	"context"
	"net/http"

	"quaestor/sessions"
)

// SessionPath is the address of a session. The inputs of operations on one session embed
// it, for [InSession].
type SessionPath struct {
	ID string `path:"id" doc:"id of the session"`
}

func (p SessionPath) sessionID() string { return p.ID }

// FindSession returns the session of an id to an actor who may do with it what they are
// about to do, and refuses all others.
type FindSession = func(ctx context.Context, id string) (sessions.Session, error)

// sessionInput is what a pointer to an input that embeds [SessionPath] can do.
type sessionInput[I any] interface {
	*I
	sessionID() string
}

// InSession returns f as an operation on the session of its address, which find looks up.
func InSession[I, O any, P sessionInput[I]](find FindSession, f func(context.Context, sessions.Session, P) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		session, err := find(ctx, P(in).sessionID())
		if err != nil {
			return out, err
		}
		return f(ctx, session, in)
	}
}

// SessionPage returns f as the handler of a page about the session of its address, which
// find looks up.
func (s *Server) SessionPage(find FindSession, f func(http.ResponseWriter, *http.Request, sessions.Session) error) http.HandlerFunc {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		session, err := find(r.Context(), r.PathValue("id"))
		if err != nil {
			return err
		}
		return f(w, r, session)
	})
}
