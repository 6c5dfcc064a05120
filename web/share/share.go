package share

import (
	"context"
	"net/http"
	"time"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web"
)

// shared shows the brief of a link to whoever has it. Who asks for its head alone, as
// messengers do before they show a link, has not seen it.
func (s *Handlers) shared(w http.ResponseWriter, r *http.Request) error {
	find := sessions.OpenShare
	if r.Method == http.MethodHead {
		find = sessions.FindShare
	}
	found, m, err := s.shareFollowed(r.Context(), find)
	if err != nil {
		return err
	}
	secret := web.LinkSecret(r.Context())
	return web.Render(w, r, Shared(SharedView{Brief: brief.Of(m), Base: web.SharedPath + secret, Until: found.ExpiresAt}))
}

// sharedExport gives the same as a file.
func (s *Handlers) sharedExport(w http.ResponseWriter, r *http.Request) error {
	_, m, err := s.shareFollowed(r.Context(), sessions.FindShare)
	if err != nil {
		return err
	}
	format, err := web.FormatOf(r)
	if err != nil {
		return err
	}
	body, err := brief.Write(format, m.Anonymous())
	if err != nil {
		return err
	}
	return web.SendFile(w, format, "brief", body)
}

// findShareFunc looks a link up, at a time.
type findShareFunc = func(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (sessions.Share, error)

// shareFollowed returns what the link that is followed shows.
func (s *Handlers) shareFollowed(ctx context.Context, find findShareFunc) (sessions.Share, brief.Material, error) {
	secret := web.LinkSecret(ctx)
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
