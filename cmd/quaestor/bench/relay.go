package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// relay is how events travel between two instances, and how a reader that comes
// back gets what it missed.
type relay struct {
	lag       sample // an event on one instance's stream, then on the other's
	notify    sample // floor: a row and a notification in one transaction, heard on another connection
	events    int
	perSecond float64
	missing   int    // events that never came
	resume    sample // from the request to the last of the missed events
	query     sample // floor: reading those events from the table
	missed    int    // events a reader missed
	logged    int    // events in the table
}

// How much is relayed and resumed.
const (
	relaySessions = 20
	relayTurns    = 6
	relayPeriod   = 700 * time.Millisecond // some 200 events a second in all
	relayPatience = 15 * time.Second
	floorNotes    = 300
	floorSpacing  = 5 * time.Millisecond
	missedEvents  = 50
	resumes       = 200
)

// measureRelay runs two instances on one database.
func (b *bench) measureRelay(ctx context.Context) error {
	b.model.set(pace{pieces: b.pieces})
	kind := modelKind
	if b.results.modelless {
		kind = rulesKind
	}
	err := b.with(ctx, kind, func(here *server) error {
		return b.with(ctx, kind, func(there *server) error {
			r := &relay{}
			b.results.relay = r
			return errors.Join(b.relayEvents(ctx, r, here, there), b.relayFloor(ctx, r), b.resumeMissed(ctx, r, here, there))
		})
	})
	if err != nil {
		return err
	}
	b.tellRelay()
	return nil
}

// witness notes when each event of a session was seen on either instance.
type witness struct {
	mu          sync.Mutex
	here, there map[int64]time.Duration // guarded by mu
}

func (w *witness) note(on map[int64]time.Duration) func(int64, time.Duration) {
	return func(id int64, at time.Duration) {
		w.mu.Lock()
		defer w.mu.Unlock()
		on[id] = at
	}
}

// lags returns how much later the other instance saw each event, and how many it
// has not seen.
func (w *witness) lags() (list []time.Duration, missing int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, at := range w.here {
		if then, ok := w.there[id]; ok {
			list = append(list, then-at)
			continue
		}
		missing++
	}
	return list, missing
}

// relayEvents lets people talk here while each of their sessions is read there.
func (b *bench) relayEvents(ctx context.Context, r *relay, here, there *server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg, readers sync.WaitGroup
	witnesses, errs := make([]*witness, relaySessions), make([]error, relaySessions)
	began := b.now()
	for i := range witnesses {
		w := &witness{here: map[int64]time.Duration{}, there: map[int64]time.Duration{}}
		witnesses[i] = w
		t := b.talker(here, fmt.Sprint("r", i))
		if err := b.readAlong(ctx, t, there, w, &readers); err != nil {
			return err
		}
		wg.Go(func() { errs[i] = b.talkSlowly(ctx, t) })
	}
	wg.Wait()
	took := b.now() - began
	b.awaitAll(ctx, witnesses)
	cancel()
	readers.Wait()
	for _, w := range witnesses {
		list, missing := w.lags()
		r.lag.add(list...)
		r.missing += missing
	}
	r.events = r.lag.len()
	r.perSecond = float64(r.events) / took.Seconds()
	return errors.Join(errs...)
}

// readAlong begins a session on one instance and reads it on the other.
func (b *bench) readAlong(ctx context.Context, t *talker, there *server, w *witness, readers *sync.WaitGroup) error {
	first, err := t.say(ctx)
	if err != nil {
		return err
	}
	t.seen = w.note(w.here)
	body, err := b.talker(there, "reader").listen(ctx, first.session, first.lastID)
	if err != nil {
		return err
	}
	e := exchange{seen: w.note(w.there)}
	readers.Go(func() { // ends with ctx
		defer func() { _ = body.Close() }()
		_ = read(body, b.clock, func(line []byte, now time.Duration) bool {
			e.line(line, now)
			return false
		})
	})
	return nil
}

func (b *bench) talkSlowly(ctx context.Context, t *talker) error {
	for range relayTurns {
		if !b.waitUntil(ctx, b.now()+relayPeriod) {
			return ctx.Err()
		}
		if _, err := t.say(ctx); err != nil {
			return err
		}
	}
	return nil
}

