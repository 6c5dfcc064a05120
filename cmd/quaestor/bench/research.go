package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/research"
)

// errand is what research costs a conversation, how soon it is begun and how fast
// it is worked.
type errand struct {
	tuned, ours queueing // River by itself, and River as the program sets it, both with nothing to do
	pickup      sample   // from a turn's commit to the desk's taking of what it ordered
	drained     int      // tasks that were waiting and were worked without a pause
	drain       time.Duration

	refused, ordered           sample  // a turn whose wish is refused, and one whose wish is ordered
	refusedTrips, orderedTrips float64 // round trips of the same
	deskTrips, deskStatements  float64 // of a task that finds nothing to read
}

// perSecond returns the tasks a second that the desk worked.
func (e *errand) perSecond() float64 { return float64(e.drained) / e.drain.Seconds() }

// How research is asked for.
const (
	errandDatabase = "bench_research"
	errandPeople   = 8
	errandEvery    = 50 * time.Millisecond // between two orders, on average
	errandPatience = 60 * time.Second
	ordersASession = 5 // as many may be open at once: the next ones are refused
	countSessions  = 12
)

// lab is where research is measured: a database of its own, so that other parts
// leave no rows in it.
type lab struct {
	*bench
	errand
	url   string
	db    *pgxpool.Pool   // as the superuser
	queue *research.Queue // to pause and to resume with; it works nothing
}

// measureResearch orders research of a search engine that finds nothing.
func (b *bench) measureResearch(ctx context.Context) (err error) {
	l, err := b.openLab(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	for _, f := range []func(context.Context) error{l.observe, l.count, l.measureQueues} {
		if err := f(ctx); err != nil {
			return err
		}
	}
	b.results.errand = &l.errand
	b.tellResearch()
	return nil
}

func (b *bench) openLab(ctx context.Context) (l *lab, err error) {
	l = &lab{bench: b}
	if l.url, err = b.sibling(errandDatabase); err != nil {
		return nil, err
	}
	if _, err := b.db.Exec(ctx, "CREATE DATABASE "+errandDatabase); err != nil {
		return nil, err
	}
	if l.db, err = openPool(ctx, l.url); err != nil {
		return nil, err
	}
	if b.silence, err = startSilence(); err != nil {
		return nil, errors.Join(err, l.close(ctx))
	}
	if l.queue, err = newQueue(ctx, l.db, -1, nil); err != nil {
		return nil, errors.Join(err, l.close(ctx))
	}
	return l, nil
}

func (l *lab) close(ctx context.Context) error {
	l.db.Close()
	_, err := l.bench.db.Exec(context.WithoutCancel(ctx), "DROP DATABASE "+errandDatabase+" WITH (FORCE)")
	return errors.Join(err, l.silence.close())
}

// with runs f with a server that does research on a database.
func (l *lab) with(ctx context.Context, database string, f func(*server) error) error {
	s, err := l.startOn(ctx, researchKind, database)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.stop())
}

