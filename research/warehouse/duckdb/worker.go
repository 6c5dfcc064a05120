package duckdb

import (
	"context"
	"errors"
	"sync"
	"time"

	"quaestor/research/warehouse"
)

// idle is how long a child may have nothing to do before it is ended.
const idle = time.Minute

// startTime is how long a child may take to open its data; a folder of many files
// takes the longest, the first time.
const startTime = time.Minute

// worker keeps a child for one kind of work: it starts one when there is something
// to do and ends it when there was nothing for a while. It may be used by many at
// once; they wait for each other.
type worker struct {
	command []string
	turn    chan struct{}     // holds one thing while somebody works
	open    func() opening    // what a new child opens; it is called by whoever has the turn
	told    func(opened)      // what it opened; the same
	explain func(words) error // DuckDB's words as an error
	idle    time.Duration
	mu      sync.Mutex // guards what follows
	child   *process
	timer   *time.Timer
	closed  bool
}

var errClosed = errors.New("the connection is closed")

// ask has a child carry out a request.
func (w *worker) ask(ctx context.Context, q request, limit time.Duration, take answers) error {
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
	err = w.word(p.ask(ctx, q, limit, take))
	switch warehouse.ClassOf(err) {
	case warehouse.OverQuota, warehouse.TimedOut:
		w.drop() // what it had may be held still, or in pieces: the next one begins afresh
	}
	return err
}

// word turns DuckDB's words into an error.
func (w *worker) word(err error) error {
	var f words
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
	var got opened
	o := w.open()
	o.Scratch = p.scratch
	err = p.ask(ctx, request{Do: "open", Open: o}, startTime, only(frameOpened, &got))
	if err != nil {
		w.drop()
		return nil, w.word(err)
	}
	w.told(got)
	return p, nil
}

// wake returns the child that is there; nil if none is.
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

// keep makes p the child, unless the worker is closed.
func (w *worker) keep(p *process) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.child = p
	}
	return !w.closed
}

// rest starts the clock that ends an idle child.
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
		default: // somebody works
		}
	})
}

// drop ends the child.
func (w *worker) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.child != nil {
		w.child.close()
		w.child = nil
	}
}

// close ends the child for good. Who waits for an answer gets an error.
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
