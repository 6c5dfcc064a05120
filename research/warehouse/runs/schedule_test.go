package runs_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"quaestor/migrations"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
)

// Two servers look at the schedules of two projects, a week after they were due daily: each project is
// explored once, and not again while that run goes on.
func TestSchedulesBeginRuns(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	second := "22222222-2222-4222-8222-222222222222"
	w.exec(`INSERT INTO warehouse_projects (tenant_id, id, name, pack_slug, pack_version, warehouse_id) VALUES ($1, $2, 'Second', 'operations', '1.0.0', $3)`, w.tenant, second, w.house)
	w.exec(`UPDATE warehouse_projects SET pack_slug = 'operations', pack_version = '1.0.0' WHERE tenant_id = $1`, w.tenant)
	store := projects.Store{Pool: w.pool}
	was, now := time.Now().Add(-7*24*time.Hour), time.Now()
	for _, id := range []string{w.project, second} {
		if _, err := store.SetSchedule(t.Context(), w.tenant, id, "ada", 0, projects.Timing{Cron: "@daily", MaxSteps: 7, MinSteps: 2}, was); err != nil {
			t.Fatal(err)
		}
	}
	server := func() *runs.Scheduler {
		return &runs.Scheduler{Pool: w.pool, Hub: w.hub, Projects: store, Log: quiet, Now: func() time.Time { return now },
			Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }}
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := server().Begin(t.Context(), w.queue); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()

	list, err := runs.List(t.Context(), w.pool, w.tenant, runs.Filter{})
	if err != nil || len(list) != 2 || list[0].Project == list[1].Project {
		t.Fatalf("%d runs began: %+v, %v", len(list), list, err)
	}
	for _, r := range list {
		if r.By != runs.ScheduledBy || r.MaxSteps != 7 || r.MinSteps != 2 || r.Status != runs.Pending {
			t.Errorf("the run is %+v", r)
		}
		s, err := store.Schedule(t.Context(), w.tenant, r.Project)
		if err != nil || s.Run != r.ID || s.Note != "" || !s.Next.After(now) {
			t.Errorf("the schedule is %+v, %v", s, err)
		}
		if got := kinds(w.events(r.ID)); got != "queued" {
			t.Errorf("events are %s", got)
		}
	}
	if n := w.number(`SELECT count(*)::int AS n FROM river.river_job WHERE kind = 'warehouse_run'`); n != 2 {
		t.Errorf("%d jobs are queued", n)
	}

	now = now.Add(24 * time.Hour)
	if err := server().Begin(t.Context(), w.queue); err != nil {
		t.Fatal(err)
	}
	s, err := store.Schedule(t.Context(), w.tenant, w.project)
	if err != nil || !strings.Contains(s.Note, "the one before was not over") || !s.Next.After(now) {
		t.Errorf("while it goes on the schedule is %+v, %v", s, err)
	}
	w.exec(`UPDATE warehouse_projects SET state = 'pack_generation_pending' WHERE tenant_id = $1 AND id = $2`, w.tenant, second)
	w.exec(`UPDATE warehouse_runs SET status = 'cancelled' WHERE tenant_id = $1`, w.tenant)
	now = now.Add(24 * time.Hour)
	if err := server().Begin(t.Context(), w.queue); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Schedule(t.Context(), w.tenant, second); err != nil || !strings.Contains(s.Note, "pack_generation_pending") {
		t.Errorf("a project that is not ready: %+v, %v", s, err)
	}
	if n := w.number(`SELECT count(*)::int AS n FROM warehouse_runs WHERE tenant_id = $1`, w.tenant); n != 3 {
		t.Errorf("%d runs were made, want 3", n)
	}
}

// River's leader queues the job that looks at schedules, and any server works it.
func TestSchedulesAreLookedAtByRiver(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.exec(`UPDATE warehouse_projects SET pack_slug = 'operations', pack_version = '1.0.0' WHERE tenant_id = $1`, w.tenant)
	store := projects.Store{Pool: w.pool}
	if _, err := store.SetSchedule(t.Context(), w.tenant, w.project, "ada", 0, projects.Timing{Cron: "@hourly"}, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	workers := river.NewWorkers()
	scheduler := &runs.Scheduler{Pool: w.pool, Hub: w.hub, Projects: store, Log: quiet, Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }}
	if err := errors.Join(scheduler.Workers(workers), runs.NewRunner(w.o).AddTo(migrations.RiverSchema)(workers)); err != nil {
		t.Fatal(err)
	}
	q := w.client(workers)
	done, unsubscribe := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled)
	defer unsubscribe()
	if err := q.Start(background); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.StopAndCancel(background); err != nil {
			t.Error(err)
		}
	})
	if _, err := q.Insert(t.Context(), runs.ScheduleArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, done, "the look at the schedules"); e.Kind != river.EventKindJobCompleted {
		t.Errorf("job %s ends as %s: %v", e.Job.Kind, e.Job.State, e.Job.Errors)
	}
	if list, err := runs.List(t.Context(), w.pool, w.tenant, runs.Filter{}); err != nil || len(list) != 1 {
		t.Errorf("%d runs began, %v", len(list), err)
	}
}
