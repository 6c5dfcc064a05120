package sessions

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/feed"
	"quaestor/obligations"
)

// Hub carries the events of session logs to subscribers, on this instance and on
// others; see package feed for how.
//
// No messages are sent while no other instance is there: one that begins to listen
// announces itself, and every instance that hears it answers, so that each knows of the
// other before anything is missed.
//
// A reply that is being streamed lives in memory (see [Deltas]); it becomes rows
// only while somebody on another instance reads along.
type Hub struct {
	pool     *pgxpool.Pool
	log      *slog.Logger
	instance string
	bus      *feed.Bus
	topics   feed.Topics[Event] // by session
	locked   atomic.Bool        // the listening connection holds this instance's lock
	stopper  func(session string, turn int)
	wg       sync.WaitGroup // of replies that are written down

	mu      sync.Mutex
	replies map[string]*Deltas // running replies of turns worked here, by session; guarded by mu
	making  int                // replies being made here; guarded by mu
	alone   bool               // no other instance listens; guarded by mu
	heard   time.Time          // when another instance was last heard of; guarded by mu
}

const channel = "quaestor"

// The kinds of messages between instances.
const (
	grownMessage   = "s" // the session has events up to number N
	watchMessage   = "w" // write the session's running reply down
	stopMessage    = "x" // stop turn N of the session
	newMessage     = "h" // the instance begins to listen
	presentMessage = "d" // the instance is there, and may not have sent messages before
)

// NewHub returns a hub that listens and notifies until [Hub.Close]. Instance is
// this server's id.
func NewHub(pool *pgxpool.Pool, log *slog.Logger, instance string) *Hub {
	h := &Hub{pool: pool, log: log, instance: instance, bus: feed.NewBus(pool, log, channel), replies: map[string]*Deltas{}}
	h.bus.Start(feed.Listener{
		Heard:     h.hear,
		Opened:    func(ctx context.Context, conn *pgx.Conn) error { return holdLock(ctx, conn, instance) },
		Listening: h.listening,
	})
	return h
}

// Close ends the hub's goroutines and waits for them. Subscriptions end with
// their own contexts.
func (h *Hub) Close() {
	h.bus.Close()
	h.wg.Wait()
}

// OnStop sets what is called when another instance asks to stop a turn that may
// run here. It must be set before turns run.
func (h *Hub) OnStop(f func(session string, turn int)) { h.stopper = f }

// Publish hands events that were just committed to the session's subscribers
// here and wakes those elsewhere.
func (h *Hub) Publish(s obligations.Scope, events []Event) {
	h.topics.Deliver(s.Session, events)
	h.notifyOthers(s, events)
}

// notifyOthers wakes subscribers on other instances.
func (h *Hub) notifyOthers(s obligations.Scope, events []Event) {
	if len(events) == 0 {
		return
	}
	h.mu.Lock()
	alone := h.alone
	h.mu.Unlock()
	if !alone {
		h.bus.Send(feed.Message{Kind: grownMessage, Subject: s.Session, N: events[len(events)-1].Seq})
	}
}

// Recheck tells the session's subscribers here and elsewhere that its log may have
// grown.
func (h *Hub) Recheck(s obligations.Scope) {
	h.topics.Hint(s.Session, feed.Unknown)
	h.bus.Send(feed.Message{Kind: grownMessage, Subject: s.Session, N: feed.Unknown})
}

// Locked reports whether this instance holds its lock in the database.
func (h *Hub) Locked() bool { return h.locked.Load() }

// Replying returns how many replies are being made on this instance, as a measure of
// how much people wait for it right now.
func (h *Hub) Replying() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.making
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
		h.bus.Send(feed.Message{Kind: presentMessage, Subject: h.instance})
	}
}

// Stop asks the instance that works the turn to stop it.
func (h *Hub) Stop(session string, turn int) {
	h.bus.Send(feed.Message{Kind: stopMessage, Subject: session, N: int64(turn)})
}

// watch asks the instance that works the session's turn to write its reply's
// pieces down.
func (h *Hub) watch(session string) {
	h.bus.Send(feed.Message{Kind: watchMessage, Subject: session})
}

// listening follows the state of the connection that listens.
func (h *Hub) listening(on bool) {
	h.locked.Store(on)
	if on {
		h.topics.HintAll()
		h.bus.Send(feed.Message{Kind: newMessage, Subject: h.instance})
	}
}

// hear acts on one message.
func (h *Hub) hear(m feed.Message) {
	switch m.Kind {
	case grownMessage:
		h.topics.Hint(m.Subject, m.N)
	case watchMessage:
		if reply := h.reply(m.Subject); reply != nil {
			reply.share()
		}
	case stopMessage:
		if h.stopper != nil {
			h.stopper(m.Subject, int(m.N))
		}
	case newMessage, presentMessage:
		h.meet(m)
	}
}

// meet takes note of another instance. What was committed here before that is
// read by the instance that hears the answer; it is told of what comes after.
func (h *Hub) meet(m feed.Message) {
	if m.Subject == h.instance {
		return
	}
	h.mu.Lock()
	h.alone, h.heard = false, time.Now()
	h.mu.Unlock()
	if m.Kind == newMessage {
		h.bus.Send(feed.Message{Kind: presentMessage, Subject: h.instance})
	}
	h.topics.HintAll()
}

// reply returns the session's running reply that is made here; nil if there is none.
func (h *Hub) reply(session string) *Deltas {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.replies[session]
}
