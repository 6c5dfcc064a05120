package web

import (
	"context"
	"slices"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// credential is what a request came with. What outlives its request, a stream or a
// websocket, asks with it again who that is.
type credential struct {
	Token   string       // a bearer's; empty for who came with something else
	browser bool         // the token is what a browser signed in with
	guest   *auth.Ticket // of a guest of session
	ticket  bool         // was one for a call of session, and is used up
	session string
}

func credentialFrom(ctx context.Context) credential {
	c, _ := ctx.Value(credentialKey).(credential)
	return c
}

// renew returns ctx with who its credential stands for by now. One that stands for
// nobody any more is Unauthenticated.
func (s *Server) renew(ctx context.Context) (context.Context, error) {
	actor, c := ActorFrom(ctx), credentialFrom(ctx)
	var err error
	switch {
	case c.Token != "":
		actor, err = auth.Authenticate(ctx, s.Pool, c.Token)
	case c.guest != nil:
		actor, err = s.guestBy(ctx, *c.guest, c.session)
	case c.ticket:
		actor, err = s.bearer(ctx, obligations.Scope{Tenant: actor.Tenant, Session: c.session}, actor.User)
	}
	if err != nil || actor == ActorFrom(ctx) {
		return ctx, err
	}
	return WithActor(ctx, actor), nil
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

// WithTicket returns ctx as that of who holds a ticket for a session in the name of user. They may
// do there what a member may, for as long as user could come in without it: as a guest of the session,
// or with a token with which they may talk. Otherwise it is Unauthenticated.
func (s *Server) WithTicket(ctx context.Context, scope obligations.Scope, user string) (context.Context, error) {
	a, err := s.bearer(ctx, scope, user)
	return WithCredential(ctx, a, credential{ticket: true, session: scope.Session}), err
}

// bearer returns the holder of a ticket.
func (s *Server) bearer(ctx context.Context, scope obligations.Scope, user string) (auth.Actor, error) {
	a := auth.Actor{Tenant: scope.Tenant, User: user, Role: auth.Member, Session: scope.Session}
	if s.Develop != nil { // nobody needs a token
		return a, nil
	}
	role, err := auth.RoleOf(ctx, s.Pool, scope.Tenant, user)
	if err != nil || (auth.Actor{Role: role}).May(auth.Talk) {
		return a, err
	}
	people, err := sessions.People(ctx, s.Pool, scope)
	if err == nil && !slices.ContainsFunc(people, func(p sessions.Participant) bool { return p.Guest && p.User == user }) {
		err = fault.New(fault.Unauthenticated, "who made this ticket has no token any more with which they may talk").Coded("ticket_gone")
	}
	return a, err
}

// Watch sees to it that a stream ends within a keep-alive of the time from which its
// reader may not read it any more. It asks once a keep-alive, however much flows.
type Watch struct {
	server *Server
	may    func(context.Context) error // asked when the reader's role is another
	asked  time.Time
}

func (s *Server) Watch(may func(context.Context) error) Watch {
	return Watch{server: s, may: may, asked: time.Now()}
}

// MayRead is for who reads a session.
func (s *Server) MayRead(session string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := s.Session(AsRead(ctx), session)
		return err
	}
}

// Left is how long it is until the reader has to be asked for again.
func (w *Watch) Left() time.Duration {
	return max(0, w.server.KeepAlive-time.Since(w.asked))
}

// Check returns an error once the reader may not read any more. A database that does
// not answer says nothing of the reader: it is asked again after another keep-alive.
func (w *Watch) Check(ctx context.Context) error {
	if w.Left() > 0 {
		return nil
	}
	w.asked = time.Now()
	if _, err := w.server.Recheck(ctx, w.may); LostAccess(err) {
		return err
	}
	return nil
}

// Recheck returns ctx with who its credential stands for by now; may is asked when that
// is not whom it stood for.
func (s *Server) Recheck(ctx context.Context, may func(context.Context) error) (context.Context, error) {
	now, err := s.renew(ctx)
	if err == nil && ActorFrom(now) != ActorFrom(ctx) {
		err = may(now)
	}
	return now, err
}

// LostAccess reports whether err says that who reads may not read any more.
func LostAccess(err error) bool {
	return fault.Is(err, fault.Unauthenticated) || fault.Is(err, fault.Forbidden) || fault.Is(err, fault.NotFound)
}
