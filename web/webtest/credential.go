package webtest

import (
	"context"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"quaestor/internal/auth"
)

// Hasty is the world with streams that ask after their reader every moment.
func (w *World) Hasty() *World {
	w.T.Helper()
	o := w.Server.Options
	o.KeepAlive = 20 * time.Millisecond
	other := *w
	other.Server = w.Server.With(o)
	other.URL, other.EndRequests = Serving(w.T, other.Server)
	return &other
}

// Revoke ends all tokens of a person.
func (w *World) Revoke(user string) {
	w.T.Helper()
	list, err := auth.Tokens(w.T.Context(), w.Pool, w.Tenant)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, token := range list {
		if token.User != user || token.Revoked != nil {
			continue
		}
		if err := auth.Revoke(w.T.Context(), w.Pool, w.Tenant, token.ID); err != nil {
			w.T.Fatal(err)
		}
	}
}

// Dialled is a websocket of a holder of a token.
func (w *World) Dialled(id string) *Socket {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), Patience)
	conn, _, err := websocket.Dial(ctx, w.SocketURL(id), &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.Token}}})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	return &Socket{w.T, ctx, conn}
}

// Ended returns the status a websocket is closed with, after what is left to read.
func (s *Socket) Ended() websocket.StatusCode {
	s.T.Helper()
	for {
		if _, _, err := s.Conn.Read(s.Ctx); err != nil {
			if s.Ctx.Err() != nil {
				s.T.Fatal("the websocket never ended")
			}
			return websocket.CloseStatus(err)
		}
	}
}
