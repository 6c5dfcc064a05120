package sessions_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait in these tests.
const patience = 20 * time.Second

// log is one session's log and an instance that reads and writes it.
type journal struct {
	t     testing.TB
	pool  *pgxpool.Pool
	hub   *sessions.Hub
	scope obligations.Scope
}

// newJournal makes a session in a database of its own.
func newJournal(t testing.TB) *journal {
	t.Helper()
	pool := postgrestest.DB(t)
	tenant := postgrestest.Tenant(t, pool)
	library := objectives.NewLibrary(pool)
	if err := library.Ship(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	objective, err := library.Active(t.Context(), tenant, "business_profile")
	if err != nil {
		t.Fatal(err)
	}
	j := &journal{t: t, pool: pool, hub: newHub(t, pool), scope: obligations.Scope{Tenant: tenant, Session: uuid.NewString()}}
	b := postgres.NewBatch(tenant)
	if err := sessions.Create(b, sessions.New{Scope: j.scope, Objective: objective, User: "someone"}); err != nil {
		t.Fatal(err)
	}
	j.send(b)
	return j
}

func newHub(t testing.TB, pool *pgxpool.Pool) *sessions.Hub {
	t.Helper()
	hub := sessions.NewHub(pool, slog.New(slog.DiscardHandler), uuid.NewString())
	t.Cleanup(hub.Close)
	return hub
}

// elsewhere returns the same log on another instance.
func (j *journal) elsewhere() *journal {
	j.t.Helper()
	other := *j
	other.hub = newHub(j.t, j.pool)
	return &other
}

func (j *journal) send(b *postgres.Batch) {
	j.t.Helper()
	if err := b.Send(j.t.Context(), j.pool); err != nil {
		j.t.Fatal(err)
	}
}

// write appends an event a text and publishes them.
func (j *journal) write(texts ...string) []sessions.Event {
	j.t.Helper()
	payloads := make([]sessions.Payload, len(texts))
	for i, text := range texts {
		payloads[i] = sessions.MessageEvent{Turn: 1, Content: text, Complete: true, Degraded: "as a test"}
	}
	return j.append(1, payloads...)
}

func (j *journal) append(turn int, payloads ...sessions.Payload) []sessions.Event {
	j.t.Helper()
	events := sessions.Events(turn, payloads)
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.Append(b, j.scope, events)
	j.send(b)
	j.hub.Publish(j.scope, events)
	return events
}

// begin starts a turn on this instance.
func (j *journal) begin() sessions.Turn {
	j.t.Helper()
	var begun *sessions.BegunTurn
	b := postgres.NewBatch(j.scope.Tenant)
	err := sessions.BeginTurn(b, sessions.NewTurn{Scope: j.scope, Number: j.turns(j.scope) + 1, User: "someone", Message: "Hello", BodyHash: []byte{1}, Instance: uuid.NewString()}, &begun)
	if err != nil {
		j.t.Fatal(err)
	}
	j.send(b)
	j.hub.Publish(j.scope, []sessions.Event{begun.Event})
	return begun.Turn
}

// reader collects what a subscription brings.
type reader struct {
	t      testing.TB
	sub    *sessions.Subscription
	ctx    context.Context
	events []sessions.Event
}

func (j *journal) read(after int64) *reader {
	j.t.Helper()
	return j.follow(j.hub.Subscribe(j.pool, j.scope, after))
}

func (j *journal) follow(sub *sessions.Subscription) *reader {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(j.t.Context(), patience)
	r := &reader{t: j.t, sub: sub, ctx: ctx}
	j.t.Cleanup(func() { cancel(); sub.Close() })
	return r
}

// until reads on until done is content with all that was read.
func (r *reader) until(what string, done func(all []sessions.Event) bool) []sessions.Event {
	r.t.Helper()
	for !done(r.events) {
		events, err := r.sub.Next(r.ctx, patience)
		if err != nil {
			r.t.Fatalf("%s never came (%v); read so far: %s", what, err, kinds(r.events))
		}
		r.events = append(r.events, events...)
	}
	return r.events
}

func (r *reader) count(n int) []sessions.Event {
	r.t.Helper()
	return r.until(fmt.Sprintf("event %d", n), func(all []sessions.Event) bool { return len(all) >= n })
}

func kinds(events []sessions.Event) []sessions.Kind {
	out := make([]sessions.Kind, len(events))
	for i, e := range events {
		out[i] = e.Kind
	}
	return out
}

func numbers(events []sessions.Event) []int64 {
	out := make([]int64, len(events))
	for i, e := range events {
		out[i] = e.Seq
	}
	return out
}

func sequence(from, to int64) []int64 {
	var out []int64
	for n := from; n <= to; n++ {
		out = append(out, n)
	}
	return out
}

func TestReadersOnEveryInstanceGetEachEventOnceInOrder(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	there := here.elsewhere()
	readers := []*reader{here.read(0), here.read(0), there.read(0), there.read(0)}

	for i := range 40 {
		from := here
		if i%3 == 0 {
			from = there
		}
		from.write(fmt.Sprint("a", i), fmt.Sprint("b", i))
	}

	for i, r := range readers {
		if diff := cmp.Diff(sequence(1, 80), numbers(r.count(80))); diff != "" {
			t.Errorf("reader %d (-want +got):\n%s", i, diff)
		}
	}
}

// A hub cannot know what it missed while its listening connection was broken,
// and must hear again what comes after.
func TestReadersAreWokenAfterTheListeningConnectionBroke(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	there := here.elsewhere()
	r := there.read(0)
	here.write("before")
	r.count(1)
	super := postgrestest.Superuser(t, here.pool)
	breakListeners(t, super)
	here.write("meanwhile")
	r.count(2)
	awaitListeners(t, super, 2)

	for i := range 5 {
		started := time.Now()
		here.write("after")
		r.count(3 + i)
		if took := time.Since(started); took > 3*time.Second {
			t.Fatalf("a reader on another instance waited %v for an event after its hub listened again", took)
		}
	}
}

func breakListeners(t testing.TB, super *pgxpool.Pool) {
	t.Helper()
	_, err := super.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	if err != nil {
		t.Fatal(err)
	}
}

func awaitListeners(t testing.TB, super *pgxpool.Pool, want int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		var n int
		err := super.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		if n >= want {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%d of %d hubs listen again", n, want)
		}
	}
}

