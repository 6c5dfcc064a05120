package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// How a stream behaves towards its reader.
const (
	writeDeadline = 5 * time.Second // for one write, not for the stream
	maxWrite      = 16 << 10        // bytes at once: a reader who takes them in time is slow, not gone
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
	return s.stream(w, r, s.Hub.Subscribe(s.Pool, scope, after), func(e sessions.Event) bool { return s.dismissed(r.Context(), scope, e) })
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

// untilEnd ends a stream with the last event of a turn.
func untilEnd(turn int) func(sessions.Event) bool {
	return func(e sessions.Event) bool { return e.Turn == turn && e.Kind.Last() }
}

// stream writes what a subscription brings as server-sent events until the
// reader leaves or an event ends it. It owns the subscription.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, sub *sessions.Subscription, ends func(sessions.Event) bool) error {
	defer sub.Close()
	defer s.Metrics.StreamOpened()()
	out, err := openSink(w)
	if err != nil {
		return nil // the reader is gone: nobody to tell
	}
	for {
		events, err := sub.Next(r.Context(), s.KeepAlive)
		if err != nil {
			return s.brokenStream(r.Context(), err)
		}
		if last, err := out.events(events, ends); err != nil || last {
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
	out := &sink{w: w, c: http.NewResponseController(w)}
	return out, out.send([]byte(retryHint))
}

// brokenStream logs what broke a stream that has begun; its reader comes back by
// itself and goes on where it was.
func (s *Server) brokenStream(ctx context.Context, err error) error {
	if !errors.Is(err, context.Canceled) {
		s.Log.WarnContext(ctx, "stream broke", "err", err)
	}
	return nil
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

// sink writes and flushes, a piece at a time, each within a deadline.
type sink struct {
	w   http.ResponseWriter
	c   *http.ResponseController
	buf []byte // reused
}

// events writes events up to the one that ends the stream: what follows it
// belongs to other turns. No events make a keep-alive.
func (s *sink) events(list []sessions.Event, ends func(sessions.Event) bool) (last bool, err error) {
	s.buf = s.buf[:0]
	if len(list) == 0 {
		s.buf = append(s.buf, keepAliveLine...)
	}
	for i := 0; i < len(list) && !last; i++ {
		s.buf = appendEvent(s.buf, list[i])
		last = ends(list[i])
		if len(s.buf) >= maxWrite { // the rest need not wait in memory for a slow reader
			if err := s.send(s.buf); err != nil {
				return last, err
			}
			s.buf = s.buf[:0]
		}
	}
	return last, s.send(s.buf)
}

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
