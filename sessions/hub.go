package sessions

import (
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/obligations"
)

// Hub carries the news of logs between turns and those who read along, on this
// instance and on others.
//
// Rows carry, notifications wake. What this process commits is handed to its own
// subscribers at once, so that a turn costs no reads; everybody else is woken by
// one NOTIFY a batch, sent after the commit by a connection of its own, and
// reads what it lacks from the table. A subscriber that is slow reads bigger
// pieces later; nothing is kept for it beyond a few events.
//
// Nobody is woken while no other instance is there: one that begins to listen
// says so, and whoever hears it answers, so that each knows of the other before
// anything is missed.
//
// A reply that is being streamed lives in memory (see [Deltas]); it becomes rows
// only while somebody on another instance reads along.
type Hub struct {
	pool     *pgxpool.Pool
	log      *slog.Logger
	instance string

	mu      sync.Mutex
	topics  map[string]*topic // by session; guarded by mu
	outbox  map[string]bool   // payloads to notify; guarded by mu
	replies int               // being made here; guarded by mu
	alone   bool              // no other instance listens; guarded by mu
	heard   time.Time         // when another instance was last heard of; guarded by mu
	stopper func(session string, turn int)
	locked  atomic.Bool   // the listening connection holds this instance's lock
	post    chan struct{} // wakes the notifier
	wg      sync.WaitGroup
	cancel  context.CancelFunc
}

// topic is what a hub knows of one session while somebody is in it.
type topic struct {
	subs  map[*Subscription]struct{}
	reply *Deltas // running reply of a turn worked here; nil if none
}

// wake wakes everybody in the room. The hub's lock is held.
func (r *topic) wake() {
	for sub := range r.subs {
		sub.signal()
	}
}

// recheck tells everybody in the room that the log may have grown. The hub's lock is
// held.
func (r *topic) recheck() {
	for sub := range r.subs {
		sub.recheck()
	}
}

const channel = "quaestor"

// NewHub returns a hub that listens and notifies until [Hub.Close]. Instance is
// this server's id.
func NewHub(pool *pgxpool.Pool, log *slog.Logger, instance string) *Hub {
	ctx, cancel := context.WithCancel(context.Background()) // ends with Close
	h := &Hub{pool: pool, log: log, instance: instance, topics: map[string]*topic{}, outbox: map[string]bool{}, post: make(chan struct{}, 1), cancel: cancel}
	h.wg.Go(func() { h.listen(ctx) })
	h.wg.Go(func() { h.notify(ctx) })
	return h
}

// Close ends the hub's goroutines and waits for them. Subscriptions end with
// their own contexts.
func (h *Hub) Close() {
	h.cancel()
	h.wg.Wait()
}

// OnStop sets what is called when another instance asks to stop a turn that may
// run here. It must be set before turns run.
func (h *Hub) OnStop(f func(session string, turn int)) { h.stopper = f }

// Publish hands events that were just committed to the session's subscribers
// here and wakes those elsewhere.
func (h *Hub) Publish(s obligations.Scope, events []Event) {
	h.mu.Lock()
	h.deliver(s, events)
	h.mu.Unlock()
	h.notifyOthers(s, events)
}

// deliver gives events to the session's subscribers here. h.mu must be held.
func (h *Hub) deliver(s obligations.Scope, events []Event) {
	if r := h.topics[s.Session]; r != nil && len(events) > 0 {
		for sub := range r.subs {
			sub.push(events)
		}
	}
}

// notifyOthers wakes those who read along elsewhere.
func (h *Hub) notifyOthers(s obligations.Scope, events []Event) {
	if len(events) == 0 {
		return
	}
	h.mu.Lock()
	alone := h.alone
	h.mu.Unlock()
	if !alone {
		h.send("s:" + s.Session + ":" + strconv.FormatInt(events[len(events)-1].Seq, 10))
	}
}

// Recheck tells the session's subscribers here, and everybody elsewhere, that its log may
// have grown.
func (h *Hub) Recheck(s obligations.Scope) {
	h.mu.Lock()
	if r := h.topics[s.Session]; r != nil {
		r.recheck()
	}
	h.mu.Unlock()
	h.send("s:" + s.Session + ":" + strconv.Itoa(math.MaxInt64))
}

// Locked reports whether this instance holds its lock in the database.
func (h *Hub) Locked() bool { return h.locked.Load() }