func TestStopReachesTheInstanceThatWorksTheTurn(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	there := here.elsewhere()
	heard := make(chan string, 1)
	here.hub.OnStop(func(session string, turn int) { heard <- fmt.Sprint(session, " ", turn) })
	awaitListeners(t, postgrestest.Superuser(t, here.pool), 2)

	there.hub.Stop(here.scope.Session, 7)

	select {
	case got := <-heard:
		if want := here.scope.Session + " 7"; got != want {
			t.Errorf("OnStop was told %q, want %q", got, want)
		}
	case <-time.After(patience):
		t.Fatal("the stop never came")
	}
}

func TestLateReaderGetsALongLogInOrder(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	texts := slices.Repeat([]string{"word"}, 1201)
	j.write(texts...)

	got := numbers(j.read(100).count(1101))

	if diff := cmp.Diff(sequence(101, 1201), got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

// Where no other instance is, nobody is woken; one that comes is known from its
// first word on, and misses nothing of what was written before.
func TestNobodyIsWokenWhileAlone(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	super := postgrestest.Superuser(t, here.pool)
	awaitListeners(t, super, 1)
	ear := overhear(t, here.pool)
	here.hub.Alone(true)
	here.write("to nobody")
	here.hub.Stop("mark", 1)
	if got := ear.until("x:mark:1"); slices.ContainsFunc(got, func(p string) bool { return strings.HasPrefix(p, "s:") }) {
		t.Errorf("an instance that is alone told %v", got)
	}

	there := here.elsewhere()
	r := there.read(0)
	r.count(1)
	awaitListeners(t, super, 2)
	ear.until("d:")
	here.hub.Alone(true) // counted before the other was
	started := time.Now()
	here.write("to somebody")
	r.count(2)

	if took := time.Since(started); took > 3*time.Second {
		t.Errorf("the other instance heard of an event after %v", took)
	}
}

// An instance that was counted, though never heard of, may have missed something.
func TestInstanceThatWasCountedIsToldToLook(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	awaitListeners(t, postgrestest.Superuser(t, here.pool), 1)
	ear := overhear(t, here.pool)
	here.hub.Alone(true)

	here.hub.Alone(false)

	ear.until("d:")
}

// ear hears every notification.
type ear struct {
	t    testing.TB
	conn *pgxpool.Conn
}

func overhear(t testing.TB, pool *pgxpool.Pool) *ear {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Hijack().Close(context.Background()) })
	if _, err := conn.Exec(t.Context(), "/* overhears */ LISTEN quaestor"); err != nil {
		t.Fatal(err)
	}
	return &ear{t, conn}
}

// until returns what is heard up to the first payload that begins so.
func (e *ear) until(prefix string) []string {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.t.Context(), patience)
	defer cancel()
	var out []string
	for {
		n, err := e.conn.Conn().WaitForNotification(ctx)
		if err != nil {
			e.t.Fatalf("nobody said %q (%v); heard so far: %v", prefix, err, out)
		}
		if out = append(out, n.Payload); strings.HasPrefix(n.Payload, prefix) {
			return out
		}
	}
}
