package chat_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// A server that was taken for dead and lives must not write a second outcome.
func TestServerThatLostItsTurnWritesNothing(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})})
	model.OnReply(llmtest.Reply{Text: "From the first server, slowly spoken.", PieceDelay: 250 * time.Millisecond}, llmtest.Reply{Text: "From the second."})
	first := newHarness(t, setup{model: model})
	started := first.start(first.input("We sell bread"))
	first.piece(started.Turn)
	declareDead(t, first)

	second := first.another(setup{model: model, heartbeat: 20 * time.Millisecond})
	events := second.ended(started.Turn)
	if r := <-second.reports; r.Status != "done" {
		t.Errorf("the second server's turn is %s, want done", r.Status)
	}
	before := second.history()
	if r := <-first.reports; r.Status != "lost" {
		t.Errorf("the first server's turn is %s, want lost", r.Status)
	}

	if diff := cmp.Diff(before, second.history()); diff != "" {
		t.Errorf("the server that lost the turn changed (-before +after):\n%s", diff)
	}
	if m := payload[sessions.MessageEvent](t, events, sessions.KindMessage); m.Content != "From the second." || !m.Complete {
		t.Errorf("reply %+v, want the second server's", m)
	}
	if got, err := sessions.FindTurn(t.Context(), first.pool, first.scope, 1); err != nil || got.Attempt != 2 || got.Status != sessions.TurnDone {
		t.Errorf("turn %+v, %v, want done by attempt 2", got, err)
	}
}

// declareDead makes every other server take this one for dead.
func declareDead(t testing.TB, d *harness) {
	t.Helper()
	if _, err := postgrestest.Superuser(t, d.pool).Exec(t.Context(), `DELETE FROM instances`); err != nil {
		t.Fatal(err)
	}
	if _, err := postgrestest.Superuser(t, d.pool).Exec(t.Context(), `INSERT INTO instances (id, seen_at) VALUES (gen_random_uuid(), now() - interval '1 hour')`); err != nil {
		t.Fatal(err)
	}
}

// history is what must not change once a turn is over.
func (d *harness) history() []any {
	d.t.Helper()
	events, _, err := sessions.After(d.t.Context(), d.pool, d.scope, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	trail, err := obligations.History(d.t.Context(), d.pool, d.scope, obligations.HistoryPage{Max: 1000})
	if err != nil {
		d.t.Fatal(err)
	}
	var out []any
	for _, e := range events {
		out = append(out, string(e.Data))
	}
	for _, e := range trail {
		out = append(out, e.ID, e.Key, string(e.Type))
	}
	for _, m := range d.transcript() {
		out = append(out, m.ID(), m.Content, m.Complete)
	}
	return out
}

// A turn the person stopped stays stopped when another server takes it over.
func TestStopOutlivesTheServer(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer"), FirstDelay: patience})
	d := newHarness(t, setup{model: model})
	started := d.start(d.input("We sell bread"))
	if _, err := sessions.StopTurn(t.Context(), d.pool, d.scope, 1); err != nil { // and the notice never reaches the server
		t.Fatal(err)
	}
	declareDead(t, d)

	other := d.another(setup{model: model, heartbeat: 20 * time.Millisecond})

	if done := payload[sessions.DoneEvent](t, other.ended(started.Turn), sessions.KindDone); done.Reason != "stopped" {
		t.Errorf("the turn ended with %q, want stopped", done.Reason)
	}
	if err := d.engine.Stop(t.Context(), d.scope, 1); err != nil {
		t.Errorf("stopping a turn that is over: %v", err)
	}
}

// A stop asked of another server reaches the turn even when its notice is lost:
// the server that works it looks for it.
func TestStopWhoseNoticeIsLostIsFound(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer"), FirstDelay: patience})
	d := newHarness(t, setup{model: model, heartbeat: 20 * time.Millisecond})
	d.another(setup{model: model, heartbeat: 20 * time.Millisecond})
	started := d.start(d.input("We sell bread"))

	if _, err := sessions.StopTurn(t.Context(), d.pool, d.scope, 1); err != nil { // nobody is told
		t.Fatal(err)
	}

	if done := payload[sessions.DoneEvent](t, d.ended(started.Turn), sessions.KindDone); done.Reason != "stopped" {
		t.Errorf("the turn ended with %q, want stopped", done.Reason)
	}
}

// cutter breaks a connection after the database has done what it was told and
// before it could say so.
type cutter struct{ armed atomic.Bool }

var errCut = errors.New("the connection was cut")

// fatal is in the request whose answer is lost.
const fatal = "We sell bread to the moon"

// ready is how the database says that a transaction is over.
var ready = []byte("Z\x00\x00\x00\x05I")

type cutConn struct {
	net.Conn
	cutter *cutter
	doomed bool // used by one goroutine at a time, as the driver does
	tail   []byte
}

func (c *cutConn) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(fatal)) && c.cutter.armed.CompareAndSwap(true, false) {
		c.doomed = true
	}
	return c.Conn.Write(b)
}

// Read throws the end of the answer away, and with it the connection: it says that the
// transaction is over.
func (c *cutConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if !c.doomed || err != nil {
		return n, err
	}
	c.tail = append(c.tail, b[:n]...)
	if bytes.Contains(c.tail, ready) {
		_ = c.Close()
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: errCut}
	}
	c.tail = c.tail[max(0, len(c.tail)-len(ready)+1):]
	return n, nil
}

func (c *cutter) pool(t testing.TB, like *pgxpool.Pool) *pgxpool.Pool {
	t.Helper()
	config := like.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return &cutConn{Conn: conn, cutter: c}, err
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// The connection breaks after a turn was recorded and before the server knows: it finds
// out and works the turn, once.
func TestTurnRecordedUnseenIsWorked(t *testing.T) {
	t.Parallel()

	first := newHarness(t, setup{})
	c := &cutter{}
	d := first.another(setup{pool: c.pool(t, first.pool)})
	c.armed.Store(true)

	events := d.take(d.input(fatal))

	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the turn ended with %q, want answered", done.Reason)
	}
	if c.armed.Load() {
		t.Error("the connection was not cut")
	}
	d.take(d.input("food"))
	d.wantConsistent(2)
}

// The connection breaks after the end of a turn was recorded: it is not recorded again.
func TestTurnSettledUnseenIsSettledOnce(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	model.OnReply(llmtest.Reply{Text: fatal + ". Is that so?"})
	first := newHarness(t, setup{})
	c := &cutter{}
	d := first.another(setup{model: model, pool: c.pool(t, first.pool)})
	c.armed.Store(true)

	started := d.start(d.input("We sell bread"))
	d.ended(started.Turn)

	if r := <-d.reports; r.Status != "done" || c.armed.Load() {
		t.Errorf("the turn is %s, want done; the connection was cut: %v", r.Status, !c.armed.Load())
	}
	d.wantConsistent(1)
}
