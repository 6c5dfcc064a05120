package runs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

func TestCreateChecksItsOrder(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	for _, tt := range []struct {
		name  string
		order runs.Order
		kind  fault.Kind
		field string
	}{
		{"too many steps", runs.Order{Project: w.project, MaxSteps: 1001}, fault.Unprocessable, "maxSteps"},
		{"negative steps", runs.Order{Project: w.project, MaxSteps: -1}, fault.Unprocessable, "maxSteps"},
		{"more least than most", runs.Order{Project: w.project, MaxSteps: 10, MinSteps: 11}, fault.Unprocessable, "minSteps"},
		{"an area without a name", runs.Order{Project: w.project, Areas: []string{" "}}, fault.Unprocessable, "areas"},
		{"negative money", runs.Order{Project: w.project, Budget: runs.Budget{USD: -1}}, fault.Unprocessable, "budget.usd"},
		{"negative tokens", runs.Order{Project: w.project, Budget: runs.Budget{Tokens: -1}}, fault.Unprocessable, "budget.tokens"},
		{"too long a name of the request", runs.Order{Project: w.project, Request: strings.Repeat("x", 256)}, fault.Invalid, "Idempotency-Key"},
		{"no project", runs.Order{Project: uuid.NewString()}, fault.NotFound, "projectId"},
		{"nonsense for a project", runs.Order{Project: "nonsense"}, fault.NotFound, "projectId"},
	} {
		_, _, err := w.commands().Create(t.Context(), w.tenant, tt.order)
		if !fault.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.field) {
			t.Errorf("%s: %v, want %s at %s", tt.name, err, tt.kind, tt.field)
		}
	}
	if n := w.number(`SELECT count(*)::int FROM warehouse_runs`); n != 0 {
		t.Errorf("%d runs were made", n)
	}
}

func TestCreateTwiceMakesOneRun(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	o := runs.Order{Project: w.project, By: "ada", Request: "one", Areas: []string{"churn", "growth"}}
	const at = 4
	ids, made := make(chan string, at), make(chan bool, at)
	for range at {
		go func() {
			r, m, err := w.commands().Create(t.Context(), w.tenant, o)
			if err != nil {
				t.Error(err)
			}
			ids <- r.ID
			made <- m
		}()
	}
	seen, first := map[string]bool{}, 0
	for range at {
		seen[wait(t, ids, "a run")] = true
		if wait(t, made, "a run") {
			first++
		}
	}
	o.Areas = []string{"growth", "churn", "growth"} // the same in another order
	again, m, err := w.commands().Create(t.Context(), w.tenant, o)

	if len(seen) != 1 || first != 1 || m || err != nil || !seen[again.ID] || again.Coverage != runs.SelectedAreas {
		t.Errorf("%d runs were made as %d, then %t, %v", len(seen), first, m, err)
	}
	if n := w.number(`SELECT count(*)::int FROM river.river_job`); n != 1 {
		t.Errorf("%d jobs were queued", n)
	}
	o.MaxSteps = 7
	if _, _, err := w.commands().Create(t.Context(), w.tenant, o); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("another order of the same request: %v", err)
	}
	o.By = "bob" // whose requests are his own
	if _, m, err := w.commands().Create(t.Context(), w.tenant, o); !m || err != nil {
		t.Errorf("somebody else's request: %t, %v", m, err)
	}
}

func TestListIsPagedAndFiltered(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	var want []string
	for range 5 {
		want = append(want, w.order(runs.Order{}).ID)
	}
	slices.Reverse(want)
	if _, err := w.commands().Cancel(t.Context(), w.tenant, want[2], "ada"); err != nil {
		t.Fatal(err)
	}

	var got []string
	f := runs.Filter{Project: w.project, Max: 2}
	for {
		list, err := runs.List(t.Context(), w.pool, w.tenant, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			got = append(got, r.ID)
		}
		if len(list) < 2 {
			break
		}
		f.BeforeAt, f.BeforeID = list[1].Created, list[1].ID
	}
	if !slices.Equal(got, want) {
		t.Errorf("List = %v, want %v", got, want)
	}
	if list, err := runs.List(t.Context(), w.pool, w.tenant, runs.Filter{Statuses: []runs.Status{runs.Cancelled, runs.Failed}}); err != nil || len(list) != 1 || list[0].ID != want[2] {
		t.Errorf("cancelled are %v, %v", list, err)
	}
	if list, err := runs.List(t.Context(), w.pool, w.tenant, runs.Filter{Project: uuid.NewString()}); err != nil || len(list) != 0 {
		t.Errorf("of another project are %v, %v", list, err)
	}
}

