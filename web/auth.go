package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
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
	actor, came, err := s.actorOf(r)
	if err != nil {
		if fault.Is(err, fault.Unauthenticated) && r.Header.Get("Authorization") == "" {
			dropStale(w, r)
		}
		s.problem(w, r, err)
		return nil, false
	}
	ctx := context.WithValue(context.WithValue(r.Context(), actorKey, actor), credentialKey, came)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		ctx = context.WithValue(speaking(ctx), baseKey{}, baseOf(r))
	}
	return r.WithContext(ctx), true
}

// actorOf returns who makes a request, and what they came with.
func (s *Server) actorOf(r *http.Request) (auth.Actor, credential, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return auth.Actor{}, credential{}, fault.New(fault.Unauthenticated, "only bearer tokens are taken: Authorization: Bearer qst_…")
		}
		token = strings.TrimSpace(token)
		actor, err := auth.Authenticate(r.Context(), s.Pool, token)
		return actor, credential{token: token}, err
	}
	came, err := guestCredential(r)
	if err != nil {
		return auth.Actor{}, credential{}, err
	}
	if came.guest != nil {
		actor, err := s.guestBy(r.Context(), *came.guest, came.session)
		return actor, came, err
	}
	if came := s.signedIn(r); came.token != "" {
		actor, err := auth.Authenticate(r.Context(), s.Pool, came.token)
		return actor, came, err
	}
	if s.Develop != nil {
		return *s.Develop, credential{}, nil
	}
	return auth.Actor{}, credential{}, fault.New(fault.Unauthenticated, "a token is needed: Authorization: Bearer qst_…; make one with: quaestor token create")
}

func actorFrom(ctx context.Context) auth.Actor {
	a, _ := ctx.Value(actorKey).(auth.Actor)
	return a
}

// need refuses an actor that lacks a permission.
func need(a auth.Actor, p auth.Permission) error {
	if a.May(p) {
		return nil
	}
	return fault.New(fault.Forbidden, "your role, %s, does not allow this; it takes %s or a role above it", a.Role, p.Least()).Coded("role_too_low")
}

// session returns a session the actor may see: their own, one they take part
// in, or anybody's for reviewers. Any other is NotFound, as if it were not
// there. Those who only read along are refused when the request is a write.
func (s *Server) session(ctx context.Context, id string) (sessions.Session, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
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

// baseFrom returns where this server is reached, in the context of a write; empty in others.
func baseFrom(ctx context.Context) string {
	base, _ := ctx.Value(baseKey{}).(string)
	return base
}

// baseOf is where this server is reached, as the request knows it.
func baseOf(r *http.Request) string {
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