// awaitAll waits until everything was seen there too, or patience is over: what
// is missing then is counted.
func (b *bench) awaitAll(ctx context.Context, list []*witness) {
	for end := b.now() + relayPatience; b.now() < end; {
		missing := 0
		for _, w := range list {
			_, n := w.lags()
			missing += n
		}
		if missing == 0 || !b.waitUntil(ctx, b.now()+20*time.Millisecond) {
			return
		}
	}
}

// relayFloor times a row and a notification in one transaction.
func (b *bench) relayFloor(ctx context.Context, r *relay) error {
	if _, err := b.db.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS bench_floor; CREATE TABLE IF NOT EXISTS bench_floor.notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)`); err != nil {
		return err
	}
	listener, err := pgx.Connect(ctx, b.cluster.URL())
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close(context.WithoutCancel(ctx)) }()
	if _, err := listener.Exec(ctx, `LISTEN bench_floor`); err != nil {
		return err
	}
	for i := range floorNotes {
		began := b.now()
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO bench_floor.notes (note) VALUES ($1)`, "something happened")
		batch.Queue(`SELECT pg_notify('bench_floor', $1)`, strconv.Itoa(i))
		if err := b.db.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		if _, err := listener.WaitForNotification(ctx); err != nil {
			return err
		}
		r.notify.add(b.now() - began)
		b.waitUntil(ctx, began+floorSpacing)
	}
	return nil
}

// resumeMissed comes back to sessions on either instance, as if the last events
// had been missed.
func (b *bench) resumeMissed(ctx context.Context, r *relay, here, there *server) error {
	people := []*talker{b.talker(here, "m1"), b.talker(here, "m2"), b.talker(there, "m3"), b.talker(there, "m4")}
	if err := each(ctx, people, turnsASession); err != nil {
		return err
	}
	if err := b.db.QueryRow(ctx, `SELECT coalesce(sum(cardinality(kinds)), 0)::bigint FROM session_events`).Scan(&r.logged); err != nil {
		return err
	}
	r.missed = missedEvents
	for i := range resumes {
		p := people[i%len(people)]
		var after, head int64
		err := b.db.QueryRow(ctx, `SELECT last_seq - $2::bigint, last_seq FROM session_heads WHERE session_id = $1`, p.session, missedEvents).Scan(&after, &head)
		if err != nil {
			return err
		}
		reader := b.talker([]*server{here, there}[i%2], "back")
		if err := b.resumeOnce(ctx, r, reader, place{p.session, head}, after); err != nil {
			return err
		}
	}
	return nil
}

// resumeOnce times one return, and the query it cannot do without.
func (b *bench) resumeOnce(ctx context.Context, r *relay, t *talker, p place, after int64) error {
	began := b.now()
	body, err := t.listen(ctx, p.session, after)
	if err != nil {
		return err
	}
	err = b.awaitEvent(body, p.head, func(at time.Duration) { r.resume.add(at - began) })
	if err != nil {
		return err
	}
	began = b.now()
	rows, err := b.db.Query(ctx, `SELECT seq, turn, kinds, data, at FROM session_events WHERE session_id = $1 AND tenant_id = (SELECT tenant_id FROM session_heads WHERE session_id = $1) AND seq > $2 ORDER BY seq LIMIT 500`, p.session, after)
	if err != nil {
		return err
	}
	for rows.Next() {
		continue // the rows have to come, no more
	}
	r.query.add(b.now() - began)
	return rows.Err()
}

// awaitEvent reads a stream up to the event with that number, and closes it.
func (b *bench) awaitEvent(body io.ReadCloser, head int64, came func(time.Duration)) error {
	e := exchange{}
	found := errors.New("found")
	err := readUntil(body, b.clock, func(line []byte, now time.Duration) error {
		e.line(line, now)
		if e.lastID < head || len(line) > 0 { // a blank line ends the event
			return nil
		}
		came(now)
		return found
	})
	if errors.Is(err, found) {
		err = nil
	}
	return errors.Join(err, body.Close())
}
