package runs_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// reaper kills a worker at its n-th dealing with the world: before or after a
// statement is sent, a reply is asked for or a query is run.
type reaper struct {
	left atomic.Int64
	kill context.CancelFunc
}

func (r *reaper) strike() {
	if r.left.Add(-1) == 0 {
		r.kill()
	}
}

func (r *reaper) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	r.strike()
	return ctx
}
func (r *reaper) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { r.strike() }
func (r *reaper) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	r.strike()
	return ctx
}
func (r *reaper) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (r *reaper) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     { r.strike() }

// mortal returns a runner that dies at its n-th dealing, and the context it lives
// in.
func (w *world) mortal(t *testing.T, n int) (*runs.Runner, context.Context, *reaper) {
	t.Helper()
	r := &reaper{}
	r.left.Store(int64(n))
	ctx, kill := context.WithCancel(t.Context())
	t.Cleanup(kill)
	r.kill = kill
	config := w.pool.Config()
	config.ConnConfig.Tracer = r
	config.MaxConns = 2
	pool, err := pgxpool.NewWithConfig(background, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	o := w.o
	o.Pool = pool
	o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) {
		return &mortalShop{w.shop, r}, nil
	}
	o.Analyst = func(context.Context, runs.Run) (warehouse.Analyst, error) { return &mortalAnalyst{w.analyst, r}, nil }
	return runs.NewRunner(o), ctx, r
}

type mortalShop struct {
	*shop
	r *reaper
}

func (s *mortalShop) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	s.r.strike()
	defer s.r.strike()
	return s.shop.Ask(ctx, q)
}

type mortalAnalyst struct {
	*scriptedAnalyst
	r *reaper
}

func (m *mortalAnalyst) Next(ctx context.Context, s warehouse.Situation) (warehouse.Reply, error) {
	m.r.strike()
	defer m.r.strike()
	return m.scriptedAnalyst.Next(ctx, s)
}

// adventure is a script with a bit of everything.
func (w *world) adventure() {
	w.shop.answers["SELECT gone"] = func() (*warehouse.Result, error) {
		return nil, warehouse.NewQueryError(warehouse.UnknownColumn, "no column gone", "gone", nil)
	}
	w.analyst.script = map[int][]string{
		1: {`{"lookup_schema":["orders"]}`}, 2: {"prose", `{"a":1}`, ask("SELECT 1")}, 3: {`{"search_tables":"ref"}`}, 4: {ask("SELECT gone")},
		5: {ask("SELECT 1")}, 6: {`{"done":true}`}, 7: {`{"lookup_schema":["ORDERS"]}`}, 8: {ask("SELECT 2")}, 9: {"a", "b", "c", "d"}, 10: {`{"done":true,"summary":"Done."}`},
	}
	w.analyst.spent = warehouse.TokenUsage{In: 10, Out: 1, Calls: 1}
}

var adventureOrder = runs.Order{MaxSteps: 20, MinSteps: 7}

// witness fails when a reply that is stored is asked for again, or a query whose
// result is.
type witness struct {
	w  *world
	mu sync.Mutex
	id string // of the run that is watched
}

func (v *witness) watch(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.id = id
}

func (v *witness) install() {
	v.w.analyst.before = func(_ context.Context, s warehouse.Situation) {
		v.mu.Lock()
		defer v.mu.Unlock()
		n := len(s.Steps) + 1
		if stored := v.w.number(`SELECT count(*)::int FROM warehouse_run_steps WHERE tenant_id = $1 AND run_id = $2 AND n = $3 AND reply <> $4`, v.w.tenant, v.id, n, s.Rejected); stored != 0 {
			v.w.t.Errorf("the reply of step %d is asked for again", n)
		}
	}
	v.w.shop.before = func(_ context.Context, q warehouse.Query) {
		v.mu.Lock()
		defer v.mu.Unlock()
		if asked := v.w.number(`SELECT count(*)::int FROM warehouse_run_steps WHERE tenant_id = $1 AND run_id = $2 AND n = $3 AND state = 'asked'`, v.w.tenant, v.id, q.Step); asked != 1 {
			v.w.t.Errorf("step %d is asked of the warehouse while it is not asked", q.Step)
		}
	}
}

// alike are the parts of steps that do not depend on when they were made.
var alike = cmpopts.IgnoreFields(warehouse.Step{}, "At")

