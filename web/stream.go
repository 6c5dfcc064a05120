package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// How a stream behaves towards its reader.
const (
	writeDeadline = 15 * time.Second // for one write, not for the stream
	maxWrite      = 16 << 10         // bytes at once: a reader who takes them in time is slow, not gone
	retryHint     = "retry: 250\n\n"
	keepAliveLine = ": keep-alive\n\n"
)

// events streams a session's log from Last-Event-ID or ?after= on, for as long
// as the reader stays.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	scope, after, err := s.place(r)
	if err != nil {
		return err
	}
	return s.stream(w, r, scope, s.Hub.Subscribe(s.Pool, scope, after), func(ctx context.Context, e sessions.Event) bool { return s.dismissed(ctx, scope, e) }, nil)
}

// place returns the session a request asks for, which its actor may see, and the
// number of the last event the reader has.
func (s *Server) place(r *http.Request) (scope obligations.Scope, after int64, err error) {
	session, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return scope, 0, err
	}
	after, err = s.cursor(r, session.Scope())
	return session.Scope(), after, err
}

// cursor returns the number of the last event the reader has; 0 for none.
func (s *Server) cursor(r *http.Request, scope obligations.Scope) (int64, error) {
	field, given := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if given == "" {
		field, given = "after", r.URL.Query().Get("after")
	}
	after, err := parseCursor(field, given)
	if err != nil || after == 0 {
		return 0, err
	}
	head, err := sessions.Head(r.Context(), s.Pool, scope)
	if err == nil && after > head {
		err = fault.New(fault.Invalid, "%d is beyond this session's last event, %d; leave it out to read from the start", after, head).At(field).Coded("bad_last_event_id")
	}
	return after, err
}

// parsePage reads where a page of a list begins: nextCursor of the one before; empty
// means 0, the first.
func parsePage(given string) (int64, error) {
	after, err := parseCursor("cursor", given)
	if err != nil {
		return 0, fault.New(fault.Invalid, "is not a cursor of this list; take nextCursor of the page before, as it is").At("cursor").Coded("bad_cursor")
	}
	return after, nil
}

// parseCursor reads an event id: a whole number from 0 on; empty means 0.
func parseCursor(field, given string) (int64, error) {
	if given == "" {
		return 0, nil
	}
	after, err := strconv.ParseInt(given, 10, 64)
	if err != nil || after < 0 || given[0] == '+' {
		return 0, fault.New(fault.Invalid, "must be the id of an event, a whole number from 0 on").At(field).Coded("bad_last_event_id")
	}
	return after, nil
}

// ending reports whether an event is the last of a stream. The context is the
// stream's, which knows who reads.
type ending func(context.Context, sessions.Event) bool

// endsTurn reports whether an event is the last of a turn.
func endsTurn(e sessions.Event, turn int) bool { return e.Turn == turn && e.Kind.Last() }

// stream writes what a subscription to a session brings as server-sent events until
// the reader leaves or may no longer read it, or an event ends it. When it breaks
// off instead, as it does when the server closes, cut is written last, unless it is
// nil. It owns the subscription.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, scope obligations.Scope, sub *sessions.Subscription, ends ending, cut []byte) error {
	defer s.Metrics.StreamOpened()()
	defer sub.Close()
	out, err := openSink(w)
	if err != nil {
		return nil // the reader is gone: there is nobody to tell
	}
	watch := s.watch(s.mayRead(scope.Session))
	for {
		events, err := sub.Next(r.Context(), watch.left())
		if err != nil {
			s.brokenStream(r.Context(), err)
			if cut != nil {
				_ = out.send(cut) // the reader may have left
			}
			return nil
		}
		if watch.still(r.Context()) != nil {
			return nil // the reason is told when the reader comes back
		}
		if last, err := out.events(r.Context(), events, ends); err != nil || last {
			return nil
		}
	}
}

// openSink begins a stream of events.
func openSink(w http.ResponseWriter) (*sink, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	out := &sink{w, http.NewResponseController(w)}
	return out, out.send([]byte(retryHint))
}

// brokenStream logs what broke a stream that has begun; its reader comes back by
// itself and goes on where it was.
func (s *Server) brokenStream(ctx context.Context, err error) {
	if !errors.Is(err, context.Canceled) {
		s.Log.WarnContext(ctx, "stream broke", "err", err)
	}
}

// appendEvent writes one event. Pieces of a reply carry no id: a reader that
// comes back gets them again by their offset, or the whole text.
func appendEvent(buf []byte, e sessions.Event) []byte {
	if e.Seq > 0 {
		buf = append(buf, "id: "...)
		buf = strconv.AppendInt(buf, e.Seq, 10)
		buf = append(buf, '\n')
	}
	buf = append(buf, "data: "...)
	buf = append(buf, e.Data...)
	return append(buf, "\n\n"...)
}

// sink writes events to an answer, within a deadline for each piece.
type sink struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// send writes b and flushes it.
func (s *sink) send(b []byte) error {
	for piece := range slices.Chunk(b, maxWrite) {
		if err := s.c.SetWriteDeadline(time.Now().Add(writeDeadline)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		if _, err := s.w.Write(piece); err != nil {
			return err
		}
		if err := s.c.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// buffers are those not in use: a stream that waits holds none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keepBuffer gives a buffer back, unless a large event made it too large to keep.
func keepBuffer(b *[]byte) {
	if cap(*b) <= 4*maxWrite {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}

// events writes events up to the one that ends the stream: what follows it
// belongs to other turns. No events make a keep-alive.
func (s *sink) events(ctx context.Context, list []sessions.Event, ends ending) (last bool, err error) {
	buf := buffers.Get().(*[]byte) // nothing else is in the pool
	defer keepBuffer(buf)
	if len(list) == 0 {
		*buf = append(*buf, keepAliveLine...)
	}
	for i := 0; i < len(list) && !last; i++ {
		*buf = appendEvent(*buf, list[i])
		last = ends(ctx, list[i])
		if len(*buf) >= maxWrite { // the rest need not wait in memory for a slow reader
			if err := s.send(*buf); err != nil {
				return last, err
			}
			*buf = (*buf)[:0]
		}
	}
	return last, s.send(*buf)
}
