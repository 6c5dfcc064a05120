package llm

import (
	"context"
	"time"
)

// watch is the clock of a request. In each attempt one timer runs until the first
// content and then from piece to piece; when it runs out, ctx ends and names it as
// the cause. No goroutine waits for it. Its methods belong to the goroutine that
// reads the answer.
type watch struct {
	ctx         context.Context //nolint:containedctx // of the request, which lives no longer than the watch
	cancel      context.CancelCauseFunc
	first, idle time.Duration
	timer       *time.Timer // nil before the first attempt
	moving      bool        // the first piece has come
}

// newWatch returns a watch that stands until begin.
func newWatch(parent context.Context, first, idle time.Duration) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	return &watch{ctx: ctx, cancel: cancel, first: first, idle: idle}
}

// begin starts the wait for the first content of an attempt.
func (w *watch) begin() {
	w.pause()
	w.moving = false
	w.timer = time.AfterFunc(w.first, func() { w.cancel(errFirstToken) })
}

// piece records that content came and starts the wait for more.
func (w *watch) piece() {
	if w.moving {
		w.timer.Reset(w.idle)
		return
	}
	w.pause()
	w.moving = true
	w.timer = time.AfterFunc(w.idle, func() { w.cancel(errIdle) })
}

// hurry leaves at most d for what is still to come.
func (w *watch) hurry(d time.Duration) {
	w.piece()
	w.timer.Reset(d)
}

// pause stops the clock.
func (w *watch) pause() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// stop ends the request and frees its timer.
func (w *watch) stop() {
	w.pause()
	w.cancel(nil)
}