// A worker that is killed anywhere leaves a run that another finishes as it would
// have been without; nothing that is stored is done again.
func TestWorkerMayDieAnywhere(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.adventure()
	v := &witness{w: w}
	v.install()
	key := make([]byte, 32)
	begin := func() runs.Run {
		r := w.order(adventureOrder)
		w.exec(`UPDATE warehouse_runs SET mask_key = $3 WHERE tenant_id = $1 AND id = $2`, w.tenant, r.ID, key)
		v.watch(r.ID)
		w.analyst.seen, w.shop.asked = nil, nil
		return r
	}
	want := w.work(begin().ID)
	wantSteps, wantEvents := w.steps(want.ID), told(w.events(want.ID))
	calls, questions := w.analyst.calls(), w.shop.questions()
	if got := types(wantSteps); got != "lookup_schema query search_tables query:unknown_column query=2 complete_rejected lookup_schema=1 query error:reply complete" {
		t.Fatalf("unharmed, steps are %q", got)
	}

	for n := 1; ; n += prerequisite.Scale(7, 3) {
		run := begin()
		mortal, ctx, r := w.mortal(t, n)
		err := mortal.Until(ctx, w.tenant, run.ID)
		survived := err == nil && r.left.Load() > 0
		w.expire(run.ID)
		got := w.find(run.ID)
		if !got.Status.Over() {
			got = w.work(run.ID)
		}

		if diff := cmp.Diff(wantSteps, w.steps(run.ID), alike); diff != "" {
			t.Fatalf("killed at %d, steps are others (-want +got):\n%s", n, diff)
		}
		if more, again := w.analyst.calls()-calls, w.shop.questions()-questions; more > 1 || again > 1 || more+again > 1 {
			t.Fatalf("killed at %d, %d replies and %d queries were repeated", n, more, again)
		}
		if diff := cmp.Diff(wantEvents, told(w.events(run.ID))); diff != "" {
			t.Fatalf("killed at %d, people are told otherwise (-want +got):\n%s", n, diff)
		}
		if got.Summary != want.Summary || got.Outcome != want.Outcome || got.Stop != want.Stop || counts(got) != counts(want) {
			t.Fatalf("killed at %d, the run is %+v, want %+v", n, got, want)
		}
		if survived {
			return
		}
	}
}

// counts are the counters of a run that do not depend on the clock.
func counts(r runs.Run) string {
	c := r.Counters
	c.Active = 0
	return fmt.Sprint(c, r.Spent[runs.Exploring].TokenUsage)
}

// told are the events of steps and of phases in order, and that it finished: what
// is told of workers depends on how many there were.
func told(events []runs.Event) []string {
	var out []string
	entered := map[string]bool{}
	for _, e := range events {
		switch e.Kind {
		case runs.EventStep, runs.EventFinished:
			text := string(e.Data)
			if before, _, cut := strings.Cut(text, `,"attempt"`); cut {
				text = before
			}
			out = append(out, text)
		case runs.EventPhase:
			phase, _, _ := strings.Cut(string(e.Data), `,"progress"`)
			if !entered[phase] { // a worker says where it begins
				entered[phase] = true
				out = append(out, phase)
			}
		}
	}
	return out
}

// A worker that is slow and not dead writes nothing any more once another has its
// run.
func TestSlowWorkerIsFenced(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"), ask("SELECT 2"))
	asked, goOn := make(chan struct{}, 8), make(chan struct{})
	slow := w.o
	slow.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) {
		s := newShop()
		s.answers["SELECT 1"] = func() (*warehouse.Result, error) {
			asked <- struct{}{}
			<-goOn
			return sales(7), nil
		}
		return s, nil
	}
	run := w.order(runs.Order{})
	ended := make(chan error, 1)
	go func() { ended <- runs.NewRunner(slow).Until(t.Context(), w.tenant, run.ID) }()
	wait(t, asked, "the slow worker's query")
	w.expire(run.ID)

	quick := w.work(run.ID)
	before := w.steps(run.ID)
	close(goOn)
	err := wait(t, ended, "the slow worker's end")

	if err == nil || quick.Status != runs.Completed || quick.Attempt != 2 {
		t.Errorf("the slow worker ends with %v, the quick one with %+v", err, quick)
	}
	if diff := cmp.Diff(before, w.steps(run.ID)); diff != "" || before[0].Rows != 30 {
		t.Errorf("the slow worker changed steps (-before +after):\n%s", diff)
	}
}

// A worker whose lease is over is not disturbed while nobody else wants its run.
func TestWorkerKeepsItsRunWhileNobodyTakesIt(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	run := w.order(runs.Order{})
	w.shop.before = func(context.Context, warehouse.Query) { w.expire(run.ID) }

	if r := w.work(run.ID); r.Status != runs.Completed || r.Attempt != 1 {
		t.Errorf("the run is %+v", r)
	}
}
