package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// pace is how the model answers.
type pace struct {
	first  time.Duration // before the first piece of a reply
	every  time.Duration // between two pieces
	pieces int
	gate   chan struct{} // when not nil, replies wait until it is closed
}

// length is how long a reply takes by the pace alone.
func (p pace) length() time.Duration { return p.first + time.Duration(p.pieces-1)*p.every }

// model is an OpenAI-compatible server that answers by a script. The call that
// wants JSON is answered at once; a reply is streamed at the pace set, each piece
// with the instant it was sent.
type model struct {
	clock
	server *http.Server
	ended  chan struct{} // closed when the server has ended
	url    string

	pace       atomic.Pointer[pace]
	waiting    atomic.Int64 // replies that have come to the gate
	understood atomic.Int64 // bytes of the last request for an understanding
	replied    atomic.Int64 // bytes of the last request for a reply
}

func startModel(c clock) (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the model: %w", err)
	}
	m := &model{clock: c, url: "http://" + l.Addr().String() + "/v1", ended: make(chan struct{})}
	m.server = &http.Server{Handler: http.HandlerFunc(m.answer), ReadHeaderTimeout: 5 * time.Second}
	m.set(pace{pieces: 1})
	go func() {
		defer close(m.ended)
		_ = m.server.Serve(l)
	}()
	return m, nil
}

func (m *model) set(p pace) { m.pace.Store(&p) }

// close ends all answers and waits for the server to be gone.
func (m *model) close() error {
	err := m.server.Close()
	<-m.ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (m *model) answer(w http.ResponseWriter, r *http.Request) {
	arrived := m.now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if bytes.Contains(body, []byte(`"stream":true`)) {
		m.replied.Store(int64(len(body)))
		m.reply(r.Context(), w, arrived)
		return
	}
	m.understood.Store(int64(len(body)))
	content, _ := json.Marshal(understanding(turnOf(body))) // a string
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"id":"b","object":"chat.completion","created":0,"model":"bench","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":200,"total_tokens":1100}}`, content)
}

// What goes around the text of a piece, and what ends a reply.
const (
	pieceHead = `data: {"id":"b","object":"chat.completion.chunk","created":0,"model":"bench","choices":[{"index":0,"delta":{"content":"`
	pieceTail = "\"},\"finish_reason\":null}]}\n\n"
	replyEnd  = `data: {"id":"b","object":"chat.completion.chunk","created":0,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
		`data: {"id":"b","object":"chat.completion.chunk","created":0,"model":"bench","choices":[],"usage":{"prompt_tokens":900,"completion_tokens":40,"total_tokens":940}}` + "\n\ndata: [DONE]\n\n"
)

func (m *model) reply(ctx context.Context, w http.ResponseWriter, arrived time.Duration) {
	p := *m.pace.Load()
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	if !m.held(ctx, rc, p) {
		return
	}
	due := time.NewTimer(p.first)
	defer due.Stop()
	buf := make([]byte, 0, 256)
	for i := range p.pieces {
		if wait := arrived + p.first + time.Duration(i)*p.every - m.now(); p.gate == nil && wait > 0 {
			due.Reset(wait)
			select {
			case <-due.C:
			case <-ctx.Done():
				return
			}
		}
		buf = append(buf[:0], pieceHead...)
		if i == 0 {
			buf = stamp(buf, arrivedMark, arrived)
		}
		buf = append(stamp(buf, sentMark, m.now()), pieceTail...)
		if _, err := w.Write(buf); err != nil || rc.Flush() != nil {
			return
		}
	}
	_, _ = io.WriteString(w, replyEnd)
}

// held keeps a reply back while the gate is shut; false when nobody waits for it
// any more. The headers go out first, as a busy model's do.
func (m *model) held(ctx context.Context, rc *http.ResponseController, p pace) bool {
	if p.gate == nil {
		return true
	}
	if rc.Flush() != nil {
		return false
	}
	m.waiting.Add(1)
	defer m.waiting.Add(-1)
	select {
	case <-p.gate:
		return true
	case <-ctx.Done():
		return false
	}
}
