package research_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/internal/postgres"
	"quaestor/research"
)

// patience bounds every wait in these tests.
const patience = 20 * time.Second

// work starts the workers on the lab's database and returns their news.
func (l *lab) work() <-chan *river.Event {
	l.t.Helper()
	q := newQueue(l.t, l.pool, 4)
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed)
	l.t.Cleanup(unsubscribe)
	if err := q.Start(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		if err := q.Stop(background); err != nil {
			l.t.Errorf("stop the workers: %v", err)
		}
	})
	return news
}

func await(t *testing.T, news <-chan *river.Event, jobs int) {
	t.Helper()
	deadline := time.After(patience)
	for n := range jobs {
		select {
		case e := <-news:
			if e.Kind != river.EventKindJobCompleted || e.Job.State != rivertype.JobStateCompleted {
				t.Fatalf("job %d is %s: %v", e.Job.ID, e.Job.State, e.Job.Errors)
			}
		case <-deadline:
			t.Fatalf("%d of %d jobs were never completed", jobs-n, jobs)
		}
	}
}

func TestWorkerSaysWhyATaskWaits(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	waiting, running := l.task("market"), l.task("rivals")
	if err := l.order(nil, waiting, running); err != nil {
		t.Fatal(err)
	}
	b := postgres.NewBatch(l.scope.Tenant)
	_, _ = b.Exec(t.Context(), `UPDATE discovery_research_tasks SET status = 'running' WHERE id = $1`, running.ID)
	l.send(b)

	await(t, l.work(), 2)

	want := waiting
	want.Note = research.NoSources
	got := l.find(waiting.ID)
	want.Created = got.Created
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the task that waits (-want +got):\n%s", diff)
	}
	if got := l.find(running.ID); got.Note != "" || got.Status != research.Running {
		t.Errorf("the task that runs is %s with the note %q, want it left alone", got.Status, got.Note)
	}
}

func TestJobOfATaskThatIsGoneIsDone(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	news := l.work()
	err := pgx.BeginFunc(t.Context(), l.pool, func(tx pgx.Tx) error {
		return research.Enqueue(t.Context(), tx, l.queue, []research.Task{{ID: uuid.NewString(), Scope: l.scope, Order: research.Order{Priority: 10}}})
	})
	if err != nil {
		t.Fatal(err)
	}

	await(t, news, 1)
}

// River knows four priorities, the lowest number the most urgent; ours are ten,
// the highest the most urgent.
func TestUrgentTasksAreUrgentJobs(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	var tasks []research.Task
	for priority := 1; priority <= 10; priority++ {
		task := l.task("")
		task.Order.Priority = priority
		tasks = append(tasks, task)
	}
	if err := l.order(nil, tasks...); err != nil {
		t.Fatal(err)
	}

	rows, err := l.pool.Query(t.Context(), `SELECT j.priority::int FROM river.river_job AS j JOIN unnest($1::text[]) WITH ORDINALITY AS x (id, n) ON j.args ->> 'task' = x.id ORDER BY n`, ids(tasks))
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if diff := cmp.Diff([]int{4, 4, 4, 3, 3, 3, 2, 2, 2, 1}, got); diff != "" || err != nil {
		t.Errorf("priorities, %v (-want +got):\n%s", err, diff)
	}
}

func ids(tasks []research.Task) []string {
	out := make([]string, len(tasks))
	for i, task := range tasks {
		out[i] = task.ID
	}
	return out
}

// River's tables know no tenants, so a job holds ids and nothing people said.
func TestJobHoldsIdsOnly(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	task := l.task("market")
	if err := l.order(nil, task); err != nil {
		t.Fatal(err)
	}

	var got map[string]string
	if err := l.pool.QueryRow(t.Context(), `SELECT args FROM river.river_job`).Scan(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"tenant": l.scope.Tenant, "task": task.ID}, got); diff != "" {
		t.Errorf("args (-want +got):\n%s", diff)
	}
}
