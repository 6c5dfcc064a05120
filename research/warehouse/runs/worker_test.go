package runs_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/migrations"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// server starts River with the runner's workers; stop ends it as a shutdown does
// whose patience is over.
func (w *world) server(o runs.Options) (q *river.Client[pgx.Tx], stop func()) {
	w.t.Helper()
	workers := river.NewWorkers()
	if err := runs.NewRunner(o).AddTo(migrations.RiverSchema)(workers); err != nil {
		w.t.Fatal(err)
	}
	q = w.client(workers)
	if err := q.Start(background); err != nil {
		w.t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		if err := q.StopAndCancel(background); err != nil {
			w.t.Errorf("stop the workers: %v", err)
		}
	}
	w.t.Cleanup(stop)
	return q, stop
}

// until waits until a run has told of a kind of event for which is holds.
func (w *world) until(id string, is func(runs.Event) bool, what string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	sub := w.hub.Subscribe(w.tenant, id, 0)
	defer sub.Close()
	for {
		events, err := sub.Next(ctx, patience)
		if err != nil || len(events) == 0 {
			w.t.Fatalf("%s never came: %v", what, err)
		}
		for _, e := range events {
			if is(e) {
				return
			}
		}
	}
}

// finished waits until a run is over.
func (w *world) finished(id string) runs.Run {
	w.t.Helper()
	w.until(id, func(e runs.Event) bool { return e.Kind == runs.EventFinished }, "the end of the run")
	return w.find(id)
}

func TestRunIsWorkedFromTheQueue(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	w.server(w.o)

	if r := w.finished(w.order(runs.Order{}).ID); r.Status != runs.Completed || r.Attempt != 1 {
		t.Errorf("the run is %+v", r)
	}
}

// A server that shuts down puts its runs down; another goes on with them.
func TestShutdownPutsARunDown(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"), ask("SELECT 2"))
	g := newGate(t)
	first := w.o
	first.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) {
		s := newShop()
		s.before = func(ctx context.Context, q warehouse.Query) {
			if q.SQL == "SELECT 2" {
				_ = g.stop(ctx)
			}
		}
		return s, nil
	}
	_, stop := w.server(first)
	run := w.order(runs.Order{})
	g.reached()

	stop()

	down := w.find(run.ID)
	if down.Status != runs.Interrupted || down.Detail != "the server was shut down" {
		t.Fatalf("the run is %s: %s", down.Status, down.Detail)
	}
	w.server(w.o)
	r := w.finished(run.ID)
	if r.Status != runs.Completed || r.Attempt != 2 || w.shop.questions() != 1 || w.analyst.calls() != 3 {
		t.Errorf("the run is %+v after %d queries of the second server and %d replies", r, w.shop.questions(), w.analyst.calls())
	}
	if got := kinds(w.events(run.ID)); got != "queued started initialization context schema exploration interrupted started exploration analysis validation recommendations saving finished" {
		t.Errorf("events are %q", got)
	}
}

// A request outlives the worker it was meant for.
func TestPauseIsNotForgottenInAShutdown(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	g := newGate(t)
	g.install(w, "query")
	_, stop := w.server(w.o)
	run := w.order(runs.Order{})
	g.reached()
	if _, err := w.commands().Pause(t.Context(), w.tenant, run.ID, "ada"); err != nil {
		t.Fatal(err)
	}
	stop()
	w.server(w.o)

	w.until(run.ID, func(e runs.Event) bool { return e.Kind == runs.EventPaused }, "the pause")

	if r := w.find(run.ID); r.Status != runs.Paused {
		t.Errorf("the run is %s", r.Status)
	}
}

