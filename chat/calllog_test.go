package chat_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// kept returns the log of the calls of the model, or nil when c wants none.
func (d *harness) kept(c setup) *model.CallLog {
	if !c.calls {
		return nil
	}
	d.calls = model.NewCallLog(model.CallLogOptions{Pool: d.pool, Log: slog.New(slog.DiscardHandler), Prices: chat.Prices{Prompt: 1, Completion: 10}, Every: time.Millisecond})
	d.t.Cleanup(func() { d.endCalls() })
	return d.calls
}

// endCalls waits until all calls are written.
func (d *harness) endCalls() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d.calls.Close(ctx)
}

func (d *harness) callsOf(turn int) []sessions.ModelCall {
	d.t.Helper()
	var out []sessions.ModelCall
	b := postgres.NewBatch(d.scope.Tenant)
	sessions.LoadCalls(b, d.scope, turn, &out)
	if err := b.Send(d.t.Context(), d.pool); err != nil {
		d.t.Fatal(err)
	}
	return out
}

func TestCallsOfATurnAreKept(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	d := newHarness(t, setup{model: srv, calls: true})
	srv.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	srv.OnReply(llmtest.Reply{Text: "Good. How many people work there?"})
	d.take(d.input("We sell \x02bread"))
	d.endCalls()

	list := d.callsOf(1)
	if len(list) != 2 || list[0].Purpose != "understand" || list[1].Purpose != "reply" {
		t.Fatalf("%d calls are kept, want understand and reply: %+v", len(list), list)
	}
	for i, c := range list {
		if c.Attempt != 1 || c.Model != "scripted" || c.Failure != "" || c.Tries != 1 || c.PromptTokens == 0 || c.CompletionTokens == 0 || c.Total <= 0 || c.Cut {
			t.Errorf("call %d is %+v", i, c)
		}
		if want := float64(c.PromptTokens)/1000 + float64(c.CompletionTokens)/100; c.Money != want {
			t.Errorf("call %d cost %v, want %v", i, c.Money, want)
		}
		if !strings.Contains(c.Rules, "instruction") || len(c.Prompt) != 3 || !strings.Contains(c.Prompt[2].Content, "bread") || c.Prompt[1].Role != "assistant" {
			t.Errorf("call %d was asked %q, %+v", i, c.Rules, c.Prompt)
		}
	}
	if list[1].Response != "Good. How many people work there?" || list[1].FirstToken <= 0 || list[0].FirstToken != 0 || list[1].Began < list[0].Began+list[0].Total-time.Millisecond {
		t.Errorf("the reply is %+v, after %s", list[1], list[0].Began)
	}
	if d.calls.Dropped() != 0 {
		t.Errorf("%d calls were dropped", d.calls.Dropped())
	}
}

func TestFailedCallIsKeptWithItsClassAlone(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	d := newHarness(t, setup{model: srv, calls: true})
	srv.Handle(func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Status: 500, ErrorText: "the words of the provider"}
	})
	d.take(d.input("We sell bread"))
	d.endCalls()

	list := d.callsOf(1)
	if len(list) == 0 {
		t.Fatal("no call is kept")
	}
	for _, c := range list {
		if c.Failure != "upstream" || strings.Contains(c.Response, "provider") {
			t.Errorf("kept %+v, want the class upstream and no words of the provider", c)
		}
	}
}

// call returns a call of the harness's session.
func (d *harness) call(n int) sessions.ModelCall {
	return sessions.ModelCall{Scope: d.scope, Turn: 1, Attempt: 1, N: n, Purpose: "reply", Model: "m", Rules: "Be brief.", Prompt: []sessions.CallMessage{{Role: "user", Content: "Hello"}},
		Response: "Hello", Tries: 1, Total: time.Second, At: time.Now()}
}

func (d *harness) log(pool *pgxpool.Pool, queue int) *model.CallLog {
	return model.NewCallLog(model.CallLogOptions{Pool: pool, Log: slog.New(slog.DiscardHandler), Every: time.Microsecond, Queue: queue, Rest: time.Millisecond})
}