// Replying returns how many replies are being made on this instance: how much
// people wait for it right now.
func (h *Hub) Replying() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.replies
}

// settleIn is how long an instance that was heard of may take to be counted.
const settleIn = 30 * time.Second

// Alone tells the hub whether other instances were counted. One that was heard
// of a moment ago is there, counted or not.
func (h *Hub) Alone(alone bool) {
	h.mu.Lock()
	before := h.alone
	h.alone = alone && time.Since(h.heard) > settleIn
	found := before && !h.alone
	h.mu.Unlock()
	if found {
		h.send("d:" + h.instance)
	}
}

// Stop asks whichever instance works the turn to stop it.
func (h *Hub) Stop(session string, turn int) { h.send("x:" + session + ":" + strconv.Itoa(turn)) }

// Watch asks the instance that works the session's turn to write its reply's
// pieces down.
func (h *Hub) watch(session string) { h.send("w:" + session) }

func (h *Hub) send(payload string) {
	h.mu.Lock()
	h.outbox[payload] = true
	h.mu.Unlock()
	select {
	case h.post <- struct{}{}:
	default:
	}
}

// notify sends what is in the outbox, everything that gathered meanwhile in one
// statement. A payload that cannot be sent is dropped after one retry: readers
// look at the table by themselves every few seconds.
func (h *Hub) notify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.post:
		}
		h.mu.Lock()
		payloads := make([]string, 0, len(h.outbox))
		for p := range h.outbox {
			payloads = append(payloads, p)
		}
		clear(h.outbox)
		h.mu.Unlock()
		for range 2 {
			err := queries.WakeAll(ctx, h.pool, payloads)
			if err == nil || ctx.Err() != nil {
				break
			}
			h.log.WarnContext(ctx, "notify", "err", err)
		}
	}
}

// listen keeps a connection listening and hands on what it hears. After a break
// it wakes everybody, for it cannot know what it missed.
func (h *Hub) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		h.log.WarnContext(ctx, "listen", "err", err)
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
	if err := holdLock(ctx, conn, h.instance); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return err
	}
	h.locked.Store(true)
	defer h.locked.Store(false)
	h.wakeAll()
	h.send("h:" + h.instance)
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		h.hear(n.Payload)
	}
}

// hear acts on one payload: s:SESSION:SEQ (there are events), w:SESSION (write
// the reply down), x:SESSION:TURN (stop), h:INSTANCE (it begins to listen) or
// d:INSTANCE (it has heard that, and may not have told before).
func (h *Hub) hear(payload string) {
	kind, rest, _ := strings.Cut(payload, ":")
	switch {
	case kind == "h" || kind == "d":
		h.meet(kind, rest)
		return
	case kind == "x" && h.stopper == nil:
		return
	}
	session, tail, _ := strings.Cut(rest, ":")
	n, _ := strconv.ParseInt(tail, 10, 64)
	if kind == "x" {
		h.stopper(session, int(n))
		return
	}
	h.hint(kind, session, n)
}

// meet takes note of another instance. What was committed here before that is
// read by whoever hears the answer; what comes after is told.
func (h *Hub) meet(kind, instance string) {
	if instance == h.instance {
		return
	}
	h.mu.Lock()
	h.alone, h.heard = false, time.Now()
	h.mu.Unlock()
	if kind == "h" {
		h.send("d:" + h.instance)
	}
	h.wakeAll()
}

func (h *Hub) hint(kind, session string, n int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.topics[session]
	if r == nil {
		return
	}
	switch kind {
	case "s":
		for sub := range r.subs {
			sub.hint(n)
		}
	case "w":
		if r.reply != nil {
			r.reply.share()
		}
	}
}

func (h *Hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.topics {
		r.recheck()
	}
}

// enter returns the session's room, made if need be. h.mu must be held.
func (h *Hub) enter(session string) *topic {
	r := h.topics[session]
	if r == nil {
		r = &topic{subs: map[*Subscription]struct{}{}}
		h.topics[session] = r
	}
	return r
}

// leave drops the session's room when nobody is left in it. h.mu must be held.
func (h *Hub) leave(session string) {
	if r := h.topics[session]; r != nil && len(r.subs) == 0 && r.reply == nil {
		delete(h.topics, session)
	}
}