// A worker that died is missed within its lease, and its run goes on elsewhere.
func TestRunOfADeadWorkerIsRescued(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	run := w.order(runs.Order{})
	// As a process leaves it that is killed: its job runs, and nobody shows a sign of life.
	w.exec(`UPDATE river.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 minute', attempted_by = '{gone}'`)
	w.exec(`UPDATE warehouse_runs SET status = 'running', attempt = 1, lease_until = now() - interval '1 second' WHERE tenant_id = $1 AND id = $2`, w.tenant, run.ID)
	q, _ := w.server(w.o)

	if _, err := q.Insert(t.Context(), runs.RescueArgs{}, nil); err != nil {
		t.Fatal(err)
	}

	if r := w.finished(run.ID); r.Status != runs.Completed || r.Attempt != 2 {
		t.Errorf("the run is %+v", r)
	}
	if got := kinds(w.events(run.ID)); !strings.HasPrefix(got, "queued interrupted started") {
		t.Errorf("events are %q", got)
	}
}

// A worker may die between the queue's giving it a job and its taking the run. Rescues enqueue
// the run again, once, however many they are.
func TestRunThatItsDeadWorkerNeverTookIsRescued(t *testing.T) {
	t.Parallel()

	for _, status := range []runs.Status{runs.Pending, runs.Interrupted} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()

			w := newWorld(t)
			w.analyst.says(ask("SELECT 1"))
			g := newGate(t)
			g.install(w, "query")
			run := w.order(runs.Order{})
			w.exec(`UPDATE river.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 minute', attempted_by = '{gone}'`)
			w.exec(`UPDATE warehouse_runs SET status = $3 WHERE tenant_id = $1 AND id = $2`, w.tenant, run.ID, status)
			q, _ := w.server(w.o)

			news, unsubscribe := q.Subscribe(river.EventKindJobCompleted)
			defer unsubscribe()
			for range 3 {
				if _, err := q.Insert(t.Context(), runs.RescueArgs{}, nil); err != nil {
					t.Fatal(err)
				}
				wait(t, news, "the rescue")
			}
			g.reached()
			g.open()
			if r := w.finished(run.ID); r.Status != runs.Completed || r.Attempt != 1 {
				t.Errorf("the run is %+v", r)
			}
			if n := w.number(`SELECT count(*)::int FROM river.river_job WHERE kind = 'warehouse_run' AND 'gone' <> ALL (attempted_by)`); n != 1 {
				t.Errorf("it was enqueued %d times again", n)
			}
		})
	}
}

// A job that finds its run held comes back when the lease may be over: the holder
// may be dead, and the job the last one there is.
func TestJobOfAHeldRunComesBack(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	w.o.Lease = 100 * time.Millisecond
	run := w.order(runs.Order{})
	w.exec(`UPDATE warehouse_runs SET status = 'running', attempt = 1, lease_until = now() + interval '0.5 seconds' WHERE tenant_id = $1 AND id = $2`, w.tenant, run.ID)
	w.server(w.o)

	if r := w.finished(run.ID); r.Status != runs.Completed || r.Attempt != 2 {
		t.Errorf("the run is %+v", r)
	}
}

// A worker with a short lease keeps a run through something that takes longer than the lease.
func TestShortLeaseIsRenewedInTime(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	w.o.Lease = time.Second
	g := newGate(t)
	g.install(w, "query")
	q, _ := w.server(w.o)
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted)
	defer unsubscribe()
	run := w.order(runs.Order{})
	g.reached()
	for begun := time.Now(); time.Since(begun) < 3*w.o.Lease; {
		w.number(`SELECT count(pg_sleep(0.05))::int`)
	}
	if _, err := q.Insert(t.Context(), runs.RescueArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	wait(t, news, "the rescue")
	g.open()

	if r := w.finished(run.ID); r.Status != runs.Completed || r.Attempt != 1 {
		t.Errorf("attempt %d ends it as %s", r.Attempt, r.Status)
	}
}

