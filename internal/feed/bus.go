package feed

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

// Message is what instances tell each other. On the wire it is KIND:SUBJECT:N, without
// N when that is zero. Neither text may hold a colon.
type Message struct {
	Kind    string
	Subject string // the log or instance it is about
	N       int64
}

func (m Message) String() string {
	if m.N == 0 {
		return m.Kind + ":" + m.Subject
	}
	return m.Kind + ":" + m.Subject + ":" + strconv.FormatInt(m.N, 10)
}

// parse returns the message of a payload. What is no number is zero.
func parse(payload string) Message {
	kind, rest, _ := strings.Cut(payload, ":")
	subject, tail, _ := strings.Cut(rest, ":")
	n, _ := strconv.ParseInt(tail, 10, 64)
	return Message{kind, subject, n}
}

// Listener is called by a bus, from one goroutine.
type Listener struct {
	// Heard is called with each message, those of this instance included.
	Heard func(Message)
	// Opened is called with a new connection before it listens; it may keep a lock there
	// that lives as long as the connection. An error closes it. Nil does nothing.
	Opened func(ctx context.Context, conn *pgx.Conn) error
	// Listening is called with true when a connection has begun to listen, and whatever was
	// sent before may have been missed; with false when it listens no more.
	Listening func(on bool)
}

// Bus sends messages to all instances over one channel of NOTIFY, and hears them on a
// connection of its own. Equal messages that wait to be sent are sent once. It is safe
// for concurrent use.
type Bus struct {
	pool    *pgxpool.Pool
	log     *slog.Logger
	channel string

	mu     sync.Mutex
	outbox map[Message]struct{} // guarded by mu
	post   chan struct{}        // one token: there is something in the outbox
	wg     sync.WaitGroup
	cancel context.CancelFunc // set by Start
}

// NewBus returns a bus that does nothing before [Bus.Start].
func NewBus(pool *pgxpool.Pool, log *slog.Logger, channel string) *Bus {
	return &Bus{pool: pool, log: log, channel: channel, outbox: map[Message]struct{}{}, post: make(chan struct{}, 1)}
}

// Start begins to send and to listen, until [Bus.Close].
func (b *Bus) Start(l Listener) {
	ctx, cancel := context.WithCancel(context.Background()) // ends with Close
	b.cancel = cancel
	b.wg.Go(func() { b.listen(ctx, l) })
	b.wg.Go(func() { b.notify(ctx) })
}

// Close ends a bus that was started and waits for its goroutines. What is sent afterwards is dropped.
func (b *Bus) Close() {
	b.cancel()
	b.wg.Wait()
}

// Send tells all instances a message, soon. It does not wait, and the message may be lost.
func (b *Bus) Send(m Message) {
	b.mu.Lock()
	b.outbox[m] = struct{}{}
	b.mu.Unlock()
	offer(b.post)
}

// offer puts a token into a channel unless one is there.
func offer(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// notify sends what is in the outbox, everything that gathered meanwhile in one
// statement. What cannot be sent is dropped after one retry: readers look at the table by
// themselves every few seconds.
func (b *Bus) notify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.post:
		}
		payloads := b.collect()
		for range 2 {
			_, err := b.pool.Exec(ctx, `SELECT pg_notify($1, x) FROM unnest($2::text[]) AS x`, b.channel, payloads)
			if err == nil || ctx.Err() != nil {
				break
			}
			b.log.WarnContext(ctx, "notify", "channel", b.channel, "err", err)
		}
	}
}

// collect empties the outbox.
func (b *Bus) collect() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	payloads := make([]string, 0, len(b.outbox))
	for m := range b.outbox {
		payloads = append(payloads, m.String())
	}
	clear(b.outbox)
	return payloads
}

// listen keeps a connection listening. Instances that lost theirs at the same moment
// come back at different ones.
func (b *Bus) listen(ctx context.Context, l Listener) {
	for ctx.Err() == nil {
		err := b.listenOnce(ctx, l)
		if ctx.Err() != nil {
			return
		}
		b.log.WarnContext(ctx, "listen", "channel", b.channel, "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(200*time.Millisecond + rand.N(300*time.Millisecond)):
		}
	}
}

func (b *Bus) listenOnce(ctx context.Context, l Listener) error {
	pooled, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pooled.Hijack() // it listens for as long as the process lives
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if l.Opened != nil {
		if err := l.Opened(ctx, conn); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{b.channel}.Sanitize()); err != nil {
		return err
	}
	l.Listening(true)
	defer l.Listening(false)
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		l.Heard(parse(n.Payload))
	}
}
