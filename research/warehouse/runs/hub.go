package runs

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Hub tells those who watch runs, on this instance and on others, that there are
// new events; they read them from the rows. It tells workers that somebody wants
// something of the run they have.
//
// It listens on one connection of its own. What is told elsewhere goes as one
// NOTIFY for all that gathered, after the commit. A notice that is lost costs
// seconds: watchers look by themselves now and then, and workers with every beat.
type Hub struct {
	pool *pgxpool.Pool
	log  *slog.Logger

	mu      sync.Mutex
	readers map[string]map[*Subscription]struct{} // by run; guarded by mu
	workers map[string]map[*work]struct{}         // by run; guarded by mu
	outbox  map[string]struct{}                   // payloads to notify; guarded by mu
	post    chan struct{}                         // wakes the notifier
	wg      sync.WaitGroup
	cancel  context.CancelFunc
}

const channel = "quaestor_runs"

// NewHub returns a hub that listens and notifies until [Hub.Close].
func NewHub(pool *pgxpool.Pool, log *slog.Logger) *Hub {
	ctx, cancel := context.WithCancel(context.Background()) // ends with Close
	h := &Hub{pool: pool, log: log, readers: map[string]map[*Subscription]struct{}{}, workers: map[string]map[*work]struct{}{},
		outbox: map[string]struct{}{}, post: make(chan struct{}, 1), cancel: cancel}
	h.wg.Go(func() { h.listen(ctx) })
	h.wg.Go(func() { h.notify(ctx) })
	return h
}

// Close ends the hub's goroutines and waits for them. Subscriptions go on by
// looking at the rows.
func (h *Hub) Close() {
	h.cancel()
	h.wg.Wait()
}

// publish tells that a run has events up to seq, which are committed.
func (h *Hub) publish(run string, seq int64) {
	h.news(run, seq)
	h.send("e:" + run + ":" + strconv.FormatInt(seq, 10))
}

// disturb tells whoever works a run to look at it now.
func (h *Hub) disturb(run string) {
	h.look(run)
	h.send("x:" + run)
}

func (h *Hub) send(payload string) {
	h.mu.Lock()
	h.outbox[payload] = struct{}{}
	h.mu.Unlock()
	select {
	case h.post <- struct{}{}:
	default:
	}
}

// news wakes those here who read along and lack events.
func (h *Hub) news(run string, seq int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.readers[run] {
		s.hint(seq)
	}
}

// look has workers here look at a run.
func (h *Hub) look(run string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.workers[run] {
		select {
		case w.look <- struct{}{}:
		default:
		}
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

// notify sends what is in the outbox, everything that gathered meanwhile in one
// statement. What cannot be sent is dropped after one retry.
func (h *Hub) notify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.post:
		}
		payloads := h.collect()
		for range 2 {
			err := queries.WakeAll(ctx, h.pool, payloads)
			if err == nil || ctx.Err() != nil {
				break
			}
			h.log.WarnContext(ctx, "notify of runs", "err", err)
		}
	}
}

// collect empties the outbox.
func (h *Hub) collect() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]string, 0, len(h.outbox))
	for p := range h.outbox {
		out = append(out, p)
	}
	clear(h.outbox)
	return out
}

// listen keeps a connection listening. After a break it wakes everybody, for it
// cannot know what it missed.
func (h *Hub) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		h.log.WarnContext(ctx, "listen to runs", "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(200*time.Millisecond + rand.N(300*time.Millisecond)):
		}
	}
}

func (h *Hub) listenOnce(ctx context.Context) error {
	pooled, err := h.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pooled.Hijack() // it listens for as long as the process lives
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return err
	}
	h.wakeAll()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		h.hear(n.Payload)
	}
}

// hear acts on one payload: e:RUN:SEQ (there are events) or x:RUN (look at it).
func (h *Hub) hear(payload string) {
	kind, rest, _ := strings.Cut(payload, ":")
	run, tail, _ := strings.Cut(rest, ":")
	switch kind {
	case "e":
		if seq, err := strconv.ParseInt(tail, 10, 64); err == nil {
			h.news(run, seq)
		}
	case "x":
		h.look(run)
	}
}

// wakeAll has everybody look.
func (h *Hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, subs := range h.readers {
		for s := range subs {
			s.doubt()
		}
	}
	for _, list := range h.workers {
		for w := range list {
			select {
			case w.look <- struct{}{}:
			default:
			}
		}
	}
}