func TestRescueLeavesTheLivingAlone(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	g := newGate(t)
	g.install(w, "query")
	q, _ := w.server(w.o)
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted)
	defer unsubscribe()
	run := w.order(runs.Order{})
	g.reached()
	w.exec(`UPDATE river.river_job SET attempted_at = now() - interval '1 minute'`)
	if _, err := q.Insert(t.Context(), runs.RescueArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, news, "the rescue"); e.Job.Kind != (runs.RescueArgs{}).Kind() {
		t.Fatalf("%s is done first", e.Job.Kind)
	}

	if r := w.find(run.ID); r.Status != runs.Running || r.Attempt != 1 {
		t.Errorf("the run is %+v", r)
	}
	g.open()
	if r := w.finished(run.ID); r.Attempt != 1 {
		t.Errorf("the run is %+v", r)
	}
}

// While a warehouse is looked into, its runs wait, and nobody is told twice.
func TestRunWaitsForTheSchema(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	var looks atomic.Int64
	w.o.Schema = func(_ context.Context, tenant, house string) (runs.Readiness, error) {
		if tenant != w.tenant || house != w.house {
			t.Errorf("asked about %s of %s", house, tenant)
		}
		if looks.Add(1) < 4 {
			return runs.Readiness{Note: "The tables are being read."}, nil
		}
		return runs.Readiness{Ready: true, Note: "43 tables; 1 changed since."}, nil
	}
	w.server(w.o)

	r := w.finished(w.order(runs.Order{}).ID)

	if r.Status != runs.Completed || looks.Load() < 4 {
		t.Errorf("the run is %+v after %d looks", r, looks.Load())
	}
	events := w.events(r.ID)
	if got := kinds(events); got != "queued started initialization context schema queued started schema exploration analysis validation recommendations saving finished" {
		t.Errorf("events are %q", got)
	}
	told := ""
	for _, e := range events {
		if strings.Contains(string(e.Data), "43 tables; 1 changed since.") {
			told = string(e.Data)
		}
	}
	if told == "" {
		t.Error("nobody is told what changed")
	}
}

func TestRunThatCannotBeDoneFails(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"refused", fault.New(fault.Unprocessable, "the pack has no exploration prompt"), "the pack has no exploration prompt"},
		{"no rights", warehouse.NewQueryError(warehouse.NoPermission, "login failed", "", nil), "the warehouse said (permission): login failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			w := newWorld(t)
			open := w.o.Open
			w.o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) { return nil, tt.err }
			_, stop := w.server(w.o)
			run := w.order(runs.Order{})

			r := w.finished(run.ID)

			if r.Status != runs.Failed || r.Failure != tt.want || r.Ended == nil {
				t.Fatalf("the run is %s: %q", r.Status, r.Failure)
			}
			stop()
			w.o.Open = open
			if _, err := w.commands().Resume(t.Context(), w.tenant, run.ID, "ada"); err != nil {
				t.Fatal(err)
			}
			if r := w.work(run.ID); r.Status != runs.Completed || r.Failure != "" {
				t.Errorf("resumed, the run is %s: %q", r.Status, r.Failure)
			}
		})
	}
}

// What may be over soon is tried again, and people are told that it is.
func TestRunThatFailsForNowIsTriedAgain(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	var tries atomic.Int64
	open := w.o.Open
	w.o.Open = func(ctx context.Context, tenant, house, run string) (warehouse.Gateway, error) {
		if tries.Add(1) == 1 {
			return nil, warehouse.NewQueryError(warehouse.Unreachable, "no route to host", "", nil)
		}
		return open(ctx, tenant, house, run)
	}
	w.server(w.o)
	run := w.order(runs.Order{})

	w.until(run.ID, func(e runs.Event) bool {
		return e.Kind == runs.EventInterrupted && strings.Contains(string(e.Data), "it will be tried again: the warehouse said (connection): no route to host")
	}, "the notice")

	w.exec(`UPDATE river.river_job SET scheduled_at = now() WHERE state <> 'running'`)
	if r := w.finished(run.ID); r.Status != runs.Completed || r.Attempt != 2 {
		t.Errorf("the run is %+v", r)
	}
}

