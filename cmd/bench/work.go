package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// reading is what was counted up to an instant.
type reading struct {
	tally
	at  time.Duration
	wal int64 // bytes written to the log
	xid int64 // number of the next transaction that writes
}

// read returns what the proxy and the database have counted so far.
func (b *bench) read(ctx context.Context, p *proxy) (r reading, err error) {
	r.at, r.tally = b.now(), p.total()
	err = b.db.QueryRow(ctx, `SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint`).Scan(&r.wal, &r.xid)
	return r, err
}

// minus returns what was counted since s.
func (r reading) minus(s reading) reading {
	return reading{r.tally.minus(s.tally), r.at - s.at, r.wal - s.wal, r.xid - s.xid}
}

// How much is talked to count. Counts hardly vary, so a few conversations suffice.
const (
	workTalkers = 16
	warmTurns   = 4
	idleFor     = 5 * time.Second
)

// measureWork counts what turns make the database do, through a proxy.
func (b *bench) measureWork(ctx context.Context) error {
	t := table{left: 1, head: []string{"server", "statements", "round trips", "commits", "log bytes", "first turn's statements", "idle trips/s"}}
	for _, kind := range kinds {
		if err := b.countKind(ctx, kind, &t); err != nil {
			return err
		}
	}
	b.tell("Database work a turn", &t, fmt.Sprintf("turns 2 to %d of %d sessions side by side; what happens when nobody talks is taken off, and jobs after the turn are held back.", turnsASession, workTalkers))
	return nil
}

// countKind counts for one kind of server and adds a row to t.
func (b *bench) countKind(ctx context.Context, kind string, t *table) (err error) {
	p, err := startProxy(b.cluster.URL())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	s, err := b.startOn(ctx, kind, p.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	resume, err := b.holdJobs(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resume()) }()
	first, rest, idle, err := b.count(ctx, p, s)
	if err != nil {
		return err
	}
	const turns = workTalkers * (turnsASession - 1)
	share := float64(rest.at) / float64(idle.at)
	each := func(total, whenIdle int64) float64 { return max(float64(total)-share*float64(whenIdle), 0) / turns }
	t.add(kind, figure(float64(rest.statements)/turns), figure(float64(rest.trips)/turns), figure(each(rest.xid, idle.xid)), fmt.Sprintf("%.0f", each(rest.wal, idle.wal)),
		figure(float64(first.statements)/workTalkers), figure(float64(idle.all)/idle.at.Seconds()))
	return nil
}

// holdJobs keeps research and the index from being worked, until what it returns is
// called: these jobs follow a turn, and people do not wait for them.
func (b *bench) holdJobs(ctx context.Context) (resume func() error, err error) {
	const everyQueue = "*"
	q, err := river.NewClient(riverpgxv5.New(b.db), &river.Config{Schema: "river"})
	if err != nil {
		return nil, err
	}
	resume = func() error { return q.QueueResume(context.WithoutCancel(ctx), everyQueue, nil) }
	return resume, q.QueuePause(ctx, everyQueue, nil)
}

// count takes some turns to warm up, then counts what happens when nobody talks,
// the first turns of sessions, and all others of the same sessions. The checkpoint
// comes first: the first change of a page after it writes the whole page to the
// log, which is no turn's doing.
func (b *bench) count(ctx context.Context, p *proxy, s *server) (first, rest, idle reading, err error) {
	if _, err := b.db.Exec(ctx, `CHECKPOINT`); err != nil {
		return first, rest, idle, err
	}
	people := make([]*talker, workTalkers)
	for i := range people {
		people[i] = b.talker(s, fmt.Sprint("c", i))
	}
	if err := each(ctx, people, warmTurns); err != nil {
		return first, rest, idle, err
	}
	for _, t := range people {
		t.session, t.turn = "", 0
	}
	idle, err = b.between(ctx, p, func() error { return b.pause(ctx, idleFor) })
	if err != nil {
		return first, rest, idle, err
	}
	first, err = b.between(ctx, p, func() error { return each(ctx, people, 1) })
	if err != nil {
		return first, rest, idle, err
	}
	rest, err = b.between(ctx, p, func() error { return each(ctx, people, turnsASession-1) })
	return first, rest, idle, err
}

// between returns what was counted while f ran, with a moment for what follows
// the last turn.
func (b *bench) between(ctx context.Context, p *proxy, f func() error) (reading, error) {
	before, err := b.read(ctx, p)
	if err != nil {
		return reading{}, err
	}
	if err := errors.Join(f(), b.pause(ctx, 100*time.Millisecond)); err != nil {
		return reading{}, err
	}
	after, err := b.read(ctx, p)
	return after.minus(before), err
}
