package sessions

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"quaestor/internal/postgres"
	"quaestor/obligations"
)

// Subscription reads one session's log from a number on, live. It belongs to
// one goroutine; see [Hub.Subscribe].
type Subscription struct {
	hub   *Hub
	db    postgres.DB
	scope obligations.Scope
	wake  chan struct{} // one token: there may be something
	every time.Duration // how often to look without being woken
	rest  *time.Timer   // ends a wait for that

	sent    mark // how much of the running reply was returned
	running int  // turn that began and has not ended, 0 for none
	local   bool // and it is worked here

	mu     sync.Mutex
	after  int64   // number of the last event returned; guarded by mu, written by the reader only
	pushed []Event // committed here, contiguous; guarded by mu
	behind bool    // the table has more than was pushed; guarded by mu
	known  int64   // highest number heard of; guarded by mu
}

// mark is a place in a running reply.
type mark struct{ turn, attempt, bytes, units int }

// Bounds of a subscription.
const (
	maxPushed  = 128
	lookEvery  = 10 * time.Second
	watchEvery = 3 * time.Second
)

// Subscribe returns a subscription to the events after that number. The caller
// ends it with [Subscription.Close].
func (h *Hub) Subscribe(db postgres.DB, s obligations.Scope, after int64) *Subscription {
	sub := &Subscription{hub: h, db: db, scope: s, after: after, wake: make(chan struct{}, 1), every: lookEvery, rest: time.NewTimer(lookEvery), behind: true}
	h.mu.Lock()
	r := h.enter(s.Session)
	r.subs[sub] = struct{}{}
	elsewhere := r.reply == nil
	h.mu.Unlock()
	if elsewhere { // a turn may be running on another instance
		h.watch(s.Session)
	}
	sub.signal()
	return sub
}

// Follow is [Hub.Subscribe] for who took a turn here: log is its first event, or all
// of them, which the caller has in hand, so nothing need be read.
func (h *Hub) Follow(db postgres.DB, s obligations.Scope, log []Event) *Subscription {
	sub := &Subscription{hub: h, db: db, scope: s, after: log[0].Seq - 1, wake: make(chan struct{}, 1), every: lookEvery, rest: time.NewTimer(lookEvery), known: log[len(log)-1].Seq, pushed: log}
	h.mu.Lock()
	h.enter(s.Session).subs[sub] = struct{}{}
	h.mu.Unlock()
	sub.signal()
	return sub
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if r := s.hub.topics[s.scope.Session]; r != nil {
		delete(r.subs, s)
	}
	s.hub.leave(s.scope.Session)
}

// push hands over events that were just committed. The hub's lock is held.
func (s *Subscription) push(events []Event) {
	s.mu.Lock()
	last := s.after
	if n := len(s.pushed); n > 0 {
		last = s.pushed[n-1].Seq
	}
	switch {
	case s.behind || events[0].Seq > last+1 || len(s.pushed)+len(events) > maxPushed:
		s.behind, s.pushed = true, nil
	case events[len(events)-1].Seq > last:
		s.pushed = append(s.pushed, events...)
	}
	s.known = max(s.known, events[len(events)-1].Seq)
	s.mu.Unlock()
	s.signal()
}

// hint tells that the log has grown to seq.
func (s *Subscription) hint(seq int64) {
	s.mu.Lock()
	news := seq > s.known
	if news {
		s.known, s.behind, s.pushed = seq, true, nil
	}
	s.mu.Unlock()
	if news {
		s.signal()
	}
}

// recheck tells that the log may have grown, nobody knows how far.
func (s *Subscription) recheck() {
	s.mu.Lock()
	s.behind, s.pushed = true, nil
	s.mu.Unlock()
	s.signal()
}

func (s *Subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Next waits for what comes next: events in the order of their numbers, or a
// piece of the running reply (an event of kind delta without a number). It
// returns an error when ctx ends or the log cannot be read, and an empty list
// when quiet passed without anything.
func (s *Subscription) Next(ctx context.Context, quiet time.Duration) ([]Event, error) {
	end := time.Now().Add(quiet)
	defer s.rest.Stop()
	for {
		events, err := s.here(ctx)
		if err != nil || len(events) > 0 {
			return events, err
		}
		left, look := time.Until(end), s.interval()
		s.rest.Reset(min(left, look))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.wake:
		case <-s.rest.C:
			if left <= look {
				return nil, nil
			}
			s.lookAgain()
		}
	}
}

// here returns what there is now: events, or a piece of the running reply.
func (s *Subscription) here(ctx context.Context) ([]Event, error) {
	events, err := s.take(ctx)
	if err != nil || len(events) > 0 {
		return events, err
	}
	if piece, ok := s.piece(); ok {
		return []Event{piece}, nil
	}
	return nil, nil
}

// interval is how long to wait before looking at the table unasked: shorter
// while a turn runs elsewhere, whose instance must be kept writing.
func (s *Subscription) interval() time.Duration {
	if s.running > 0 && !s.local {
		return watchEvery
	}
	return s.every
}

