package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// holding is the memory of streams on which nothing flows.
type holding struct {
	kind  string
	what  string // "reply" or "listener"
	count int
	idle  int64
	held  int64
}

// each returns the bytes of one.
func (h *holding) each() float64 { return float64(h.held-h.idle) / float64(h.count) }

const (
	holdLimit  = 60 * time.Second // to open them all
	holdSettle = 2 * time.Second  // before looking
	openEvery  = 2 * time.Millisecond
)

// measureHeld measures the memory of turns that wait for the model's first
// piece, and of readers that listen to a session in which nothing happens.
func (b *bench) measureHeld(ctx context.Context) error {
	for _, kind := range []string{proxyKind, readKind, modelKind} {
		if err := b.with(ctx, kind, func(s *server) error { return b.holdReplies(ctx, s) }); err != nil {
			return err
		}
	}
	kind := modelKind
	if b.results.modelless {
		kind = rulesKind
	}
	if err := b.with(ctx, kind, func(s *server) error { return b.holdListeners(ctx, s) }); err != nil {
		return err
	}
	b.tellHeld()
	return nil
}

func (b *bench) holdReplies(ctx context.Context, s *server) error {
	gate := make(chan struct{})
	b.model.set(pace{pieces: 1, gate: gate})
	var wg sync.WaitGroup
	errs := make([]error, b.held)
	for i := range b.held {
		t := b.talker(s, fmt.Sprint("h", i))
		wg.Go(func() { _, errs[i] = t.say(ctx) })
		if !b.waitUntil(ctx, b.now()+openEvery) {
			break
		}
	}
	err := b.awaitWaiting(ctx)
	h := holding{kind: s.kind, what: "reply", count: b.held, idle: s.idle}
	if err == nil {
		h.held, err = b.restingMemory(ctx, s)
	}
	close(gate)
	wg.Wait()
	b.results.holdings = append(b.results.holdings, h)
	return errors.Join(append(errs, err)...)
}

// awaitWaiting waits until all replies have come to the gate.
func (b *bench) awaitWaiting(ctx context.Context) error {
	for end := b.now() + holdLimit; b.model.waiting.Load() < int64(b.held); {
		if b.now() > end {
			return fmt.Errorf("only %d of %d replies came to the model within %s", b.model.waiting.Load(), b.held, holdLimit)
		}
		if !b.waitUntil(ctx, b.now()+20*time.Millisecond) {
			return ctx.Err()
		}
	}
	return nil
}

func (b *bench) restingMemory(ctx context.Context, s *server) (int64, error) {
	if err := b.settle(ctx, holdSettle); err != nil {
		return 0, err
	}
	return resident(s.pid())
}

// place is where a session's log stands.
type place struct {
	session string
	head    int64
}

// places returns sessions to listen to, one a listener as far as there are any.
func (b *bench) places(ctx context.Context, s *server, n int) ([]place, error) {
	if _, err := b.talker(s, "listened").say(ctx); err != nil { // so that there is one
		return nil, err
	}
	rows, err := b.db.Query(ctx, `SELECT session_id::text, last_seq FROM session_heads WHERE last_seq > 0 ORDER BY session_id LIMIT $1`, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []place
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.session, &p.head); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

func (b *bench) holdListeners(ctx context.Context, s *server) error {
	b.model.set(pace{pieces: 1})
	list, err := b.places(ctx, s, b.held)
	if err != nil {
		return err
	}
	h := holding{kind: s.kind, what: "listener", count: b.held}
	if h.idle, err = resident(s.pid()); err != nil {
		return err
	}
	t := b.talker(s, "listener")
	for i := range b.held {
		p := list[i%len(list)]
		body, err := t.listen(ctx, p.session, p.head)
		if err != nil {
			return err
		}
		defer func() { _ = body.Close() }() // all of them stay open until the memory was looked at
	}
	if h.held, err = b.restingMemory(ctx, s); err != nil {
		return err
	}
	b.results.holdings = append(b.results.holdings, h)
	return nil
}

// listen opens a session's events after a number.
func (t *talker) listen(ctx context.Context, session string, after int64) (io.ReadCloser, error) {
	resp, err := t.send(ctx, "GET", fmt.Sprintf("/api/v1/sessions/%s/events?after=%d", session, after), nil)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != 200 {
		return nil, errors.Join(fmt.Errorf("events of session %s: %s", session, resp.Status), resp.Body.Close())
	}
	return resp.Body, nil
}