func TestRunThatFailsTooOftenFails(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) {
		return nil, errors.New("secret detail")
	}
	run := w.order(runs.Order{})
	w.exec(`UPDATE river.river_job SET attempt = max_attempts - 1`)
	w.server(w.o)

	if r := w.finished(run.ID); r.Status != runs.Failed || r.Failure != "something went wrong while the warehouse was explored" {
		t.Errorf("the run is %s: %q", r.Status, r.Failure)
	}
}

// How long each phase took is known afterwards, and is no longer than the work on the run.
func TestDurationsOfPhases(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	run := w.work(w.order(runs.Order{}).ID)

	took, err := runs.Durations(t.Context(), w.pool, run)

	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	if err != nil || took[runs.Exploration] <= 0 || sum <= 0 || sum > run.Counters.Active+time.Millisecond {
		t.Errorf("the phases took %v of %v, %v", took, run.Counters.Active, err)
	}
	if took, err = runs.Durations(t.Context(), w.pool, w.order(runs.Order{})); err != nil || len(took) > 0 {
		t.Errorf("a run that waits took %v, %v", took, err)
	}
}

func TestCancelledJobCancelsItsRun(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	g := newGate(t)
	g.install(w, "query")
	q, _ := w.server(w.o)
	run := w.order(runs.Order{})
	g.reached()
	var job int64
	if err := w.pool.QueryRow(t.Context(), `SELECT id FROM river.river_job WHERE kind = 'warehouse_run'`).Scan(&job); err != nil {
		t.Fatal(err)
	}

	if _, err := q.JobCancel(t.Context(), job); err != nil {
		t.Fatal(err)
	}

	if r := w.finished(run.ID); r.Status != runs.Cancelled {
		t.Errorf("the run is %s", r.Status)
	}
}

// The job of a run may be cancelled while it waits, of which no worker hears: the run is cancelled nevertheless.
func TestRunWhoseWaitingJobIsCancelledIsCancelled(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	run := w.order(runs.Order{})
	other := w.order(runs.Order{Request: "11111111-1111-4111-8111-111111111111"})
	w.exec(`UPDATE river.river_job SET scheduled_at = now() + interval '1 hour', state = 'scheduled' WHERE kind = 'warehouse_run'`)
	w.exec(`UPDATE river.river_job SET state = 'cancelled', finalized_at = now() WHERE kind = 'warehouse_run' AND args->>'run' = $1`, run.ID)
	q, _ := w.server(w.o)

	if _, err := q.Insert(t.Context(), runs.RescueArgs{}, nil); err != nil {
		t.Fatal(err)
	}

	if r := w.finished(run.ID); r.Status != runs.Cancelled || r.Detail != "its job was cancelled" {
		t.Errorf("the run is %s: %q", r.Status, r.Detail)
	}
	if r := w.find(other.ID); r.Status != runs.Pending {
		t.Errorf("the run whose job waits is %s", r.Status)
	}
}

// A run is cancelled at once wherever it is worked, also when its worker hears of
// it by its heartbeat only.
func TestHeartbeatTellsOfACancellation(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	g := newGate(t)
	g.install(w, "query")
	deaf := runs.NewHub(w.pool, quiet)
	deaf.Close()
	w.o.Hub, w.o.Beat = deaf, time.Millisecond
	run := w.order(runs.Order{})
	ended := make(chan error, 1)
	go func() { ended <- runs.NewRunner(w.o).Until(t.Context(), w.tenant, run.ID) }()
	g.reached()

	if _, err := w.commands().Cancel(t.Context(), w.tenant, run.ID, "ada"); err != nil {
		t.Fatal(err)
	}

	if err := wait(t, ended, "the worker's end"); !isLost(err) {
		t.Errorf("the worker ends with %v", err)
	}
}