// lookAgain looks at the table even though nobody said so: a notification may
// be lost, the truth is in the rows.
func (s *Subscription) lookAgain() {
	s.mu.Lock()
	s.behind, s.pushed = true, nil
	s.mu.Unlock()
	if s.running > 0 && !s.local {
		s.hub.watch(s.scope.Session)
	}
}

// take returns what was pushed, or reads the table when there is more there.
func (s *Subscription) take(ctx context.Context) ([]Event, error) {
	s.mu.Lock()
	events, behind := s.pushed, s.behind
	s.pushed, s.behind = nil, false
	s.mu.Unlock()
	if !behind {
		events = s.withRest(events)
	} else {
		var more bool
		var err error
		if events, more, err = After(ctx, s.db, s.scope, s.after); err != nil {
			return nil, err
		}
		if more {
			s.mu.Lock()
			s.behind = true
			s.mu.Unlock()
		}
	}
	return s.accept(events), nil
}

// withRest puts before a live turn's whole message the piece of it that was not
// streamed yet, so that whoever reads along has seen all of it in pieces.
func (s *Subscription) withRest(events []Event) []Event {
	for i, e := range events {
		if e.Kind != KindMessage {
			continue
		}
		var whole MessageEvent
		if json.Unmarshal(e.Data, &whole) != nil || whole.Degraded != "" || s.sent.turn == e.Turn && s.sent.bytes >= len(whole.Content) {
			return events
		}
		m := s.sent
		if m.turn != e.Turn || !utf8.RuneStart(whole.Content[m.bytes]) {
			m = mark{turn: e.Turn}
		}
		rest := Event{Turn: e.Turn, Kind: KindDelta, Seq: restSeq}
		_, rest.Data = Encode(DeltaEvent{Turn: e.Turn, Attempt: m.attempt, Offset: m.units, Content: whole.Content[m.bytes:]})
		return slices.Insert(slices.Clone(events), i, rest)
	}
	return events
}

// restSeq marks a piece that never was in the log.
const restSeq = -1

// accept drops what was returned before and keeps track of the turn that runs.
func (s *Subscription) accept(events []Event) []Event {
	out := make([]Event, 0, len(events))
	after, begun := s.after, false
	for _, e := range events {
		if e.Seq == restSeq {
			e.Seq = 0
			out = append(out, e)
			continue
		}
		if e.Seq <= after {
			continue
		}
		after = e.Seq
		switch {
		case e.Kind == KindSession:
			s.running, s.sent, begun = e.Turn, mark{turn: e.Turn}, true
		case e.Kind.Last():
			s.running, s.sent = 0, mark{}
		}
		if e.Kind == KindDelta {
			s.running = e.Turn
			if s.seen(e) {
				continue
			}
			e.Seq = 0 // pieces have no number in a stream
		}
		out = append(out, e)
	}
	if begun && s.running > 0 {
		s.locate()
	}
	s.mu.Lock()
	s.after = after
	s.mu.Unlock()
	return out
}

// locate notes where the turn runs, and asks for its reply when that is elsewhere.
func (s *Subscription) locate() {
	s.hub.mu.Lock()
	r := s.hub.topics[s.scope.Session]
	s.local = r != nil && r.reply != nil && r.reply.turn == s.running
	s.hub.mu.Unlock()
	if !s.local {
		s.hub.watch(s.scope.Session)
	}
}

// seen reports whether a logged piece was returned from memory already.
func (s *Subscription) seen(e Event) bool {
	var d DeltaEvent
	if json.Unmarshal(e.Data, &d) != nil || d.Turn < s.sent.turn {
		return true
	}
	if d.Turn > s.sent.turn { // who comes back mid-sentence has the turn's first event already
		s.sent = mark{turn: d.Turn}
	}
	if d.Attempt < s.sent.attempt {
		return true
	}
	end := d.Offset + units(d.Content)
	if d.Attempt == s.sent.attempt && end <= s.sent.units {
		return true
	}
	if d.Attempt > s.sent.attempt || s.local {
		s.sent.attempt = d.Attempt
	}
	if !s.local {
		s.sent.units = end
	}
	return false
}

// piece returns what the running reply has grown by since the last piece, when
// it is made here. Events that came meanwhile go before it: one of them may be the
// turn's first.
func (s *Subscription) piece() (Event, bool) {
	s.hub.mu.Lock()
	var reply *Deltas
	if r := s.hub.topics[s.scope.Session]; r != nil {
		reply = r.reply
	}
	late := s.late()
	s.hub.mu.Unlock()
	if late {
		s.signal()
		return Event{}, false
	}
	if reply == nil || s.running != 0 && reply.turn != s.running {
		return Event{}, false
	}
	s.local = true
	text, from, ok := reply.since(&s.sent)
	if !ok {
		return Event{}, false
	}
	_, data := Encode(DeltaEvent{Turn: reply.turn, Attempt: s.sent.attempt, Offset: from, Content: text})
	return Event{Turn: reply.turn, Kind: KindDelta, Data: data}, true
}

// late reports whether there are events that were not taken yet.
func (s *Subscription) late() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behind || len(s.pushed) > 0
}
