package runs

import (
	"context"
	"sync"
	"time"

	"quaestor/internal/postgres"
)

// Subscription reads the events of one run from a number on, live, each once and
// in order. It belongs to one goroutine; see [Hub.Subscribe].
type Subscription struct {
	hub         *Hub
	db          postgres.DB
	tenant, run string
	after       int64         // number of the last event returned
	every       time.Duration // how often to look without being woken
	wake        chan struct{} // one token: there may be something

	mu     sync.Mutex
	behind bool  // the rows may have more than was returned; guarded by mu
	known  int64 // highest number heard of; guarded by mu
}

// lookEvery is how often watchers look unasked: a notice may be lost, the truth is
// in the rows.
const lookEvery = 5 * time.Second

// Subscribe returns a subscription to the events of a tenant's run after that
// number. The caller ends it with [Subscription.Close]. A run that does not exist
// has no events.
func (h *Hub) Subscribe(tenant, run string, after int64) *Subscription {
	s := &Subscription{hub: h, db: h.pool, tenant: tenant, run: run, after: after, every: lookEvery, wake: make(chan struct{}, 1), behind: true, known: after}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.readers[run] == nil {
		h.readers[run] = map[*Subscription]struct{}{}
	}
	h.readers[run][s] = struct{}{}
	return s
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	delete(s.hub.readers[s.run], s)
	if len(s.hub.readers[s.run]) == 0 {
		delete(s.hub.readers, s.run)
	}
}

// Next waits for what comes next. It returns an error when ctx ends or the rows
// cannot be read, and no events when quiet passed without any.
func (s *Subscription) Next(ctx context.Context, quiet time.Duration) ([]Event, error) {
	end := time.Now().Add(quiet)
	rest := time.NewTimer(0)
	defer rest.Stop()
	for {
		events, err := s.take(ctx)
		if err != nil || len(events) > 0 {
			return events, err
		}
		left := time.Until(end)
		if left <= 0 {
			return nil, nil
		}
		rest.Reset(min(left, s.every))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.wake:
		case <-rest.C:
			s.doubt()
		}
	}
}

// take reads what there is, if there may be something.
func (s *Subscription) take(ctx context.Context) ([]Event, error) {
	s.mu.Lock()
	behind := s.behind || s.known > s.after
	s.behind = false
	s.mu.Unlock()
	if !behind {
		return nil, nil
	}
	events, more, err := Events(ctx, s.db, s.tenant, s.run, s.after)
	if err != nil {
		s.doubt()
		return nil, err
	}
	if len(events) > 0 {
		s.after = events[len(events)-1].Seq
	}
	if more {
		s.doubt()
	}
	return events, nil
}

// hint tells that the run has events up to seq.
func (s *Subscription) hint(seq int64) {
	s.mu.Lock()
	news := seq > s.known
	s.known = max(s.known, seq)
	s.mu.Unlock()
	if news {
		s.signal()
	}
}

// doubt tells that there may be more, nobody knows how much.
func (s *Subscription) doubt() {
	s.mu.Lock()
	s.behind = true
	s.mu.Unlock()
	s.signal()
}

func (s *Subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
