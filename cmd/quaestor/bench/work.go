package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// work is what the database does for a turn, on average.
type work struct {
	kind       string
	turns      int
	trips      float64 // that the turn waits for
	statements float64
	commits    float64 // that write; those for waking others left out
	wal        float64 // bytes
	up, down   float64 // bytes
	wakes      float64 // round trips after the turn that wake other instances
	idleTrips  float64 // a second, without any turn
	first      float64 // round trips of the first turn of a session
}

// account is the database's own books: both only grow.
type account struct {
	at  time.Duration
	wal int64 // bytes written to the log
	xid int64 // number of the next transaction that writes
}

func (b *bench) account(ctx context.Context) (a account, err error) {
	a.at = b.now()
	err = b.db.QueryRow(ctx, `SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint`).Scan(&a.wal, &a.xid)
	return a, err
}

// How much is talked to count.
const (
	countTalkers = 8
	idleFor      = 2 * time.Second
)

// measureWork counts what turns make the database do, through a proxy.
func (b *bench) measureWork(ctx context.Context) error {
	b.model.set(pace{pieces: b.pieces})
	for _, kind := range []string{readKind, modelKind, rulesKind} {
		if kind == modelKind && b.results.modelless {
			continue
		}
		w, err := b.countKind(ctx, kind)
		if err != nil {
			return err
		}
		if w != nil {
			b.results.works = append(b.results.works, w)
		}
	}
	b.tellWork()
	return nil
}

func (b *bench) countKind(ctx context.Context, kind string) (w *work, err error) {
	p, err := startProxy(b.cluster.URL())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	s, err := b.startOn(ctx, kind, p.url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if kind == modelKind && b.results.modelless {
		return nil, nil
	}
	if s.kind == readKind {
		return b.count(ctx, p, s)
	}
	desk, err := b.holdDesk(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desk()) }()
	return b.count(ctx, p, s)
}

// holdDesk keeps research from being worked, until what it returns is called: turns
// order some, and the desk's work is not theirs.
func (b *bench) holdDesk(ctx context.Context) (release func() error, err error) {
	q, err := newQueue(ctx, b.db, -1, nil)
	if err != nil {
		return nil, err
	}
	release = func() error { return q.QueueResume(context.WithoutCancel(ctx), deskQueue(), nil) }
	return release, q.QueuePause(ctx, deskQueue(), nil)
}

// count warms up one session a talker, and counts the next one. The checkpoint
// comes before the warm-up: the first change of a page after it writes the whole
// page to the log, which is no turn's doing.
func (b *bench) count(ctx context.Context, p *proxy, s *server) (*work, error) {
	if _, err := b.db.Exec(ctx, `CHECKPOINT`); err != nil {
		return nil, err
	}
	people := make([]*talker, countTalkers)
	for i := range people {
		people[i] = b.talker(s, fmt.Sprint("c", i))
	}
	if err := each(ctx, people, 2*turnsASession); err != nil {
		return nil, err
	}
	if err := b.awaitIndexed(ctx); err != nil {
		return nil, err
	}
	idle, err := b.idleRate(ctx, p)
	if err != nil {
		return nil, err
	}
	quiet := p.totals()
	if err := each(ctx, people, 1); err != nil {
		return nil, err
	}
	w := &work{kind: s.kind, turns: countTalkers * (turnsASession - 1), idleTrips: float64(idle.trips) / idleFor.Seconds()}
	before, books, err := b.standing(ctx, p)
	if err != nil {
		return nil, err
	}
	w.first = float64(before[ofTurn].minus(quiet[ofTurn]).trips) / countTalkers
	if err := each(ctx, people, turnsASession-1); err != nil {
		return nil, err
	}
	after, closing, err := b.standing(ctx, p)
	if err != nil {
		return nil, err
	}
	w.fill(before, after, books, closing, idle.account)
	return w, nil
}

// indexLimit is how long the index may take for the sessions of the warm-up.
const indexLimit = 5 * time.Minute

// awaitIndexed waits until every session can be found: what the index writes is no
// turn's doing, and would be taken for what happens when nobody talks.
func (b *bench) awaitIndexed(ctx context.Context) error {
	for end := b.now() + indexLimit; ; {
		var left int
		err := b.db.QueryRow(ctx, `SELECT count(*) FROM elicitation_sessions AS s LEFT JOIN search_heads AS h ON h.tenant_id = s.tenant_id AND h.session_id = s.id
			WHERE h.version IS NULL OR h.version < s.version`).Scan(&left)
		if err != nil || left == 0 {
			return err
		}
		if b.now() > end {
			return fmt.Errorf("%d sessions were not indexed within %s", left, indexLimit)
		}
		if err := b.settle(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// standing lets wake-ups that follow the last turns pass, and reads the books.
func (b *bench) standing(ctx context.Context, p *proxy) ([classes]tally, account, error) {
	if err := b.settle(ctx, 100*time.Millisecond); err != nil {
		return [classes]tally{}, account{}, err
	}
	a, err := b.account(ctx)
	return p.totals(), a, err
}

func (w *work) fill(before, after [classes]tally, opening, closing, idle account) {
	n := float64(w.turns)
	turn, wake := after[ofTurn].minus(before[ofTurn]), after[ofWaking].minus(before[ofWaking])
	w.trips, w.statements = float64(turn.trips)/n, float64(turn.statements)/n
	w.up, w.down = float64(turn.up)/n, float64(turn.down)/n
	w.wakes = float64(wake.trips) / n
	share := float64(closing.at-opening.at) / float64(idle.at)
	w.wal = max(float64(closing.wal-opening.wal)-share*float64(idle.wal), 0) / n
	w.commits = max(float64(closing.xid-opening.xid)-share*float64(idle.xid)-float64(wake.trips), 0) / n
}

// idling is what happens when nobody talks: at is how long that was watched.
type idling struct {
	account
	trips int
}

func (b *bench) idleRate(ctx context.Context, p *proxy) (out idling, err error) {
	seen := p.totals()
	before, err := b.account(ctx)
	if err != nil {
		return out, err
	}
	if err := b.settle(ctx, idleFor); err != nil {
		return out, err
	}
	after, err := b.account(ctx)
	for c, t := range p.totals() {
		out.trips += t.trips - seen[c].trips
	}
	out.account = account{at: after.at - before.at, wal: after.wal - before.wal, xid: after.xid - before.xid}
	return out, err
}

// each lets all people take so many turns, side by side.
func each(ctx context.Context, people []*talker, turns int) error {
	errs := make([]error, len(people))
	var wg sync.WaitGroup
	for i, t := range people {
		wg.Go(func() {
			for range turns {
				e, err := t.say(ctx)
				if err == nil && e.failed != "" {
					err = errors.New(e.failed)
				}
				if err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