func TestCallLogNeverHoldsUpATurn(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	super := postgrestest.Superuser(t, d.pool)
	lock, err := super.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Exec(t.Context(), `LOCK TABLE turn_prompts`); err != nil {
		t.Fatal(err)
	}
	l := d.log(d.pool, 4)
	began := time.Now()
	for n := range 1000 {
		l.Keep(d.call(n + 1))
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("1000 calls took %s to hand over while nothing could be written", took)
	}
	if l.Dropped() == 0 {
		t.Error("no call was dropped though the queue holds 4")
	}
	if err := lock.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)

	var rows int
	if err := super.QueryRow(t.Context(), `SELECT coalesce(sum(calls), 0) FROM turn_prompts WHERE session_id = $1`, d.scope.Session).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	if int64(rows)+l.Dropped() != 1000 || rows == 0 {
		t.Errorf("%d calls are kept and %d dropped of 1000", rows, l.Dropped())
	}
	l.Keep(d.call(2000))
	if int64(rows)+l.Dropped() != 1001 {
		t.Error("a call after the end is neither kept nor counted")
	}
}

// A crowd's calls are written at a pace, and what the queue does not hold is
// dropped; the end of the log waits for no pace.
func TestCallLogKeepsItsPace(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	l := model.NewCallLog(model.CallLogOptions{Pool: d.pool, Log: slog.New(slog.DiscardHandler), Every: time.Microsecond, Queue: 4, Pace: 1})
	written := func() (rows int64) {
		if err := postgrestest.Superuser(t, d.pool).QueryRow(t.Context(), `SELECT coalesce(sum(calls), 0) FROM turn_prompts WHERE session_id = $1`, d.scope.Session).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	l.Keep(d.call(1))
	for limit := time.Now().Add(patience); written() == 0; {
		if time.Now().After(limit) {
			t.Fatal("the first call was never written")
		}
	}
	for n := range 100 {
		l.Keep(d.call(n + 2))
	}
	if got := l.Dropped(); got < 90 {
		t.Errorf("%d of 100 calls were dropped while the log breathed, want all but some", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)
	if got := written() + l.Dropped(); got != 101 {
		t.Errorf("%d calls are kept or counted, want 101", got)
	}
}

func TestCallLogGivesUpInTime(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	lock, err := postgrestest.Superuser(t, d.pool).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Rollback(context.Background()) }()
	if _, err := lock.Exec(t.Context(), `LOCK TABLE turn_prompts`); err != nil {
		t.Fatal(err)
	}
	l := d.log(d.pool, 4)
	l.Keep(d.call(1))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	l.Close(ctx)

	if l.Dropped() != 1 {
		t.Errorf("%d calls were dropped, want the one that could not be written", l.Dropped())
	}
}

func TestCallLogWithoutDatabase(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	away := postgrestest.DB(t)
	away.Close()
	l := d.log(away, 4)
	l.Keep(d.call(1))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)

	if l.Dropped() != 1 {
		t.Errorf("%d calls were dropped, want 1", l.Dropped())
	}
}

func TestCallTheDatabaseRefusesDoesNotCostTheOthers(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	l := d.log(d.pool, 64)
	bad, gone, odd, long := d.call(2), d.call(3), d.call(4), d.call(5)
	bad.Purpose = strings.Repeat("long", 20)
	gone.Scope.Session = uuid.NewString()
	odd.Response, odd.Prompt[0].Content = "a\x00b\xff", "\x00"
	long.Response = strings.Repeat("ä", 100_000)
	for _, c := range []sessions.ModelCall{d.call(1), bad, gone, odd, long} {
		l.Keep(c)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)

	list := d.callsOf(1)
	if len(list) != 3 || l.Dropped() != 1 {
		t.Fatalf("%d calls are kept and %d dropped, want 3 and 1", len(list), l.Dropped())
	}
	if list[1].Response != "ab" || list[1].Cut || list[2].Response != strings.Repeat("ä", 32<<10) || !list[2].Cut {
		t.Errorf("kept %q and %d bytes, cut %t", list[1].Response, len(list[2].Response), list[2].Cut)
	}
}

