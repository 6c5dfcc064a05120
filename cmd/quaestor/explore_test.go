//go:build duckdb

package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// TestSampleIsExplored runs the built-in analyst over the sample data, as a newcomer
// does by one button, through the very parts that the server is made of.
func TestSampleIsExplored(t *testing.T) {
	if sampleFolder() == "" {
		t.Fatal("there is no sample data; run: make provision")
	}
	pool := postgrestest.DB(t)
	tenant, err := auth.EnsureTenant(t.Context(), pool, "development")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	s := &Settings{Auth: "development", DataDir: t.TempDir(), ResearchLease: 20 * time.Second}
	sky, err := newObservatory(s, pool, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	defer sky.close()
	queue, err := research.NewQueue(pool, research.QueueOptions{Schema: migrations.RiverSchema, Log: log, Lanes: sky.lanes(), Add: sky.workers()})
	if err != nil {
		t.Fatal(err)
	}
	if err := queue.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	defer stopQueue(queue, 10*time.Second) //nolint:errcheck // the test is over

	project, err := sky.sample(t.Context(), tenant.ID, "someone")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := sky.sample(t.Context(), tenant.ID, "someone"); err != nil || again != project {
		t.Fatalf("again: %s, %v", again, err)
	}
	office := runs.Office{Pool: pool, Queue: queue, Hub: sky.hub}
	run, _, err := office.Create(t.Context(), tenant.ID, runs.Order{Project: project, MaxSteps: 30, By: "someone"})
	if err != nil {
		t.Fatal(err)
	}
	run = untilOver(t, sky, tenant.ID, run.ID)
	if run.Status != runs.Completed || run.Counters.Successful < 15 || run.Counters.Failed > 0 || run.Counters.Active > 2*time.Minute {
		t.Errorf("%+v", run)
	}
	steps, err := runs.Steps(t.Context(), pool, tenant.ID, run.ID, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range steps {
		t.Logf("%d %s %s: %d rows, %s %s", st.N, st.Type, st.Purpose, st.Rows, st.Took.Round(time.Millisecond), st.Error)
		if st.Type == warehouse.QueryStep && (st.Purpose == "" || st.SQL == "" || len(st.Digest) == 0) {
			t.Errorf("step %d: %+v", st.N, st)
		}
	}
}

// untilOver reads the events of a run until it is over.
func untilOver(t *testing.T, sky *observatory, tenant, id string) runs.Run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	sub := sky.hub.Subscribe(tenant, id, 0)
	defer sub.Close()
	for {
		r, err := runs.Find(ctx, sky.projects.Pool, tenant, id)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status.Over() {
			return r
		}
		if _, err := sub.Next(ctx, time.Second); err != nil && ctx.Err() != nil {
			t.Fatalf("%s at %s: %v", r.Status, r.Phase, err)
		}
	}
}
