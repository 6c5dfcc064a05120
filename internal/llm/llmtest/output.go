package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	hugeLineBytes = 10 << 20
	htmlPage      = "<!doctype html><title>Sign in</title><p>Please sign in to continue.</p>"
)

// output is one answer being given.
type output struct {
	w       http.ResponseWriter
	ctx     context.Context //nolint:containedctx // of the request being answered
	req     Request
	reply   Reply
	started time.Time
}

// opened waits the first delay and reports whether the answer's body should
// follow. It is false when the reply was a status, a page or a stall.
func (o *output) opened() bool {
	if o.reply.Fault == StallBeforeFirst {
		<-o.ctx.Done()
		return false
	}
	if !o.wait(o.reply.FirstDelay) {
		return false
	}
	if o.reply.Status != 0 {
		if s := int(o.reply.RetryAfter / time.Second); s > 0 {
			o.w.Header().Set("Retry-After", strconv.Itoa(s))
		}
		writeError(o.w, o.reply.Status, "scripted", o.reply.errorText())
		return false
	}
	if o.reply.Fault == HTML200 {
		o.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = o.w.Write([]byte(htmlPage))
		return false
	}
	return true
}

// wait lets d pass and reports whether the request is still wanted.
func (o *output) wait(d time.Duration) bool {
	if d <= 0 {
		return o.ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-o.ctx.Done():
		return false
	}
}

// until waits for ready, nil for nothing, and reports whether the answer goes on.
func (o *output) until(ready chan struct{}) bool {
	if ready == nil {
		return true
	}
	select {
	case <-ready:
		return true
	case <-o.ctx.Done():
		return false
	}
}

// flush sends what was written so far.
func (o *output) flush() { _ = http.NewResponseController(o.w).Flush() }

// reset breaks the connection so that the client sees a reset, not an end.
func (o *output) reset() {
	o.flush()
	conn, _, err := http.NewResponseController(o.w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// drip writes b one byte a packet.
func (o *output) drip(b []byte) {
	for i := range b {
		if o.ctx.Err() != nil {
			return
		}
		_, _ = o.w.Write(b[i : i+1])
		o.flush()
	}
}

// fill writes n bytes of text without a line end.
func (o *output) fill(n int) {
	block := bytes.Repeat([]byte("x"), 64<<10)
	for ; n > 0; n -= len(block) {
		if _, err := o.w.Write(block); err != nil {
			return
		}
	}
}

// writeError answers with the API's error shape.
func writeError(w http.ResponseWriter, status int, kind, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": kind, "code": kind}})
}

// writeJSON answers with v, whose marshalling cannot fail.
func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}
