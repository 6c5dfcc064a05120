package feed_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"quaestor/internal/feed"
	"quaestor/internal/postgres/postgrestest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait in these tests.
const patience = 20 * time.Second

type entry int64

func (e entry) Number() int64 { return int64(e) }

// table is a log as it is committed.
type table struct {
	mu   sync.Mutex
	rows []entry
	max  int // that one read returns
}

// commit adds entries after the last one; skip leaves out numbers before them.
func (t *table) commit(n, skip int) []entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := entry(skip)
	if len(t.rows) > 0 {
		last += t.rows[len(t.rows)-1]
	}
	added := make([]entry, n)
	for i := range added {
		last++
		added[i] = last
	}
	t.rows = append(t.rows, added...)
	return added
}

func (t *table) after(_ context.Context, n int64) ([]entry, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []entry
	for _, e := range t.rows {
		if int64(e) > n && len(out) < t.max {
			out = append(out, e)
		}
	}
	return out, len(out) == t.max, nil
}

func (t *table) all() []entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]entry{}, t.rows...)
}

func every(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// However the news arrives, twice, late or not at all, a reader gets every event once
// and in order.
func TestEveryEventComesOnceAndInOrderHoweverItIsTold(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(r *rapid.T) {
		log := &table{max: rapid.IntRange(1, 5).Draw(r, "read at once")}
		var topics feed.Topics[entry]
		after := 0
		if before := rapid.IntRange(0, 5).Draw(r, "before"); before > 0 {
			log.commit(before, 0)
			after = rapid.IntRange(0, before).Draw(r, "after")
		}
		sub := topics.Subscribe("log", int64(after), feed.Source[entry]{Read: log.after, Every: every(time.Millisecond)})
		defer sub.Close()
		got := []entry{}
		var told []entry
		next := func(quiet time.Duration) int {
			events, err := sub.Next(t.Context(), quiet)
			if err != nil {
				r.Fatal(err)
			}
			got = append(got, events...)
			return len(events)
		}
		for range rapid.IntRange(0, 40).Draw(r, "steps") {
			switch rapid.IntRange(0, 5).Draw(r, "step") {
			case 0, 1:
				told = log.commit(rapid.SampledFrom([]int{1, 2, 70}).Draw(r, "events"), rapid.IntRange(0, 1).Draw(r, "skip"))
				topics.Deliver("log", told)
			case 2:
				log.commit(1, 0) // a notification that is lost
			case 3:
				topics.Deliver("log", told) // again
			case 4:
				topics.Hint("log", rapid.SampledFrom([]int64{1, 30, feed.Unknown}).Draw(r, "hint"))
			case 5:
				next(0)
			}
		}
		for want := len(log.all()) - after; len(got) < want; {
			next(patience)
		}
		if diff := cmp.Diff(log.all()[after:], got); diff != "" {
			r.Fatalf("events (-want +got):\n%s", diff)
		}
	})
}

// A reader on the writer's instance costs the database nothing.
func TestEventsInMemoryAreNotRead(t *testing.T) {
	t.Parallel()

	log := &table{max: 100}
	var topics feed.Topics[entry]
	read := 0
	sub := topics.Follow("log", log.commit(2, 0), feed.Source[entry]{Every: every(time.Hour), Read: func(ctx context.Context, n int64) ([]entry, bool, error) {
		read++
		return log.after(ctx, n)
	}})
	defer sub.Close()
	var got []entry
	for len(got) < 202 {
		if len(got)%50 == 2 {
			topics.Deliver("log", log.commit(50, 0))
		}
		events, err := sub.Next(t.Context(), patience)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, events...)
	}
	if diff := cmp.Diff(log.all(), got); diff != "" || read != 0 {
		t.Errorf("the table was read %d times; events (-want +got):\n%s", read, diff)
	}
	if sub.Pending() {
		t.Error("Pending after everything was returned")
	}
	topics.Deliver("log", log.commit(129, 0)) // more than is kept
	if !sub.Pending() {
		t.Error("nothing is pending after a delivery")
	}
	if events, err := sub.Next(t.Context(), patience); err != nil || len(events) != 100 || read != 1 {
		t.Errorf("after an overflow Next = %d events, %v; the table was read %d times", len(events), err, read)
	}
}