// observe takes the times.
func (l *lab) observe(ctx context.Context) error {
	return l.with(ctx, l.url, func(s *server) error {
		for _, f := range []func(context.Context, *server) error{l.pickUp, l.weigh, l.work} {
			if err := f(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// noteCommits makes the database note when a transaction that orders research
// commits: a constraint that is checked last.
const noteCommits = `
	CREATE SCHEMA bench;
	CREATE TABLE bench.commits (task uuid PRIMARY KEY, at timestamptz NOT NULL);
	CREATE FUNCTION bench.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
		$$ BEGIN INSERT INTO bench.commits VALUES (NEW.id, clock_timestamp()); RETURN NULL; END $$;
	CREATE CONSTRAINT TRIGGER bench_commits AFTER INSERT ON discovery_research_tasks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bench.note()`

// forgetCommits undoes noteCommits.
const forgetCommits = `DROP SCHEMA bench CASCADE`

// pickUp lets people order research at random instants, and compares when each
// turn committed with when the desk took what it ordered.
func (l *lab) pickUp(ctx context.Context, s *server) error {
	people := make([]*talker, errandPeople)
	for i := range people {
		people[i] = l.talker(s, fmt.Sprint("e", i))
	}
	if err := l.order(ctx, people, errandPeople*4); err != nil { // so that connections, plans and caches are warm
		return err
	}
	if _, err := l.db.Exec(ctx, noteCommits); err != nil {
		return err
	}
	if err := errors.Join(l.order(ctx, people, l.orders), l.idle(ctx)); err != nil {
		return err
	}
	rows, err := l.db.Query(ctx, `SELECT (extract(epoch FROM t.started_at - c.at) * 1e9)::bigint FROM bench.commits AS c JOIN discovery_research_tasks AS t ON t.id = c.task`)
	if err != nil {
		return err
	}
	if err := l.pickup.collect(rows); err != nil {
		return err
	}
	if wanted := l.orders / errandPeople * errandPeople; l.pickup.len() != wanted {
		return fmt.Errorf("%d of %d wishes became research", l.pickup.len(), wanted)
	}
	_, err = l.db.Exec(ctx, forgetCommits)
	return err
}

// order lets people order n pieces of research in all, each in one of their turns.
func (l *lab) order(ctx context.Context, people []*talker, n int) error {
	errs := make([]error, len(people))
	var wg sync.WaitGroup
	for i, t := range people {
		wg.Go(func() {
			for range n / len(people) {
				next := l.now() + time.Duration(rand.Int64N(2*int64(errandEvery)*int64(len(people))))
				if _, errs[i] = l.wish(ctx, t); errs[i] != nil || !l.waitUntil(ctx, next) {
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// wish takes a turn in which something is to be looked up that was not asked for
// before, and returns what the turn added.
func (l *lab) wish(ctx context.Context, t *talker) (time.Duration, error) {
	if t.turn >= 2*ordersASession {
		t.turn, t.session = 0, ""
	}
	if t.session == "" {
		t.began++
	}
	t.turn++
	var e exchange
	err := t.post(ctx, fmt.Sprintf(`{"sessionId":%q,"contextType":"business_profile","userId":"%s-%d","message":%q}`, t.session, t.name, t.began, question(t.turn)), &e)
	if err == nil && e.failed != "" {
		err = errors.New(e.failed)
	}
	t.session = e.session
	return e.overhead(), err
}

// question is what a person asks in a turn of theirs.
func question(turn int) string {
	return fmt.Sprintf("Can you look up how many lighthouses stood in Norway in %d?", 1900+turn)
}

// idle waits until no task is open.
func (l *lab) idle(ctx context.Context) error {
	var open int
	for end := l.now() + errandPatience; l.now() < end; {
		err := l.db.QueryRow(ctx, `SELECT count(*) FROM discovery_research_tasks WHERE status IN ('pending', 'running')`).Scan(&open)
		if err != nil || open == 0 {
			return err
		}
		if err := l.settle(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("%d tasks were still open after %s", open, errandPatience)
}

// paused runs f while the desk takes nothing, and then waits until it has worked
// what f ordered.
func (l *lab) paused(ctx context.Context, f func() error) error {
	if err := l.queue.QueuePause(ctx, deskQueue(), nil); err != nil {
		return err
	}
	if err := l.settle(ctx, 100*time.Millisecond); err != nil { // until it knows
		return err
	}
	if err := f(); err != nil {
		return err
	}
	return errors.Join(l.queue.QueueResume(ctx, deskQueue(), nil), l.idle(ctx))
}

// deskQueue is the queue of research.
func deskQueue() string {
	if q := (research.DeskArgs{}).InsertOpts().Queue; q != "" {
		return q
	}
	return river.QueueDefault
}

// weigh compares turns that order something with turns that ask for as much and
// are refused, while nothing is worked.
func (l *lab) weigh(ctx context.Context, s *server) error {
	t := l.talker(s, "weigh")
	return l.paused(ctx, func() error {
		for range l.orders / ordersASession {
			if err := l.session(ctx, t, &l.ordered, &l.refused); err != nil {
				return err
			}
		}
		return nil
	})
}

// session asks for as much as a session may have open, and then for as much again.
// The first turn, which makes the session, is left out.
func (l *lab) session(ctx context.Context, t *talker, ordered, refused *sample) error {
	for n := range 2 * ordersASession {
		took, err := l.wish(ctx, t)
		if err != nil {
			return err
		}
		switch {
		case n == 0:
		case n < ordersASession:
			ordered.add(took)
		default:
			refused.add(took)
		}
	}
	return nil
}

// work times how fast the desk works what has piled up.
func (l *lab) work(ctx context.Context, _ *server) error {
	var last string
	err := l.paused(ctx, func() error {
		if err := l.db.QueryRow(ctx, `SELECT now()::text`).Scan(&last); err != nil {
			return err
		}
		_, err := l.db.Exec(ctx, pileUp, l.backlog, deskQueue())
		return err
	})
	if err != nil {
		return err
	}
	var seconds float64
	err = l.db.QueryRow(ctx, `SELECT count(*), extract(epoch FROM max(completed_at) - min(started_at)) FROM discovery_research_tasks WHERE created_at > $1::timestamptz AND outcome = 'no_evidence'`, last).
		Scan(&l.drained, &seconds)
	l.drain = time.Duration(seconds * float64(time.Second))
	if err == nil && l.drained != l.backlog {
		return fmt.Errorf("%d of %d tasks that piled up came to their end", l.drained, l.backlog)
	}
	return err
}

// pileUp orders $1 tasks in the sessions that there are, in turn.
const pileUp = `
	WITH place AS (
		SELECT tenant_id, id, row_number() OVER () AS n, count(*) OVER () AS places FROM elicitation_sessions
	), task AS (
		INSERT INTO discovery_research_tasks (tenant_id, session_id, task_type, trigger, query, turn)
		SELECT p.tenant_id, p.id, 'domain_research', 'user_request', 'How many lighthouses stood in Norway in ' || year || '?', 1
		FROM generate_series(1, $1::integer) AS year JOIN place AS p ON p.n = year % p.places + 1
		RETURNING tenant_id, id
	)
	INSERT INTO river.river_job (kind, queue, max_attempts, args) SELECT 'research_desk', $2, 6, jsonb_build_object('tenant', tenant_id, 'task', id) FROM task`

// count counts round trips through a proxy: those of turns while nothing is
// worked, and those of the desk while nobody talks.
func (l *lab) count(ctx context.Context) (err error) {
	p, err := startProxy(l.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	return l.with(ctx, p.url, func(s *server) error {
		t := l.talker(s, "count")
		if err := l.countRound(ctx, p, t); err != nil { // so that every statement is prepared
			return err
		}
		return l.countRound(ctx, p, t)
	})
}

func (l *lab) countRound(ctx context.Context, p *proxy, t *talker) error {
	var ordered, refused, before tally
	err := l.paused(ctx, func() error {
		for range countSessions {
			o, r, err := l.countSession(ctx, p, t)
			if err != nil {
				return err
			}
			ordered, refused = ordered.plus(o), refused.plus(r)
		}
		before = p.totals()[ofTurn]
		return nil
	})
	worked := p.totals()[ofTurn].minus(before)
	tasks := float64(countSessions * ordersASession)
	l.orderedTrips, l.refusedTrips = float64(ordered.trips)/(countSessions*(ordersASession-1)), float64(refused.trips)/tasks
	l.deskTrips, l.deskStatements = float64(worked.trips)/tasks, float64(worked.statements)/tasks
	return err
}

// countSession takes a session's turns; see [lab.session].
func (l *lab) countSession(ctx context.Context, p *proxy, t *talker) (ordered, refused tally, err error) {
	for n := range 2 * ordersASession {
		before := p.totals()[ofTurn]
		if _, err := l.wish(ctx, t); err != nil {
			return ordered, refused, err
		}
		spent := p.totals()[ofTurn].minus(before)
		switch {
		case n == 0:
		case n < ordersASession:
			ordered = ordered.plus(spent)
		default:
			refused = refused.plus(spent)
		}
	}
	return ordered, refused, nil
}
