package llm

import (
	"context"
	"time"
)

// watch is the clock of one attempt. One timer runs until the first content,
// another from piece to piece; when either runs out, ctx ends and names it as
// the cause. No goroutine waits for them. Its methods belong to the goroutine
// that reads the answer.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
	moving bool // the first piece has come
}

// newWatch starts the wait for the first content.
func newWatch(parent context.Context, first, idle time.Duration) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	return &watch{
		ctx: ctx, cancel: cancel, idle: idle,
		timer: time.AfterFunc(first, func() { cancel(errFirstToken) }),
	}
}

// piece says that content came and starts the wait for more.
func (w *watch) piece() {
	if w.moving {
		w.timer.Reset(w.idle)
		return
	}
	w.moving = true
	w.timer.Stop()
	w.timer = time.AfterFunc(w.idle, func() { w.cancel(errIdle) })
}

// hurry leaves at most d for what is still to come.
func (w *watch) hurry(d time.Duration) {
	w.piece()
	w.timer.Reset(d)
}

// stop ends the attempt and frees its timers.
func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}
