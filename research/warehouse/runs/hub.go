package runs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/feed"
)

// Hub tells the subscribers to runs, on this instance and on others, that there are new
// events; they read them from the rows. It tells workers that somebody wants something
// of the run they have. See package feed for how.
//
// A message that is lost costs seconds: subscribers look by themselves now and then, and
// workers with every beat.
type Hub struct {
	pool   *pgxpool.Pool
	bus    *feed.Bus
	topics feed.Topics[Event] // by run
	every  time.Duration      // how often a subscription reads without having been told to

	mu      sync.Mutex
	workers map[string]map[*work]struct{} // by run; guarded by mu
}

const channel = "quaestor_runs"

// The kinds of messages between instances.
const (
	grownMessage = "e" // the run has events up to number N
	lookMessage  = "x" // somebody wants something of the run
)

// lookEvery is how often subscriptions read without having been told to: a message may be
// lost, the truth is in the rows.
const lookEvery = 5 * time.Second

// NewHub returns a hub that listens and notifies until [Hub.Close].
func NewHub(pool *pgxpool.Pool, log *slog.Logger) *Hub {
	h := &Hub{pool: pool, bus: feed.NewBus(pool, log, channel), every: lookEvery, workers: map[string]map[*work]struct{}{}}
	h.bus.Start(feed.Listener{Heard: h.hear, Listening: h.listening})
	return h
}

// Close ends the hub's goroutines and waits for them. Subscriptions go on by
// looking at the rows.
func (h *Hub) Close() { h.bus.Close() }

// Subscription reads the events of one run; see [Hub.Subscribe].
type Subscription = feed.Subscription[Event]

// Subscribe returns a subscription to the events of a tenant's run after that
// number. The caller ends it with [Subscription.Close]. A run that does not exist
// has no events.
func (h *Hub) Subscribe(tenant, run string, after int64) *Subscription {
	return h.topics.Subscribe(run, after, feed.Source[Event]{
		Read: func(ctx context.Context, after int64) ([]Event, bool, error) {
			return Events(ctx, h.pool, tenant, run, after)
		},
		Every: func() time.Duration { return h.every },
	})
}

// publish tells that a run has events up to seq, which are committed.
func (h *Hub) publish(run string, seq int64) {
	h.topics.Hint(run, seq)
	h.bus.Send(feed.Message{Kind: grownMessage, Subject: run, N: seq})
}

// disturb has the worker of a run, wherever it is, look at it now.
func (h *Hub) disturb(run string) {
	h.look(run)
	h.bus.Send(feed.Message{Kind: lookMessage, Subject: run})
}

// look has workers here look at a run.
func (h *Hub) look(run string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.workers[run] {
		w.poke()
	}
}

// enter notes that w works its run here, until what it returns is called.
func (h *Hub) enter(w *work) (dismiss func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.workers[w.run.ID] == nil {
		h.workers[w.run.ID] = map[*work]struct{}{}
	}
	h.workers[w.run.ID][w] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.workers[w.run.ID], w)
		if len(h.workers[w.run.ID]) == 0 {
			delete(h.workers, w.run.ID)
		}
	}
}

// hear acts on one message.
func (h *Hub) hear(m feed.Message) {
	switch m.Kind {
	case grownMessage:
		h.topics.Hint(m.Subject, m.N)
	case lookMessage:
		h.look(m.Subject)
	}
}

// listening has everybody look once the connection that listens is back: it is not known
// what was missed.
func (h *Hub) listening(on bool) {
	if !on {
		return
	}
	h.topics.HintAll()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, workers := range h.workers {
		for w := range workers {
			w.poke()
		}
	}
}
