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
	WriteDeadline = 15 * time.Second // for one write, not for the stream
	maxWrite      = 16 << 10         // bytes at once: a reader who takes them in time is slow, not gone
	retryHint     = "retry: 250\n\n"
	keepAliveLine = ": keep-alive\n\n"
)

// ServerEvent is one server-sent event: its number, 0 for none, and its data in one line.
type ServerEvent struct {
	Id   int64
	Data []byte
}

// eventStream writes server-sent events to an answer, within a deadline for each piece.
type eventStream struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// OpenStream begins an answer of server-sent events.
func OpenStream(w http.ResponseWriter) (*eventStream, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	out := &eventStream{w, http.NewResponseController(w)}
	return out, out.write([]byte(retryHint))
}

// mostStreams is how many streams and calls one person has open on a server: far more than all
// their tabs, and little enough that nobody takes the server's places from the others.
const mostStreams = 1000

// Streaming notes that a stream or a call begins for who is in ctx, until closed is called. It is
// Limited when they have too many.
func (s *Server) Streaming(ctx context.Context) (closed func(), err error) {
	a := ActorFrom(ctx)
	who := [2]string{a.Tenant, a.User}
	s.streaming.Lock()
	defer s.streaming.Unlock()
	if s.streams[who] >= mostStreams {
		return nil, fault.New(fault.Limited, "you have %d streams and calls open on this server, which is the most; close some", mostStreams).Coded("too_many_streams")
	}
	s.streams[who]++
	gone := s.Metrics.StreamOpened()
	return func() {
		gone()
		s.streaming.Lock()
		defer s.streaming.Unlock()
		if s.streams[who]--; s.streams[who] == 0 {
			delete(s.streams, who)
		}
	}, nil
}

// StreamBroke logs what broke a stream that has begun; its reader comes back by
// itself and goes on where it was.
func (s *Server) StreamBroke(ctx context.Context, err error) {
	if !errors.Is(err, context.Canceled) {
		s.Log.WarnContext(ctx, "stream broke", "err", err)
	}
}

// Send writes events; none make a keep-alive.
func (s *eventStream) Send(list []ServerEvent) error {
	if len(list) == 0 {
		return s.write([]byte(keepAliveLine))
	}
	var buf []byte
	for _, e := range list {
		if e.Id > 0 {
			buf = append(buf, "id: "...)
			buf = strconv.AppendInt(buf, e.Id, 10)
			buf = append(buf, '\n')
		}
		buf = append(buf, "data: "...)
		buf = append(buf, e.Data...)
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
		if err := s.c.SetWriteDeadline(time.Now().Add(WriteDeadline)); err != nil && !errors.Is(err, http.ErrNotSupported) {
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
