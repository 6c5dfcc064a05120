package research_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/research"
	"quaestor/sessions"
)

// patience bounds every wait in these tests.
const patience = 90 * time.Second

// work starts workers on the lab's database and returns their news.
func (l *lab) work(researcher *research.Researcher) <-chan *river.Event {
	l.t.Helper()
	q := newQueue(l.t, l.pool, 4, researcher)
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobSnoozed, river.EventKindJobCancelled)
	if err := q.Start(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	l.stop = append(l.stop, func() {
		if err := q.StopAndCancel(background); err != nil {
			l.t.Errorf("stop the workers: %v", err)
		}
		unsubscribe()
	})
	l.t.Cleanup(l.stopAll)
	return news
}

// stopAll stops the workers that run.
func (l *lab) stopAll() {
	for _, stop := range l.stop {
		stop()
	}
	l.stop = nil
}

// await waits until so many research jobs are done.
func await(t *testing.T, news <-chan *river.Event, jobs int) {
	t.Helper()
	for e := range over(t, news) {
		if e.Job.Kind != (research.TaskArgs{}).Kind() {
			continue
		}
		if e.Kind != river.EventKindJobCompleted || e.Job.State != rivertype.JobStateCompleted {
			t.Fatalf("job %d is %s: %v", e.Job.ID, e.Job.State, e.Job.Errors)
		}
		if jobs--; jobs == 0 {
			return
		}
	}
}

func TestJobOfATaskThatIsGoneIsDone(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	news := l.work(research.NewResearcher(research.ResearcherOptions{Editor: sessions.Editor{Pool: l.pool}}))
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
