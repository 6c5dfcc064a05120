package runs_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// TestTroubles has runs meet each trouble: how often each is tried, and what people and River are told.
func TestTroubles(t *testing.T) {
	t.Parallel()

	refused := func(status int) error { return &llm.Error{Class: llm.Refused, Status: status} }
	ofWarehouse := func(class warehouse.ErrorClass) error {
		return warehouse.NewQueryError(class, "no", "", nil)
	}
	for _, tt := range []struct {
		name   string
		model  error // of each step
		open   error // of the warehouse
		want   runs.Trouble
		says   string
		tries  int
		remedy string
	}{
		{"a bad key", refused(401), nil, runs.ModelKey, "the model script refuses the key (status 401)", 1, "valid key"},
		{"a key without the right", refused(403), nil, runs.ModelKey, "refuses the key (status 403)", 1, "valid key"},
		{"no such model", refused(404), nil, runs.ModelUnknown, "there is no model script at its address", 1, "Choose a model"},
		{"a warehouse that does not answer", nil, ofWarehouse(warehouse.Unreachable), runs.WarehouseSilent, "the warehouse said (connection): no", 3, "test it on its page"},
		{"a warehouse that is too slow", nil, ofWarehouse(warehouse.TimedOut), runs.WarehouseSilent, "the warehouse said (timeout): no", 3, "test it on its page"},
		{"a role that may not connect", nil, ofWarehouse(warehouse.NoPermission), runs.WarehouseDenied, "the warehouse said (permission): no", 1, "user and the password"},
		{"a warehouse without resources", nil, ofWarehouse(warehouse.OverQuota), runs.WarehouseLimited, "the warehouse said (quota): no", 8, "raise its limits"},
		{"an error outside of steps", nil, ofWarehouse(warehouse.SyntaxError), runs.WarehouseRefuses, "the warehouse said (syntax): no", 1, "Test the warehouse"},
		{"settings", nil, fault.New(fault.Unprocessable, "the pack has no exploration prompt"), runs.BadSettings, "the pack has no exploration prompt", 1, "Change what the message names"},
		{"a part of the server", nil, fault.New(fault.Unavailable, "the encoder does not answer"), runs.ServerTrouble, "the encoder does not answer", 8, "Resume the run"},
		{"a mistake of the program", nil, errors.New("secret detail"), runs.ServerTrouble, "something went wrong while the warehouse was explored", 8, "Resume the run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			w := newWorld(t)
			w.analyst.always = func(warehouse.Situation) (string, error) { return ask("SELECT 1"), tt.model }
			open := w.o.Open
			if tt.open != nil {
				w.o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) { return nil, tt.open }
			}
			q, stop := w.server(w.o)
			done, unsubscribe := q.Subscribe(river.EventKindJobFailed, river.EventKindJobCancelled)
			defer unsubscribe()
			run := w.order(runs.Order{})

			for n := 1; n < tt.tries; n++ {
				if e := wait(t, done, "a try that failed"); e.Kind != river.EventKindJobFailed || e.Job.State != rivertype.JobStateRetryable && e.Job.State != rivertype.JobStateAvailable {
					t.Fatalf("after try %d the job is %s", n, e.Job.State)
				}
				if r := w.find(run.ID); r.Status != runs.Interrupted || r.Failure != "" || !strings.Contains(r.Detail, tt.says) {
					t.Fatalf("after try %d the run is %+v", n, r)
				}
				w.exec(`UPDATE river.river_job SET state = 'available', scheduled_at = now() WHERE state = 'retryable'`)
			}
			r := w.finished(run.ID)
			if e := wait(t, done, "the end of the job"); e.Kind != river.EventKindJobCancelled || e.Job.Attempt != tt.tries {
				t.Errorf("at its end the job is %s after %d tries, want it cancelled after %d", e.Job.State, e.Job.Attempt, tt.tries)
			}
			if r.Status != runs.Failed || r.Trouble != tt.want || !strings.Contains(r.Failure, tt.says) || !strings.Contains(r.Remedy, tt.remedy) || r.Attempt != tt.tries {
				t.Errorf("the run is %s after %d tries: %s, %q, %q", r.Status, r.Attempt, r.Trouble, r.Failure, r.Remedy)
			}
			stop()

			w.o.Open, w.analyst.always = open, nil
			if _, err := w.commands().Resume(t.Context(), w.tenant, run.ID, "ada"); err != nil {
				t.Fatal(err)
			}
			if r := w.work(run.ID); r.Status != runs.Completed || r.Trouble != "" || r.Remedy != "" {
				t.Errorf("resumed, the run is %+v", r)
			}
		})
	}
}

// A model that takes no more requests is waited for as long as it says, without a try being counted,
// and not for ever.
func TestModelThatIsLimitedIsWaitedFor(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		err  *llm.Error
		wait time.Duration // at least, and at most a minute more
	}{
		{"as told", &llm.Error{Class: llm.Limited, Status: 429, RetryAfter: 20 * time.Minute}, 20 * time.Minute},
		{"untold", &llm.Error{Class: llm.Limited, Status: 429}, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			w := newWorld(t)
			limited := true
			w.analyst.always = func(s warehouse.Situation) (string, error) {
				if len(s.Steps) == 1 && limited {
					limited = false
					return "", tt.err
				}
				if len(s.Steps) > 1 {
					return `{"done":true}`, nil
				}
				return ask("SELECT 1"), nil
			}
			q, _ := w.server(w.o)
			done, unsubscribe := q.Subscribe(river.EventKindJobSnoozed)
			defer unsubscribe()
			run := w.order(runs.Order{})

			e := wait(t, done, "the wait")
			r := w.find(run.ID)
			if until := time.Until(e.Job.ScheduledAt); until < tt.wait-time.Minute/2 || until > tt.wait+time.Minute/2 || r.Status != runs.Pending || !strings.HasPrefix(r.Detail, "The model takes no more requests for now.") || r.Counters.Steps != 1 {
				t.Fatalf("it waits for %s; the run is %+v", until, r)
			}
			w.exec(`UPDATE river.river_job SET state = 'available', scheduled_at = now() WHERE state = 'scheduled'`)
			if r = w.finished(run.ID); r.Status != runs.Completed || r.Outcome != runs.FullOutcome {
				t.Errorf("after the wait the run is %+v", r)
			}
		})
	}

	t.Run("not for ever", func(t *testing.T) {
		t.Parallel()

		w := newWorld(t)
		w.analyst.always = func(warehouse.Situation) (string, error) {
			return "", &llm.Error{Class: llm.Limited, Status: 429}
		}
		run := w.order(runs.Order{})
		w.exec(`UPDATE warehouse_runs SET created_at = now() - interval '24 hours' WHERE tenant_id = $1`, w.tenant)
		w.server(w.o)
		if r := w.finished(run.ID); r.Status != runs.Failed || r.Trouble != runs.ModelLimited || r.Remedy == "" {
			t.Errorf("the run is %+v", r)
		}
	})
}

// A warehouse that is not connected any more ends a run at once.
func TestWarehouseThatIsGoneEndsARun(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	run := w.order(runs.Order{})
	w.exec(`UPDATE warehouse_runs SET warehouse_id = NULL WHERE tenant_id = $1`, w.tenant)
	w.server(w.o)
	if r := w.finished(run.ID); r.Status != runs.Failed || r.Trouble != runs.WarehouseGone || !strings.Contains(r.Remedy, "Connect the warehouse again") {
		t.Errorf("the run is %+v", r)
	}
}
