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

// showShared shows the brief of a link, and counts the view. A HEAD request, which
// messengers send before they show a link, is not counted.
func (s *Handlers) showShared(w http.ResponseWriter, r *http.Request) error {
	find := sessions.OpenShare // which counts
	if r.Method == http.MethodHead {
		find = sessions.FindShare
	}
	found, m, err := s.follow(r.Context(), find)
	if err != nil {
		return err
	}
	secret := web.LinkSecret(r.Context())
	return web.Render(w, r, Shared(SharedView{Brief: brief.Of(m), Base: web.SharedPath + secret, Until: found.ExpiresAt}))
}

// sharedExport answers with the brief of a link as a file, without the names of people.
// It does not count as a view.
func (s *Handlers) sharedExport(w http.ResponseWriter, r *http.Request) error {
	_, m, err := s.follow(r.Context(), sessions.FindShare)
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

// findShareFunc finds the link with a hash. One that is revoked or expired by now is an
// error.
type findShareFunc = func(ctx context.Context, db postgres.DB, tenant string, hash []byte, now time.Time) (sessions.Share, error)

// follow returns the link whose address was requested, and what a brief of its session is
// made from, to the extent of the link.
func (s *Handlers) follow(ctx context.Context, find findShareFunc) (sessions.Share, brief.Material, error) {
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
