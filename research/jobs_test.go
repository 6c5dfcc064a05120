package research_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// enqueue puts the job of a task that is nowhere on the queue.
func (l *lab) enqueue(t *testing.T, tenant string) (task string) {
	t.Helper()
	task = uuid.NewString()
	err := pgx.BeginFunc(t.Context(), l.pool, func(tx pgx.Tx) error {
		return research.Enqueue(t.Context(), tx, l.queue, []research.Task{{ID: task, Scope: obligations.Scope{Tenant: tenant}, Order: research.Order{Priority: 10}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// sweep puts a job of the server itself on the queue.
func (l *lab) sweep(t *testing.T) {
	t.Helper()
	if _, err := l.queue.Insert(t.Context(), research.FoldersArgs{}, nil); err != nil {
		t.Fatal(err)
	}
}

// A tenant sees its own jobs and the server's, a page at a time and each once;
// never another's, not by its number either.
func TestJobsOfATenant(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	other := postgrestest.Tenant(t, l.pool)
	var want []string
	for range 5 {
		want = append(want, l.enqueue(t, l.scope.Tenant))
		l.enqueue(t, other)
	}
	l.sweep(t)

	var got []string
	pages, cursor := 0, ""
	for {
		list, next, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant, Cursor: cursor, Max: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range list {
			if j.Tenant == other || (j.Tenant == "") != (j.Kind == "documents_sync") {
				t.Errorf("job %+v is not the tenant's", j)
			}
			if j.Task != "" {
				got = append([]string{j.Task}, got...)
			}
			if found, err := research.FindJob(t.Context(), l.queue, l.scope.Tenant, j.ID); err != nil || found.ID != j.ID {
				t.Errorf("FindJob(%d) = %+v, %v", j.ID, found, err)
			}
			if _, err := research.FindJob(t.Context(), l.queue, other, j.ID); fault.Is(err, fault.NotFound) == (j.Tenant == "") {
				t.Errorf("FindJob(%d) for another tenant = %v", j.ID, err)
			}
		}
		pages++
		if cursor = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || pages != 3 {
		t.Errorf("%d pages, want 3 (-want +got):\n%s", pages, diff)
	}
	for of, want := range map[research.JobsOf]int{research.OfBoth: 6, research.OfTenant: 5, research.OfServer: 1} {
		if list, _, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant, Of: of}); err != nil || len(list) != want {
			t.Errorf("Jobs of %q = %d, %v, want %d", of, len(list), err, want)
		}
	}
	if _, _, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant, Of: "everybody"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("Jobs of everybody = %v, want invalid", err)
	}
	if _, _, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant, Cursor: "nonsense"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("Jobs with a cursor that is none = %v, want invalid", err)
	}
}

func TestJobsAreFilteredAndCounted(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	other := postgrestest.Tenant(t, l.pool)
	l.enqueue(t, l.scope.Tenant)
	l.enqueue(t, l.scope.Tenant)
	l.enqueue(t, other)
	l.sweep(t)
	list, _, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant, Kind: "research_desk"})
	if err != nil || len(list) != 2 {
		t.Fatalf("Jobs of a kind = %+v, %v, want 2", list, err)
	}
	commands := research.Commands{Editor: sessions.Editor{Pool: l.pool}, Queue: l.queue}
	if err := commands.CancelJob(t.Context(), list[0], "ada"); err != nil {
		t.Fatal(err)
	}

	cancelled, _, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant, State: research.JobCancelled})
	if err != nil || len(cancelled) != 1 || cancelled[0].ID != list[0].ID || cancelled[0].Open() || cancelled[0].Ended == nil {
		t.Errorf("cancelled jobs = %+v, %v, want the one", cancelled, err)
	}
	for _, tt := range []struct {
		tenant string
		want   []research.JobTally
	}{
		{l.scope.Tenant, []research.JobTally{{"documents_sync", research.JobAvailable, 1}, {"research_desk", research.JobAvailable, 1}, {"research_desk", research.JobCancelled, 1}}},
		{other, []research.JobTally{{"documents_sync", research.JobAvailable, 1}, {"research_desk", research.JobAvailable, 1}}},
		{"", []research.JobTally{{"documents_sync", research.JobAvailable, 1}, {"research_desk", research.JobAvailable, 2}, {"research_desk", research.JobCancelled, 1}}},
	} {
		got, err := research.TallyJobs(t.Context(), l.pool, l.queue, tt.tenant)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("TallyJobs(%q), %v (-want +got):\n%s", tt.tenant, err, diff)
		}
	}

	if err := research.RetryJob(t.Context(), l.queue, list[0].ID); err != nil {
		t.Fatal(err)
	}
	if again, err := research.FindJob(t.Context(), l.queue, l.scope.Tenant, list[0].ID); err != nil || again.State != research.JobAvailable {
		t.Errorf("a job that was retried is %+v, %v, want available", again, err)
	}
}

