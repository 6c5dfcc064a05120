package talk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// maxFrame bounds a frame of a client, in bytes. A message of the greatest length fits
// even when JSON escapes most of it, with its answers.
const maxFrame = 256 << 10

// startLimit bounds the start of a turn over a websocket, which has no request of its own
// that could end.
const startLimit = 10 * time.Second

// frame is what a client sends.
type frame struct {
	Type            string                     `json:"type"` // message or stop
	Message         string                     `json:"message"`
	ClientMessageID string                     `json:"clientMessageId"`
	Answers         map[string]json.RawMessage `json:"answers"`
	Files           []string                   `json:"files"` // ids of files of the session that come with the message
	Turn            int                        `json:"turn"`  // of stop
}

// socket serves the session's log over a websocket, from ?after= on, and takes messages.
// Each event is a text frame with the same JSON as in a stream and its number as "seq". A
// refused frame is answered by a frame of type "problem".
func (s *Handlers) socket(w http.ResponseWriter, r *http.Request) error {
	if web.CrossOrigin(r) {
		return web.ErrCrossSite()
	}
	scope, after, err := s.place(r)
	if err != nil {
		return err
	}
	closed, err := s.Streaming(r.Context())
	if err != nil {
		return err
	}
	defer closed()
	conn, err := websocket.Accept(w, r, nil) // answers the request itself when it refuses
	if err != nil {
		return nil
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxFrame)
	g, ctx := errgroup.WithContext(r.Context())
	g.Go(func() error { return hangUp(conn, s.receive(ctx, conn, scope)) })
	g.Go(func() error {
		return hangUp(conn, s.send(ctx, conn, scope, s.Hub.Subscribe(s.Pool, scope, after)))
	})
	_ = g.Wait()
	_ = conn.Close(websocket.StatusNormalClosure, "")
	return nil
}

// hangUp closes conn with a reason when err means that its reader has lost access, and
// returns err. It has to happen before the group ends the context, which closes conn
// without a reason.
func hangUp(conn *websocket.Conn, err error) error {
	if web.LostAccess(err) {
		_ = conn.Close(websocket.StatusPolicyViolation, "the credential that opened this is no longer valid here")
	}
	return err
}

// What ends the two halves of a websocket. Neither is shown to anybody.
var (
	errClosed    = errors.New("the websocket is closed")
	errDismissed = errors.New("the reader no longer takes part")
)

// send writes what sub brings, and closes sub. It pings while there is nothing to write.
func (s *Handlers) send(ctx context.Context, conn *websocket.Conn, scope obligations.Scope, sub *sessions.Subscription) error {
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
			if err := inTime(ctx, conn.Ping); err != nil {
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

// numbered returns the JSON of e with its number. The number is put in front of the stored
// text, which reaches readers byte for byte.
func numbered(e sessions.Event) []byte {
	if e.Seq == 0 {
		return e.Data
	}
	out := append([]byte(`{"seq":`), strconv.FormatInt(e.Seq, 10)...)
	return append(append(out, ','), e.Data[1:]...)
}

// write sends data as one text frame.
func write(ctx context.Context, conn *websocket.Conn, data []byte) error {
	return inTime(ctx, func(ctx context.Context) error { return conn.Write(ctx, websocket.MessageText, data) })
}

// inTime runs f, which writes, with the deadline of one write. Where nobody takes what is
// written, the error is errClosed.
func inTime(ctx context.Context, f func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, web.WriteDeadline)
	defer cancel()
	if err := f(limited); err != nil {
		return cmp.Or(ctx.Err(), errClosed)
	}
	return nil
}

// receive handles frames until the client leaves or loses access.
func (s *Handlers) receive(ctx context.Context, conn *websocket.Conn, scope obligations.Scope) error {
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			return errClosed
		}
		now, lost := s.Recheck(ctx, s.MayRead(scope.Session))
		switch {
		case lost != nil:
			err = lost
		case kind != websocket.MessageText:
			err = fault.New(fault.Unsupported, "send JSON as text frames")
		default:
			err = s.handleFrame(now, scope, data)
		}
		if err == nil {
			continue
		}
		if err := write(ctx, conn, problemFor(ctx, data, err)); err != nil {
			return err
		}
		if web.LostAccess(lost) {
			return lost
		}
	}
}

// problemFor returns the frame that answers a refused frame. It names the message that is
// refused, if the frame has one, and the request that opened the websocket.
func problemFor(ctx context.Context, data []byte, err error) []byte {
	var of struct {
		ClientMessageID string `json:"clientMessageId"`
	}
	_ = json.Unmarshal(data, &of) // a frame that is no JSON names no message
	p := web.ProblemOf(err, web.RequestID(ctx))
	web.NoteProblem(ctx, p, err)
	body, _ := json.Marshal(struct {
		Type            string `json:"type"`
		ClientMessageID string `json:"clientMessageId,omitempty"`
		*framedProblem
	}{"problem", of.ClientMessageID, (*framedProblem)(p)})
	return body
}

// framedProblem is a problem within a frame, whose "type" hides that of the problem.
type framedProblem web.Problem

// handleFrame does what one frame asks for.
func (s *Handlers) handleFrame(ctx context.Context, scope obligations.Scope, data []byte) error {
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
		ctx, cancel := context.WithTimeout(ctx, startLimit)
		defer cancel()
		in := inputOf(a, scope.Session)
		in.Message, in.ClientMessageID, in.Answers, in.Files = f.Message, f.ClientMessageID, f.Answers, f.Files
		_, err := s.Engine.Start(ctx, in)
		return err
	case "stop":
		if _, err := s.Session(web.AsWrite(ctx), scope.Session); err != nil { // an observer stops nothing
			return err
		}
		return s.Engine.Stop(ctx, scope, f.Turn)
	}
	return fault.New(fault.Unprocessable, "a frame's type is message or stop, not %q", f.Type).At("type")
}