// What a source shows takes the place of the events; what it adds comes when it is woken.
func TestShowDecidesWhatIsReturned(t *testing.T) {
	t.Parallel()

	var topics feed.Topics[entry]
	log := &table{max: 100}
	var extra []entry
	sub := topics.Subscribe("log", 0, feed.Source[entry]{Read: log.after, Every: every(time.Hour), Show: func(events []entry, live bool) []entry {
		if live && len(events) > 0 {
			return append([]entry{-1}, events...)
		}
		return append(events, extra...)
	}})
	defer sub.Close()
	next := func(want ...entry) {
		t.Helper()
		events, err := sub.Next(t.Context(), patience)
		if diff := cmp.Diff(want, events); err != nil || diff != "" {
			t.Fatalf("Next: %v (-want +got):\n%s", err, diff)
		}
	}
	log.commit(1, 0)
	next(1)
	topics.Deliver("log", log.commit(1, 0))
	next(-1, 2)
	extra = []entry{-2}
	topics.Wake("log")
	next(-2)
}

func TestNextWithoutNews(t *testing.T) {
	t.Parallel()

	var topics feed.Topics[entry]
	log := &table{max: 100}
	polls := 0
	sub := topics.Subscribe("log", 0, feed.Source[entry]{Read: log.after, Every: every(time.Millisecond), Polling: func() {
		if polls++; polls == 3 {
			log.commit(1, 0)
		}
	}})
	defer sub.Close()
	if events, err := sub.Next(t.Context(), 0); err != nil || len(events) != 0 {
		t.Errorf("Next = %v, %v, want nothing", events, err)
	}
	if events, err := sub.Next(t.Context(), patience); err != nil || len(events) != 1 || polls < 3 {
		t.Errorf("Next = %v, %v after %d polls", events, err, polls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sub.Next(ctx, patience); !errors.Is(err, context.Canceled) {
		t.Errorf("Next = %v, want context.Canceled", err)
	}
}

// A log that could not be read is read again.
func TestReadFailureLosesNothing(t *testing.T) {
	t.Parallel()

	var topics feed.Topics[entry]
	log := &table{max: 100}
	log.commit(2, 0)
	broken := errors.New("the database is away")
	failing := true
	sub := topics.Subscribe("log", 0, feed.Source[entry]{Every: every(time.Hour), Read: func(ctx context.Context, n int64) ([]entry, bool, error) {
		if failing {
			return nil, false, broken
		}
		return log.after(ctx, n)
	}})
	defer sub.Close()
	if _, err := sub.Next(t.Context(), patience); !errors.Is(err, broken) {
		t.Errorf("Next = %v, want %v", err, broken)
	}
	failing = false
	if events, err := sub.Next(t.Context(), patience); err != nil || len(events) != 2 {
		t.Errorf("Next = %v, %v, want both events", events, err)
	}
}

func TestClosedSubscriptionsAreForgotten(t *testing.T) {
	t.Parallel()

	var topics feed.Topics[entry]
	log := &table{max: 100}
	sub := topics.Subscribe("log", 0, feed.Source[entry]{Read: log.after, Every: every(time.Hour)})
	if _, err := sub.Next(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	sub.Close()
	topics.Deliver("log", log.commit(1, 0))
	if sub.Pending() {
		t.Error("a closed subscription is handed events")
	}
}

// A bus carries messages to every instance, its own included, and goes on when its
// connection breaks.
func TestBusSurvivesItsConnection(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	heard, listening := make(chan feed.Message, 10), make(chan bool, 10)
	var buses []*feed.Bus
	for range 2 {
		b := feed.NewBus(pool, slog.New(slog.DiscardHandler), "feed_test")
		b.Start(feed.Listener{Heard: func(m feed.Message) { heard <- m }, Listening: func(on bool) { listening <- on },
			Opened: func(ctx context.Context, conn *pgx.Conn) error { return conn.Ping(ctx) }})
		t.Cleanup(b.Close)
		buses = append(buses, b)
	}
	await(t, listening, true, true)
	for _, m := range []feed.Message{{Kind: "a", Subject: "x", N: 7}, {Kind: "b", Subject: "y"}} {
		buses[0].Send(m)
		await(t, heard, m, m)
	}

	super := postgrestest.Superuser(t, pool)
	if _, err := super.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`); err != nil {
		t.Fatal(err)
	}
	for on := 0; on < 2; {
		select {
		case is := <-listening:
			if is {
				on++
			}
		case <-time.After(patience):
			t.Fatalf("%d of 2 listen again", on)
		}
	}
	m := feed.Message{Kind: "a", Subject: "again", N: feed.Unknown}
	buses[1].Send(m)
	await(t, heard, m, m)
}

func await[T comparable](t *testing.T, c <-chan T, want ...T) {
	t.Helper()
	for _, w := range want {
		select {
		case got := <-c:
			if got != w {
				t.Fatalf("got %v, want %v", got, w)
			}
		case <-time.After(patience):
			t.Fatalf("%v never came", w)
		}
	}
}
