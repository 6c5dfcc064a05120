package webtest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/share"
)

// Invites makes an invitation to the session of the town and returns it.
func (w *World) Invites(session string, role sessions.Role, name string) share.InvitationBody {
	w.T.Helper()
	return Fetch[share.InvitationBody](w, http.StatusCreated, Request{Path: "/api/v1/sessions/" + session + "/invitations", Body: map[string]any{"role": role, "name": name}})
}

func (w *World) Accepts(i share.InvitationBody) share.JoinedBody {
	w.T.Helper()
	return Fetch[share.JoinedBody](w, http.StatusOK, Request{Path: "/api/v1/invitations/accept", Body: map[string]string{"token": i.Token}})
}

// People are the users who take part in a session, with their roles.
func (w *World) People(session string) map[string]sessions.Role {
	w.T.Helper()
	out := map[string]sessions.Role{}
	for _, p := range Fetch[web.Page[share.ParticipantBody]](w, http.StatusOK, Request{Path: "/api/v1/sessions/" + session + "/participants"}).Items {
		out[p.UserID] = p.Role
	}
	return out
}

// LastEvent returns the number of the session's last event.
func LastEvent(w *World, session string) string {
	w.T.Helper()
	s := w.Stream(Request{Path: "/api/v1/sessions/" + session + "/events"})
	turns := Fetch[web.SessionBody](w, http.StatusOK, Request{Path: "/api/v1/sessions/" + session}).TurnCount
	last := ""
	for range turns {
		events := s.Until(sessions.KindDone)
		last = events[len(events)-1].ID
	}
	return last
}

// Exec changes rows of the world's tenant in a way the product does not.
func (w *World) Exec(sql string, args ...any) {
	w.T.Helper()
	b := postgres.NewBatch(w.Tenant)
	_, _ = b.Exec(w.T.Context(), sql, args...)
	if err := b.Send(w.T.Context(), w.Pool); err != nil {
		w.T.Fatal(err)
	}
}

func Serve(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}