func TestPromptsAreKeptForTheirTime(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	l := d.log(d.pool, 64)
	old, young := d.call(1), d.call(2)
	old.At, old.Rules = time.Now().Add(-31*24*time.Hour), "Be long."
	l.Keep(old)
	l.Keep(young)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)
	for _, tt := range []struct {
		keep  time.Duration
		calls int
		texts int
	}{{32 * 24 * time.Hour, 2, 2}, {30 * 24 * time.Hour, 1, 1}, {0, 0, 0}} {
		d.prune(tt.keep)
		var texts int
		if err := postgrestest.Superuser(t, d.pool).QueryRow(t.Context(), `SELECT count(*) FROM prompt_rules WHERE tenant_id = $1`, d.scope.Tenant).Scan(&texts); err != nil {
			t.Fatal(err)
		}
		if calls := len(d.callsOf(1)); calls != tt.calls || texts != tt.texts {
			t.Errorf("kept for %s there are %d calls and %d rules, want %d and %d", tt.keep, calls, texts, tt.calls, tt.texts)
		}
	}
}

// prune runs the job that lets go of old prompts.
func (d *harness) prune(keep time.Duration) {
	d.t.Helper()
	add := model.Pruning(model.PruneOptions{Pool: d.pool, Keep: func(context.Context, string) (time.Duration, error) { return keep, nil }, Tenants: func(context.Context) ([]string, error) { return []string{d.scope.Tenant}, nil }})
	q, err := research.NewQueue(d.t.Context(), d.pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: 1, Log: slog.New(slog.DiscardHandler), Add: []research.AddFunc{add}})
	if err != nil {
		d.t.Fatal(err)
	}
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed)
	defer unsubscribe()
	if err := q.Start(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	defer func() {
		if err := q.Stop(context.Background()); err != nil {
			d.t.Errorf("stop the workers: %v", err)
		}
	}()
	if _, err := q.Insert(d.t.Context(), model.PruneArgs{}, nil); err != nil {
		d.t.Fatal(err)
	}
	select {
	case e := <-news:
		if e.Job.State != rivertype.JobStateCompleted {
			d.t.Fatalf("the job is %s: %v", e.Job.State, e.Job.Errors)
		}
	case <-time.After(patience):
		d.t.Fatal("the job was never completed")
	}
}

// Rules of a prompt that were pruned while this server knew them to be there are
// written again.
func TestCallLogWritesPrunedRulesAgain(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	l := d.log(d.pool, 64)
	l.Keep(d.call(1))
	await(t, "the first call", func() bool { return len(d.callsOf(1)) == 1 })
	if _, err := sessions.PruneCalls(t.Context(), d.pool, d.scope.Tenant, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	l.Keep(d.call(2))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)

	if list := d.callsOf(1); len(list) != 1 || list[0].Rules != "Be brief." || l.Dropped() != 0 {
		t.Errorf("kept %+v, dropped %d", list, l.Dropped())
	}
}

// await looks until a condition holds.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !holds(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("%s never came", what)
		}
	}
}

// A rehearsal is no turn: what it asks the model is not kept.
func TestCallsOfNoTurnAreNotKept(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	srv, l := llmtest.New(t), d.log(d.pool, 4)
	s := &chat.Scene{Scope: obligations.Scope{Tenant: d.scope.Tenant, Session: d.scope.Session}, Turn: 1, Now: time.Now(), Objective: &objectives.Definition{DisplayName: "Shop"}, Message: "We sell bread"}
	srv.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	_, _ = modelWithin(t, srv, 2*time.Second, l).Understand(t.Context(), s)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.Close(ctx)

	if list := d.callsOf(1); len(list) != 0 {
		t.Errorf("kept %+v", list)
	}
}