func TestDeletedRunTakesAllAlong(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	w.analyst.spent = warehouse.TokenUsage{In: 1, Calls: 1}
	r := w.work(w.order(runs.Order{}).ID)

	if err := w.commands().Delete(t.Context(), w.tenant, r.ID); err != nil {
		t.Fatal(err)
	}

	if n := w.number(`SELECT (SELECT count(*) FROM warehouse_runs) + (SELECT count(*) FROM warehouse_run_steps) + (SELECT count(*) FROM warehouse_run_events) + (SELECT count(*) FROM warehouse_run_spending)`); n != 0 {
		t.Errorf("%d rows stay", n)
	}
	for name, err := range map[string]error{
		"delete": w.commands().Delete(t.Context(), w.tenant, r.ID),
		"cancel": second(w.commands().Cancel(t.Context(), w.tenant, r.ID, "")),
		"find":   second(runs.Find(t.Context(), w.pool, w.tenant, "nonsense")),
		"pause":  second(w.commands().Pause(t.Context(), w.tenant, "nonsense", "")),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s of a run that is gone: %v", name, err)
		}
	}
	if err := runs.NewRunner(w.o).Until(t.Context(), w.tenant, r.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a run that is gone is worked: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// A warehouse may be disconnected; what was found in it stays, and is not gone on
// with.
func TestRunOutlivesItsWarehouse(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	done, waits := w.work(w.order(runs.Order{}).ID), w.order(runs.Order{})
	w.exec(`INSERT INTO warehouses (tenant_id, name, kind) VALUES ($1, 'Other', 'duckdb')`, w.tenant)
	w.exec(`UPDATE warehouse_projects SET warehouse_id = (SELECT id FROM warehouses WHERE tenant_id = $1 AND name = 'Other') WHERE tenant_id = $1`, w.tenant)
	w.exec(`DELETE FROM warehouses WHERE tenant_id = $1 AND name = 'Shop'`, w.tenant)

	if r := w.find(done.ID); r.Warehouse != "" || len(w.steps(r.ID)) != 2 {
		t.Errorf("the run is %+v", r)
	}
	if err := runs.NewRunner(w.o).Until(t.Context(), w.tenant, waits.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a run without a warehouse: %v", err)
	}
}

func TestTenantsDoNotMeet(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.says(ask("SELECT 1"))
	r := w.work(w.order(runs.Order{}).ID)
	other := postgrestest.Tenant(t, w.pool)

	steps, err := runs.Steps(t.Context(), w.pool, other, r.ID, 0, 0)
	events, _, err2 := runs.Events(t.Context(), w.pool, other, r.ID, 0)
	list, err3 := runs.List(t.Context(), w.pool, other, runs.Filter{})
	scores, err4 := runs.Scores(t.Context(), w.pool, other, r.ID, "", nil, "select")
	if len(steps)+len(events)+len(list)+len(scores) != 0 || err != nil || err2 != nil || err3 != nil || err4 != nil {
		t.Errorf("another tenant sees %v, %v, %v, %v", steps, events, list, scores)
	}
	o := w.commands()
	_, _, made := o.Create(t.Context(), other, runs.Order{Project: w.project})
	for name, err := range map[string]error{"find": second(runs.Find(t.Context(), w.pool, other, r.ID)), "cancel": second(o.Cancel(t.Context(), other, r.ID, "")),
		"delete": o.Delete(t.Context(), other, r.ID), "create": made, "work": runs.NewRunner(w.o).Until(t.Context(), other, r.ID)} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("another tenant may %s: %v", name, err)
		}
	}
}

// Whatever people want of a run and whatever becomes of its workers, it goes from
// status to status as the table says, refusals name the status, and each change is
// told once.
func TestRunGoesFromStatusToStatusAsTheTableSays(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.analyst.always = func(s warehouse.Situation) (string, error) { return ask(fmt.Sprint("SELECT ", len(s.Steps))), nil }
	rapid.Check(t, func(rt *rapid.T) {
		run := w.order(runs.Order{MaxSteps: 4})
		status := runs.Pending
		acts := rapid.SliceOfN(rapid.SampledFrom([]string{"pause", "resume", "cancel", "work", "die", "delete"}), 1, 8).Draw(rt, "acts")
		for _, act := range acts {
			err := w.perform(act, run.ID)
			if act == "delete" && err == nil {
				return
			}
			now := w.find(run.ID).Status
			if fault.Is(err, fault.Conflict) {
				if now != status || !strings.Contains(err.Error(), "is "+string(status)) {
					rt.Fatalf("%s of a run that is %s is refused with %q, and it is %s", act, status, err, now)
				}
				continue
			}
			if err != nil {
				rt.Fatalf("%s of a run that is %s: %v", act, status, err)
			}
			if !reachable(status, now, act) {
				rt.Fatalf("%s brought a run from %s to %s", act, status, now)
			}
			status = now
		}
		_ = w.events(run.ID)
	})
}

// perform does one thing to a run.
func (w *world) perform(act, id string) error {
	switch act {
	case "pause":
		return second(w.commands().Pause(background, w.tenant, id, "ada"))
	case "resume":
		return second(w.commands().Resume(background, w.tenant, id, "ada"))
	case "cancel":
		return second(w.commands().Cancel(background, w.tenant, id, "ada"))
	case "delete":
		return w.commands().Delete(background, w.tenant, id)
	case "die":
		w.exec(`UPDATE warehouse_runs SET status = 'running', lease_until = now() - interval '1 s', attempt = attempt + 1 WHERE tenant_id = $1 AND id = $2 AND status IN ('pending', 'interrupted')`, w.tenant, id)
		return nil
	default:
		err := runs.NewRunner(w.o).Until(background, w.tenant, id)
		if isPaused(err) {
			err = nil
		}
		return err
	}
}

// reachable reports whether a run may get from one status to another by what the
// table says, within one act.
func reachable(from, to runs.Status, act string) bool {
	if from == to || slices.Contains(runs.Transitions[from], to) {
		return true
	}
	return act == "work" && slices.ContainsFunc(runs.Transitions[from], func(s runs.Status) bool { return s == runs.Running && slices.Contains(runs.Transitions[s], to) })
}
