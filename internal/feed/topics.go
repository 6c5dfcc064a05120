package feed

import (
	"math"
	"sync"
)

// Event is an entry of a log.
type Event interface {
	// Number is its place in the log, from 1 on. Numbers rise; they may have gaps.
	Number() int64
}

// Unknown is the number to give to [Topics.Hint] when a log may have grown and it is not
// known how far.
const Unknown = math.MaxInt64

// Topics are the logs that are followed on this instance, by name. The zero value has
// none and is ready to use. It is safe for concurrent use.
type Topics[E Event] struct {
	mu   sync.Mutex
	subs map[string]map[*Subscription[E]]struct{} // guarded by mu
}

// Deliver hands events that were just committed, in order, to the log's subscriptions.
func (t *Topics[E]) Deliver(topic string, events []E) {
	if len(events) > 0 {
		t.each(topic, func(s *Subscription[E]) { s.push(events) })
	}
}

// Hint tells the log's subscriptions that it has events up to number n, or [Unknown].
func (t *Topics[E]) Hint(topic string, n int64) {
	t.each(topic, func(s *Subscription[E]) { s.hint(n) })
}

// Wake has the log's subscriptions look for what their source adds to the events.
func (t *Topics[E]) Wake(topic string) {
	t.each(topic, func(s *Subscription[E]) { offer(s.woken) })
}

// HintAll tells every subscription that its log may have grown.
func (t *Topics[E]) HintAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, subs := range t.subs {
		for s := range subs {
			s.hint(Unknown)
		}
	}
}

func (t *Topics[E]) each(topic string, f func(*Subscription[E])) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.subs[topic] {
		f(s)
	}
}

func (t *Topics[E]) add(s *Subscription[E]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.subs == nil {
		t.subs = map[string]map[*Subscription[E]]struct{}{}
	}
	if t.subs[s.topic] == nil {
		t.subs[s.topic] = map[*Subscription[E]]struct{}{}
	}
	t.subs[s.topic][s] = struct{}{}
}

func (t *Topics[E]) remove(s *Subscription[E]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.subs[s.topic], s)
	if len(t.subs[s.topic]) == 0 {
		delete(t.subs, s.topic)
	}
}
