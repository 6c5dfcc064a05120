package webtest

import (
	"context"
	"testing"

	"github.com/coder/websocket"

	"quaestor/sessions"
)

// Socket is a websocket of a session.
type Socket struct {
	T    testing.TB
	Ctx  context.Context
	Conn *websocket.Conn
}

func (w *World) Socket(id, query string) *Socket {
	w.T.Helper()
	ctx, cancel := context.WithTimeout(w.T.Context(), Patience)
	conn, _, err := websocket.Dial(ctx, w.SocketURL(id)+query, nil)
	if err != nil {
		w.T.Fatalf("open the websocket: %v", err)
	}
	w.T.Cleanup(func() { _ = conn.CloseNow(); cancel() })
	return &Socket{w.T, ctx, conn}
}

func (s *Socket) Send(text string) {
	s.T.Helper()
	if err := s.Conn.Write(s.Ctx, websocket.MessageText, []byte(text)); err != nil {
		s.T.Fatal(err)
	}
}

// Until reads up to and including the first frame of that type.
func (s *Socket) Until(kind sessions.Kind) []Told {
	s.T.Helper()
	var out []Told
	for {
		_, raw, err := s.Conn.Read(s.Ctx)
		if err != nil {
			s.T.Fatalf("the frame %s never came: %v", kind, err)
		}
		e := fromFrame(s.T, raw)
		if out = append(out, e); e.Type == kind {
			return out
		}
	}
}
