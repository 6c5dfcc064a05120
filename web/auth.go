package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// authenticate finds out who makes a request: the holder of a bearer token, a
// guest of the session it is about, who signed in or, in development, whoever sits
// at this machine.
func (s *Server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r, ok := s.identified(w, r); ok {
			next.ServeHTTP(w, r)
		}
	})
}

// identified adds to a request who makes it, or refuses it.
func (s *Server) identified(w http.ResponseWriter, r *http.Request) (*http.Request, bool) {
	actor, came, err := s.ActorOf(r)
	if err != nil {
		if fault.Is(err, fault.Unauthenticated) && r.Header.Get("Authorization") == "" {
			dropStale(w, r)
		}
		s.problem(w, r, err)
		return nil, false
	}
	ctx := WithCredential(r.Context(), actor, came)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		ctx = context.WithValue(AsWrite(ctx), baseKey{}, BaseOf(r))
	}
	return r.WithContext(ctx), true
}

// ActorOf returns who makes a request, and what they came with.
func (s *Server) ActorOf(r *http.Request) (auth.Actor, credential, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return auth.Actor{}, credential{}, fault.New(fault.Unauthenticated, "only bearer tokens are taken: Authorization: Bearer qst_…")
		}
		token = strings.TrimSpace(token)
		actor, err := auth.Authenticate(r.Context(), s.Pool, token)
		return actor, credential{Token: token}, err
	}
	came, err := guestCredential(r)
	if err != nil {
		return auth.Actor{}, credential{}, err
	}
	if came.guest != nil {
		actor, err := s.guestBy(r.Context(), *came.guest, came.session)
		return actor, came, err
	}
	if came := s.SignedIn(r); came.Token != "" {
		actor, err := auth.Authenticate(r.Context(), s.Pool, came.Token)
		return actor, came, err
	}
	if s.Develop != nil {
		return *s.Develop, credential{}, nil
	}
	return auth.Actor{}, credential{}, fault.New(fault.Unauthenticated, "a token is needed: Authorization: Bearer qst_…; make one with: quaestor token create")
}

// Identified returns r as that of the holder of a bearer token, which a client sent in
// another place than the header.
func (s *Server) Identified(r *http.Request, token string) (*http.Request, error) {
	actor, err := auth.Authenticate(r.Context(), s.Pool, token)
	if err != nil {
		return nil, err
	}
	return r.WithContext(WithCredential(r.Context(), actor, credential{Token: token})), nil
}

// WithCredential returns ctx as that of an actor who came with something that is asked again
// while what they opened lasts.
func WithCredential(ctx context.Context, a auth.Actor, came credential) context.Context {
	return context.WithValue(WithActor(ctx, a), credentialKey, came)
}

// WithActor returns ctx as that of an actor.
func WithActor(ctx context.Context, a auth.Actor) context.Context {
	return context.WithValue(ctx, actorKey, a)
}

// ActorFrom returns who makes the request that ctx is of; the zero actor for nobody.
func ActorFrom(ctx context.Context) auth.Actor {
	a, _ := ctx.Value(actorKey).(auth.Actor)
	return a
}

// Need refuses an actor that lacks a permission.
func Need(a auth.Actor, p auth.Permission) error {
	if a.May(p) {
		return nil
	}
	return fault.New(fault.Forbidden, "your role, %s, does not allow this; it takes %s or a role above it", a.Role, p.Least()).Coded("role_too_low")
}

// Session returns a Session the actor may see: their own, one they take part
// in, or anybody's for reviewers. Any other is NotFound, as if it were not
// there. Those who only read along are refused when the request is a write.
func (s *Server) Session(ctx context.Context, id string) (sessions.Session, error) {
	a := ActorFrom(ctx)
	if err := Need(a, auth.Read); err != nil {
		return sessions.Session{}, err
	}
	known, err := uuid.Parse(id)
	if err != nil {
		return sessions.Session{}, sessions.NoSession()
	}
	found, part, err := sessions.FindAs(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: known.String()}, a.User)
	switch {
	case err != nil:
		return sessions.Session{}, err
	case a.May(auth.Review):
		return found, nil
	case part == sessions.NoRole || a.Session != "" && a.Session != found.ID:
		return sessions.Session{}, sessions.NoSession()
	case writes(ctx) && !part.MayTalk():
		return sessions.Session{}, sessions.NoTalking()
	}
	return found, nil
}

// BaseFrom returns where this server is reached, in the context of a write; empty in others.
func BaseFrom(ctx context.Context) string {
	base, _ := ctx.Value(baseKey{}).(string)
	return base
}

// BaseOf is where this server is reached, as the request knows it.
func BaseOf(r *http.Request) string {
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func (s *Server) Obligation(ctx context.Context, session sessions.Session, key string) (*obligations.Obligation, error) {
	_, list, err := s.Known(ctx, session)
	if err != nil {
		return nil, err
	}
	o := obligations.Find(list, key)
	if o == nil {
		return nil, fault.New(fault.NotFound, "the session has no obligation %q", Clip(key)).Coded("obligation_not_found")
	}
	return o, nil
}

// Known returns a session's objective and what is known of it, both in its language.
func (s *Server) Known(ctx context.Context, session sessions.Session) (*objectives.Definition, []obligations.Obligation, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return nil, nil, err
	}
	var list []obligations.Obligation
	b := postgres.NewBatch(session.Tenant)
	obligations.Load(b, session.Scope(), s.Library.Templates(ctx, session.Tenant), &list)
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, nil, err
	}
	return session.Speak(d, list), list, nil
}

// Needing is middleware for groups of pages. It refuses actors without a permission before
// anything is looked up: a refusal does not tell whether what was asked for exists.
func (s *Server) Needing(p auth.Permission) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
			if err := Need(ActorFrom(r.Context()), p); err != nil {
				return err
			}
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

// NeedManager returns the actor, if they manage the organisation.
func NeedManager(ctx context.Context) (auth.Actor, error) {
	a := ActorFrom(ctx)
	return a, Need(a, auth.Manage)
}