// A task whose job is cancelled would wait for ever: it ends with the job.
func TestCancelledJobEndsItsTask(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	task := l.task("")
	if err := l.order(nil, task); err != nil {
		t.Fatal(err)
	}
	list, _, err := research.Jobs(t.Context(), l.queue, research.JobFilter{Tenant: l.scope.Tenant})
	if err != nil || len(list) != 1 || list[0].Task != task.ID {
		t.Fatalf("Jobs = %+v, %v, want the task's", list, err)
	}
	hub := sessions.NewHub(l.pool, nil, uuid.NewString())
	t.Cleanup(hub.Close)
	commands := research.Commands{Editor: sessions.Editor{Pool: l.pool, Hub: hub}, Queue: l.queue}

	for range 2 { // again changes nothing
		if err := commands.CancelJob(t.Context(), list[0], "ada"); err != nil {
			t.Fatal(err)
		}
	}

	got, err := research.Find(t.Context(), l.pool, l.scope.Tenant, task.ID)
	if err != nil || got.Status != research.Cancelled || !strings.Contains(got.Note+got.Failure, "ada") {
		t.Errorf("the task is %s (%q, %q), %v, want cancelled by ada", got.Status, got.Note, got.Failure, err)
	}
}

func TestQueueIsPausedAndResumed(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	if list, err := research.Lanes(t.Context(), l.queue); err != nil || len(list) != 0 {
		t.Fatalf("Lanes before a worker came = %v, %v", list, err)
	}
	if err := research.Pause(t.Context(), l.queue, "default"); !fault.Is(err, fault.NotFound) {
		t.Errorf("Pause of a queue that is not there = %v, want not_found", err)
	}
	if _, err := l.pool.Exec(t.Context(), `INSERT INTO river.river_queue (name, metadata, updated_at) VALUES ('default', '{}', now())`); err != nil {
		t.Fatal(err)
	}
	paused := func() bool {
		list, err := research.Lanes(t.Context(), l.queue)
		if err != nil || len(list) != 1 || list[0].Name != "default" {
			t.Fatalf("Lanes = %+v, %v", list, err)
		}
		return list[0].Paused != nil
	}

	if paused() {
		t.Error("a queue that nobody paused is paused")
	}
	if err := research.Pause(t.Context(), l.queue, "default"); err != nil || !paused() {
		t.Errorf("after Pause, %v, the queue goes on", err)
	}
	if err := research.Resume(t.Context(), l.queue, "default"); err != nil || paused() {
		t.Errorf("after Resume, %v, the queue is still paused", err)
	}
}

func TestLeader(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	if got, err := research.FindLeader(t.Context(), l.pool, l.queue); got != nil || err != nil {
		t.Fatalf("FindLeader without any = %+v, %v", got, err)
	}
	_, err := l.pool.Exec(t.Context(), `INSERT INTO river.river_leader (name, leader_id, elected_at, expires_at) VALUES ('default', 'one', now(), now() + interval '1 minute')`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := research.FindLeader(t.Context(), l.pool, l.queue); err != nil || got == nil || got.ID != "one" {
		t.Errorf("FindLeader = %+v, %v, want one", got, err)
	}
}

func TestStockIsATenantsOwn(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	list, next, err := research.Stock(t.Context(), l.pool, l.scope.Tenant, "", 10)
	if len(list) != 0 || next != "" || err != nil {
		t.Errorf("Stock of an empty folder = %v, %q, %v", list, next, err)
	}
}
