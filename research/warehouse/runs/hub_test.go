package runs_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse/runs"
)

// Whoever reads along on another instance, and comes back time and again where it
// was, sees every event once and in order.
func TestEventsComeOnceAndInOrderOverReconnects(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.adventure()
	elsewhere := runs.NewHub(w.pool, quiet)
	t.Cleanup(elsewhere.Close)
	elsewhere.LookEvery(time.Hour) // it is told, or does not know
	run := w.order(adventureOrder)
	ended := make(chan error, 1)
	go func() { ended <- runs.NewRunner(w.o).Until(t.Context(), w.tenant, run.ID) }()

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var got []runs.Event
	for over := false; !over; {
		sub := elsewhere.Subscribe(w.tenant, run.ID, int64(len(got)))
		for range 3 {
			events, err := sub.Next(ctx, time.Hour)
			if err != nil || len(events) == 0 {
				t.Fatalf("after %d events: %v", len(got), err)
			}
			got = append(got, events...)
			if over = events[len(events)-1].Kind == runs.EventFinished; over {
				break
			}
		}
		sub.Close()
	}
	if err := wait(t, ended, "the worker's end"); err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(w.events(run.ID), got); diff != "" {
		t.Errorf("events (-stored +seen):\n%s", diff)
	}
}

// A reader that hears of nothing finds out by itself.
func TestSubscriptionReadsWithoutBeingTold(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	run := w.order(runs.Order{})
	deaf := runs.NewHub(w.pool, quiet)
	deaf.Close()
	deaf.LookEvery(5 * time.Millisecond)
	sub := deaf.Subscribe(w.tenant, run.ID, 0)
	defer sub.Close()
	if events, err := sub.Next(t.Context(), patience); err != nil || len(events) != 1 {
		t.Fatalf("Next = %v, %v", events, err)
	}
	if events, err := sub.Next(t.Context(), time.Millisecond); err != nil || len(events) != 0 {
		t.Fatalf("Next of nothing = %v, %v", events, err)
	}
	if _, err := w.commands().Cancel(t.Context(), w.tenant, run.ID, "ada"); err != nil {
		t.Fatal(err)
	}

	events, err := sub.Next(t.Context(), patience)

	if err != nil || len(events) != 1 || events[0].Kind != runs.EventFinished || events[0].Seq != 2 {
		t.Errorf("Next = %v, %v", events, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sub.Next(ctx, patience); err == nil {
		t.Error("Next goes on when its context ended")
	}
}

// A listener whose connection breaks comes back.
func TestHubSurvivesItsConnection(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	run := w.order(runs.Order{})
	elsewhere := runs.NewHub(w.pool, quiet)
	t.Cleanup(elsewhere.Close)
	elsewhere.LookEvery(time.Hour)
	sub := elsewhere.Subscribe(w.tenant, run.ID, 1)
	defer sub.Close()
	if events, err := sub.Next(t.Context(), time.Millisecond); err != nil || len(events) != 0 {
		t.Fatalf("Next = %v, %v", events, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	super := postgrestest.Superuser(t, w.pool)
	if _, err := super.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.commands().Cancel(t.Context(), w.tenant, run.ID, "ada"); err != nil {
		t.Fatal(err)
	}

	if events, err := sub.Next(ctx, time.Hour); err != nil || len(events) != 1 {
		t.Errorf("Next = %v, %v", events, err)
	}
}

func TestNormalisedKeepsWhatMakesADifference(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"SELECT 1", " SELECT\n\t1 ; ", true},
		{"SELECT 'a  b'", "SELECT 'a b'", false},
		{`SELECT "a  b"`, `SELECT "a b"`, false},
		{"SELECT 'it''s  x'", "SELECT  'it''s  x'", true},
		{"SELECT A", "SELECT a", false}, // names are other names in some dialects
		{"SELECT 1--1", "SELECT 1", false},
		{"SELECT 1 -- x\n, 2", "SELECT 1 -- x , 2", false},
		{"SELECT /*+ x */ 1", "SELECT 1", false},
		{`SELECT '\' || 'a  b'`, `SELECT '\' || 'a b'`, false},
		{"SELECT $$a  b$$", "SELECT $$a b$$", false},
		{"SELECT [a  b]", "SELECT [a b]", false},
		{"SELECT '", "SELECT ''", false},
		{"", ";", true},
	} {
		if got := runs.Normalised(tt.a) == runs.Normalised(tt.b); got != tt.same {
			t.Errorf("%q and %q are the same: %t, want %t", tt.a, tt.b, got, tt.same)
		}
	}
}

func TestNormalisedProperties(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		q := rapid.StringMatching("[a-c '\"`;\\n\\\\$-]{0,24}").Draw(t, "query")
		n := runs.Normalised(q)
		if runs.Normalised(n) != n {
			t.Fatalf("%q gives %q and then %q", q, n, runs.Normalised(n))
		}
		if spaced := "\n" + q + " ;\n"; runs.Normalised(spaced) != n {
			t.Fatalf("%q gives %q and %q gives %q", q, n, spaced, runs.Normalised(spaced))
		}
	})
}
