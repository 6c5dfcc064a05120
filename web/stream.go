package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quaestor/internal/fault"
)

// How a stream behaves towards its reader.
const (
	writeDeadline = 15 * time.Second // for one write, not for the stream
	maxWrite      = 16 << 10         // bytes at once: a reader who takes them in time is slow, not gone
	retryHint     = "retry: 250\n\n"
	keepAliveLine = ": keep-alive\n\n"
)

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

// serverEvent is one server-sent event: its number, 0 for none, and its data in one line.
type serverEvent struct {
	id   int64
	data []byte
}

// eventStream writes server-sent events to an answer, within a deadline for each piece.
type eventStream struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// openStream begins an answer of server-sent events.
func openStream(w http.ResponseWriter) (*eventStream, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	out := &eventStream{w, http.NewResponseController(w)}
	return out, out.write([]byte(retryHint))
}

// brokenStream logs what broke a stream that has begun; its reader comes back by
// itself and goes on where it was.
func (s *Server) brokenStream(ctx context.Context, err error) {
	if !errors.Is(err, context.Canceled) {
		s.Log.WarnContext(ctx, "stream broke", "err", err)
	}
}

// send writes events; none make a keep-alive.
func (s *eventStream) send(list []serverEvent) error {
	if len(list) == 0 {
		return s.write([]byte(keepAliveLine))
	}
	var buf []byte
	for _, e := range list {
		if e.id > 0 {
			buf = append(buf, "id: "...)
			buf = strconv.AppendInt(buf, e.id, 10)
			buf = append(buf, '\n')
		}
		buf = append(buf, "data: "...)
		buf = append(buf, e.data...)
		buf = append(buf, "\n\n"...)
		if len(buf) >= maxWrite { // the rest need not wait in memory for a slow reader
			if err := s.write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return s.write(buf)
}

// write writes b and flushes it.
func (s *eventStream) write(b []byte) error {
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
