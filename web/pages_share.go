package web

import (
	"context"
	"net/http"
	"time"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web/ui"
)

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
	secret := linkSecret(r.Context())
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
	secret := linkSecret(ctx)
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
