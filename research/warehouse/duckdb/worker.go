package duckdb

import (
	"context"
	"errors"
	"sync"
	"time"

	"quaestor/research/warehouse"
)

// idle is how long a child may be unused before it is stopped.
const idle = time.Minute

// startTime is how long a child may take to open its data. Opening a folder of many files for the
// first time takes the longest.
const startTime = time.Minute

// worker keeps a child process for one kind of requests. It starts one when there is a request, and
// stops it when there has been none for a while. It is safe for concurrent use; requests wait for
// each other.
type worker struct {
	command []string                // of the child; see Connector.Child
	turn    chan struct{}           // holds an element while a request is carried out
	open    func() openRequest      // returns what a new child opens; called during a turn
	told    func(openReply)         // receives what the child opened; called during a turn
	explain func(engineError) error // turns a message of DuckDB into an error
	idle    time.Duration           // after which it is stopped
	mu      sync.Mutex              // guards what follows
	child   *process                // nil until the first request, and after an idle time
	timer   *time.Timer             // stops an idle child
	closed  bool
}

// errClosed is the error of every use after Close.
var errClosed = errors.New("the connection is closed")

// ask has the child carry out a request. limit counts from the moment the child begins, not while
// the request waits for its turn.
func (w *worker) ask(ctx context.Context, q request, limit time.Duration, receive answerFunc) error {
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	p, err := w.ready(ctx)
	if err != nil {
		return err
	}
	defer w.rest(p)
	err = w.explained(p.ask(ctx, q, limit, receive))
	switch warehouse.ClassOf(err) {
	case warehouse.OverQuota, warehouse.TimedOut:
		w.drop() // it may still hold memory or be in a bad state, so the next request gets a new one
	}
	return err
}

// explained turns a message of DuckDB into an error, and leaves other errors as they are.
func (w *worker) explained(err error) error {
	var f engineError
	if errors.As(err, &f) {
		return w.explain(f)
	}
	return err
}

// ready returns the child, or a new one that has opened its data.
func (w *worker) ready(ctx context.Context) (*process, error) {
	p, err := w.wake()
	if p != nil || err != nil {
		return p, err
	}
	p, err = startProcess(w.command)
	if err != nil {
		return nil, warehouse.NewQueryError(warehouse.Unreachable, "the reader of DuckDB files cannot be started", "", err)
	}
	if !w.keep(p) {
		p.close()
		return nil, errClosed
	}
	var got openReply
	o := w.open()
	o.Scratch = p.scratch
	err = p.ask(ctx, request{Do: "open", Open: o}, startTime, only(frameOpened, &got))
	if err != nil {
		w.drop()
		return nil, w.explained(err)
	}
	w.told(got)
	return p, nil
}

// wake returns the running child and stops its idle timer; nil if there is none.
func (w *worker) wake() (*process, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errClosed
	}
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.child != nil && w.child.gone() {
		w.child.close()
		w.child = nil
	}
	return w.child, nil
}

// keep makes p the child, and reports whether the worker was still open.
func (w *worker) keep(p *process) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.child = p
	}
	return !w.closed
}

// rest starts the timer that stops an idle child.
func (w *worker) rest(p *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.child != p || p.gone() {
		return
	}
	w.timer = time.AfterFunc(w.idle, func() {
		select {
		case w.turn <- struct{}{}:
			w.drop()
			<-w.turn
		default: // a request is being carried out
		}
	})
}

// drop stops the child.
func (w *worker) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.child != nil {
		w.child.close()
		w.child = nil
	}
}

// close stops the child for good. A request that is waiting for an answer fails.
func (w *worker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.child != nil {
		w.child.close()
	}
}
