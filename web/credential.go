package web

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// credential is what a request came with. What outlives its request, a stream or a
// websocket, asks with it again who that is.
type credential struct {
	token   string       // a bearer's; empty for who came with something else
	browser bool         // the token is what a browser signed in with
	guest   *auth.Ticket // of a guest of session
	session string
}

func credentialFrom(ctx context.Context) credential {
	c, _ := ctx.Value(credentialKey).(credential)
	return c
}

// renewed returns ctx with who its credential stands for by now. One that stands for
// nobody any more is Unauthenticated.
func (s *Server) renewed(ctx context.Context) (context.Context, error) {
	actor, c := actorFrom(ctx), credentialFrom(ctx)
	var err error
	switch {
	case c.token != "":
		actor, err = auth.Authenticate(ctx, s.Pool, c.token)
	case c.guest != nil:
		actor, err = s.guestBy(ctx, *c.guest, c.session)
	}
	if err != nil || actor == actorFrom(ctx) {
		return ctx, err
	}
	return context.WithValue(ctx, actorKey, actor), nil
}

// guestBy returns the guest of a session who comes back with a ticket.
func (s *Server) guestBy(ctx context.Context, ticket auth.Ticket, session string) (auth.Actor, error) {
	who, err := sessions.FindGuest(ctx, s.Pool, obligations.Scope{Tenant: ticket.Tenant, Session: session}, ticket.Hash)
	if err != nil {
		return auth.Actor{}, err
	}
	if who == nil {
		return auth.Actor{}, errGuestGone()
	}
	return auth.Actor{Tenant: ticket.Tenant, User: who.User, Role: auth.Member, Session: session}, nil
}

// watch sees to it that a stream ends within a keep-alive of the time from which its
// reader may not read it any more. It asks once a keep-alive, however much flows.
type watch struct {
	server *Server
	may    func(context.Context) error // asked when the reader's role is another
	asked  time.Time
}

func (s *Server) watch(may func(context.Context) error) watch {
	return watch{server: s, may: may, asked: time.Now()}
}

// mayRead is for who reads a session.
func (s *Server) mayRead(session string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := s.session(asRead(ctx), session)
		return err
	}
}

// left is how long it is until the reader has to be asked for again.
func (w *watch) left() time.Duration {
	return max(0, w.server.KeepAlive-time.Since(w.asked))
}

// still returns an error once the reader may not read any more. A database that does
// not answer says nothing of the reader: it is asked again after another keep-alive.
func (w *watch) still(ctx context.Context) error {
	if w.left() > 0 {
		return nil
	}
	w.asked = time.Now()
	if _, err := w.server.confirmed(ctx, w.may); isOver(err) {
		return err
	}
	return nil
}

// confirmed returns ctx with who its credential stands for by now; may is asked when that
// is not whom it stood for.
func (s *Server) confirmed(ctx context.Context, may func(context.Context) error) (context.Context, error) {
	now, err := s.renewed(ctx)
	if err == nil && actorFrom(now) != actorFrom(ctx) {
		err = may(now)
	}
	return now, err
}

// isOver reports whether err says that who reads may not read any more.
func isOver(err error) bool {
	return fault.Is(err, fault.Unauthenticated) || fault.Is(err, fault.Forbidden) || fault.Is(err, fault.NotFound)
}
