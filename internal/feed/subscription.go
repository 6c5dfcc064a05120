package feed

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Source is how a subscription reads its log. Its functions are called by the goroutine
// that calls [Subscription.Next].
type Source[E Event] struct {
	// Read returns the first committed events with numbers above after, in order, and whether
	// there may be more of them.
	Read func(ctx context.Context, after int64) (events []E, more bool, err error)
	// Every returns how long to wait before reading without having been told to.
	Every func() time.Duration
	// Polling is called before such a read. Nil does nothing.
	Polling func()
	// Show returns what is returned for events that have not been returned before, which may
	// be none; live reports whether they came from memory. It is called at every look, so
	// that it may add what is in no log. Nil returns the events as they are.
	Show func(events []E, live bool) []E
}

// maxPushed bounds the events that wait in memory for one subscription. Whoever falls
// further behind reads them from the table.
const maxPushed = 128

// Subscription follows one log from a number on: each event once, in order. It belongs
// to one goroutine.
type Subscription[E Event] struct {
	topics *Topics[E]
	topic  string
	source Source[E]
	woken  chan struct{} // one token: there may be something
	timer  *time.Timer   // ends a wait

	mu     sync.Mutex
	after  int64 // number of the last event returned; guarded by mu, written by the reader only
	pushed []E   // events after that, none left out; guarded by mu
	behind bool  // the table may have more than was pushed; guarded by mu
	known  int64 // highest number heard of; guarded by mu
}

// Subscribe returns a subscription to the events of a log after a number. The caller ends
// it with [Subscription.Close].
func (t *Topics[E]) Subscribe(topic string, after int64, source Source[E]) *Subscription[E] {
	return t.follow(&Subscription[E]{topic: topic, source: source, after: after, known: after, behind: true})
}

// Follow is like [Topics.Subscribe] for a caller that has the latest events in hand, at
// least one and in order. They come first, and nothing is read before there is more.
func (t *Topics[E]) Follow(topic string, events []E, source Source[E]) *Subscription[E] {
	return t.follow(&Subscription[E]{topic: topic, source: source, after: events[0].Number() - 1, known: events[len(events)-1].Number(), pushed: slices.Clip(events)})
}

func (t *Topics[E]) follow(s *Subscription[E]) *Subscription[E] {
	s.topics, s.woken, s.timer = t, make(chan struct{}, 1), time.NewTimer(0)
	t.add(s)
	return s
}

// Close ends the subscription.
func (s *Subscription[E]) Close() { s.topics.remove(s) }

// Next waits for what comes next. It returns an error when ctx ends or the log cannot be
// read, and no events when quiet passed without any.
func (s *Subscription[E]) Next(ctx context.Context, quiet time.Duration) ([]E, error) {
	end := time.Now().Add(quiet)
	defer s.timer.Stop()
	for {
		events, err := s.take(ctx)
		if err != nil || len(events) > 0 {
			return events, err
		}
		left, every := time.Until(end), s.source.Every()
		s.timer.Reset(min(left, every))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.woken:
		case <-s.timer.C:
			if left <= every {
				return nil, nil
			}
			s.hint(Unknown) // a notification may be lost, the truth is in the rows
			if s.source.Polling != nil {
				s.source.Polling()
			}
		}
	}
}

// Pending reports whether there may be events that were not returned yet.
func (s *Subscription[E]) Pending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behind || len(s.pushed) > 0
}

// take returns what there is now: from memory, or from the table when there is more.
func (s *Subscription[E]) take(ctx context.Context) ([]E, error) {
	s.mu.Lock()
	events, behind := s.pushed, s.behind
	s.pushed, s.behind = nil, false
	s.mu.Unlock()
	if behind {
		var more bool
		var err error
		events, more, err = s.source.Read(ctx, s.after)
		if err != nil || more {
			s.hint(Unknown)
		}
		if err != nil {
			return nil, err
		}
	}
	events = s.unseen(events)
	if s.source.Show == nil {
		return events, nil
	}
	return s.source.Show(events, !behind), nil
}

// unseen returns the events that were not returned before, each once.
func (s *Subscription[E]) unseen(events []E) []E {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]E, 0, len(events))
	for _, e := range events {
		if n := e.Number(); n > s.after {
			out, s.after = append(out, e), n
		}
	}
	return out
}

// push hands over events that were just committed. They are kept when they go on where
// the last ones ended; else the table is read.
func (s *Subscription[E]) push(events []E) {
	first, newest := events[0].Number(), events[len(events)-1].Number()
	s.mu.Lock()
	last := s.after
	if n := len(s.pushed); n > 0 {
		last = s.pushed[n-1].Number()
	}
	switch {
	case s.behind || first > last+1 || len(s.pushed)+len(events) > maxPushed:
		s.behind, s.pushed = true, nil
	case newest > last:
		s.pushed = append(s.pushed, events...)
	}
	s.known = max(s.known, newest)
	s.mu.Unlock()
	offer(s.woken)
}

// hint tells that the log has grown to n.
func (s *Subscription[E]) hint(n int64) {
	s.mu.Lock()
	news := n > s.known
	if news {
		s.behind, s.pushed = true, nil
	}
	if n != Unknown {
		s.known = max(s.known, n)
	}
	s.mu.Unlock()
	if news {
		offer(s.woken)
	}
}
