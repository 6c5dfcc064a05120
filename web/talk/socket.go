package talk

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// maxFrame bounds what a client sends at once: a message and its envelope.
const maxFrame = 256 << 10

// frame is what a client sends.
type frame struct {
	Type            string                     `json:"type"` // message or stop
	Message         string                     `json:"message"`
	ClientMessageID string                     `json:"clientMessageId"`
	Answers         map[string]json.RawMessage `json:"answers"`
	Files           []string                   `json:"files"` // ids of files of the session that come with the message
	Turn            int                        `json:"turn"`  // of stop
}

// socket is the session's log over a websocket, from ?after= on, and a way to
// talk. Each event is one text frame: the same JSON as in a stream, with its
// number as "seq"; a refused frame is answered by one of type "problem".
func (s *Handlers) socket(w http.ResponseWriter, r *http.Request) error {
	if web.CrossOrigin(r) {
		return web.ErrCrossSite()
	}
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	after, err := s.cursor(r, session.Scope())
	if err != nil {
		return err
	}
	conn, err := websocket.Accept(w, r, nil) // answers itself when it refuses
	if err != nil {
		return nil
	}
	defer func() { _ = conn.CloseNow() }()
	defer s.Metrics.StreamOpened()()
	conn.SetReadLimit(maxFrame)
	g, ctx := errgroup.WithContext(r.Context())
	g.Go(func() error { return hungUp(conn, s.listen(ctx, conn, session)) })
	g.Go(func() error {
		return hungUp(conn, s.tell(ctx, conn, session.Scope(), s.Hub.Subscribe(s.Pool, session.Scope(), after)))
	})
	_ = g.Wait()
	_ = conn.Close(websocket.StatusNormalClosure, "")
	return nil
}

// hungUp closes a websocket whose reader may not use it any more, and says so. It does
// before the context ends with err, for that closes the connection without a word.
func hungUp(conn *websocket.Conn, err error) error {
	if web.LostAccess(err) {
		_ = conn.Close(websocket.StatusPolicyViolation, "what this was opened with is not good any more")
	}
	return err
}

var (
	errClosed    = errors.New("the websocket is closed")
	errDismissed = errors.New("the reader takes part no longer")
)

// tell writes what the subscription brings, and pings when it is silent.
func (s *Handlers) tell(ctx context.Context, conn *websocket.Conn, scope obligations.Scope, sub *sessions.Subscription) error {
	defer sub.Close()
	watch := s.Watch(s.MayRead(scope.Session))
	for {
		events, err := sub.Next(ctx, watch.Left())
		if err != nil {
			return err
		}
		if err := watch.Check(ctx); err != nil {
			return err
		}
		if len(events) == 0 {
			if err := within(ctx, conn.Ping); err != nil {
				return err
			}
		}
		for _, e := range events {
			if err := write(ctx, conn, numbered(e)); err != nil {
				return err
			}
			if s.dismissed(ctx, scope, e) {
				return errDismissed
			}
		}
	}
}

// numbered returns an event's JSON with its number in front.
func numbered(e sessions.Event) []byte {
	if e.Seq == 0 {
		return e.Data
	}
	out := append([]byte(`{"seq":`), strconv.FormatInt(e.Seq, 10)...)
	return append(append(out, ','), e.Data[1:]...)
}

func write(ctx context.Context, conn *websocket.Conn, data []byte) error {
	return within(ctx, func(ctx context.Context) error { return conn.Write(ctx, websocket.MessageText, data) })
}

func within(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, web.WriteDeadline)
	defer cancel()
	return f(ctx)
}

// listen takes frames until the client leaves, or may not send any more.
func (s *Handlers) listen(ctx context.Context, conn *websocket.Conn, session sessions.Session) error {
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			return errClosed
		}
		now, over := s.Recheck(ctx, s.MayRead(session.ID))
		switch {
		case over != nil:
			err = over
		case kind != websocket.MessageText:
			err = fault.New(fault.Unsupported, "send JSON as text frames")
		default:
			err = s.take(now, session, data)
		}
		if err == nil {
			continue
		}
		if err := write(ctx, conn, refusedFrame(ctx, data, err)); err != nil {
			return err
		}
		if web.LostAccess(over) {
			return over
		}
	}
}

// refusedFrame is the problem that answers a frame. It names the message it refuses, if
// that can be read, and the request that opened the websocket.
func refusedFrame(ctx context.Context, data []byte, err error) []byte {
	var of struct {
		ClientMessageID string `json:"clientMessageId"`
	}
	_ = json.Unmarshal(data, &of) // what cannot be read has no name
	p := web.ProblemOf(err, web.RequestID(ctx))
	web.NoteProblem(ctx, p, err)
	body, _ := json.Marshal(struct {
		Type            string `json:"type"`
		ClientMessageID string `json:"clientMessageId,omitempty"`
		*problemFrame
	}{"problem", of.ClientMessageID, (*problemFrame)(p)})
	return body
}

// problemFrame is a problem whose own "type" makes room for the frame's.
type problemFrame web.Problem

// take acts on one frame.
func (s *Handlers) take(ctx context.Context, session sessions.Session, data []byte) error {
	f, err := web.ReadJSON[frame](data)
	if err != nil {
		return err
	}
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Talk); err != nil {
		return err
	}
	switch f.Type {
	case "message":
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		_, err := s.Engine.Start(ctx, chat.Input{Tenant: a.Tenant, User: a.User, SessionID: session.ID, Message: f.Message,
			ClientMessageID: f.ClientMessageID, Answers: f.Answers, Files: f.Files, Anyone: a.May(auth.Review)})
		return err
	case "stop":
		if _, err := s.Session(web.AsWrite(ctx), session.ID); err != nil {
			return err
		}
		return s.Engine.Stop(ctx, session.Scope(), f.Turn)
	}
	return fault.New(fault.Unprocessable, "a frame's type is message or stop, not %q", f.Type).At("type")
}
