package research

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// RescueArgs is the job that finds tasks whose worker died. River considers a job
// stuck only after many minutes; a lease tells within seconds.
type RescueArgs struct{}

// Kind names the job.
func (RescueArgs) Kind() string { return "research_rescue" }

// rescuePeriodically is the schedule of [RescueArgs].
func rescuePeriodically(every time.Duration) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(every), func() (river.JobArgs, *river.InsertOpts) {
		return RescueArgs{}, &river.InsertOpts{MaxAttempts: 1} // the next round is another attempt
	}, nil)
}

// rescueWorker works [RescueArgs] jobs.
type rescueWorker struct {
	river.WorkerDefaults[RescueArgs]
	pool   *pgxpool.Pool
	schema string
	after  time.Duration // a job has run before it is asked about
}

// Work enqueues again the tasks whose job has been running for a while and whose
// lease has expired. The queue knows no tenants: it names the candidates, and each
// tenant's own rows decide.
func (w *rescueWorker) Work(ctx context.Context, _ *river.Job[RescueArgs]) error {
	q := river.ClientFromContext[pgx.Tx](ctx)
	held, err := w.held(ctx)
	if err != nil {
		return err
	}
	for _, args := range held {
		err := postgres.InTx(ctx, w.pool, args.Tenant, func(tx pgx.Tx) error {
			priority, err := queries.TaskLost(ctx, tx, &dbsqlc.TaskLostParams{TenantID: args.Tenant, ID: args.Task})
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			return Enqueue(ctx, tx, q, []Task{{ID: args.Task, Scope: obligations.Scope{Tenant: args.Tenant}, Order: Order{Priority: int(priority)}}})
		})
		if err != nil {
			return fmt.Errorf("rescue research task %s: %w", args.Task, err)
		}
	}
	return nil
}

// held returns the tasks whose jobs have been running for a while.
func (w *rescueWorker) held(ctx context.Context) ([]TaskArgs, error) {
	rows, err := w.pool.Query(ctx, `SELECT DISTINCT args->>'tenant', args->>'task' FROM `+pgx.Identifier{w.schema, "river_job"}.Sanitize()+
		` WHERE kind = $1 AND state = 'running' AND attempted_at < now() - make_interval(secs => $2)`, TaskArgs{}.Kind(), w.after.Seconds())
	if err != nil {
		return nil, fmt.Errorf("list running research jobs: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[TaskArgs])
	if err != nil {
		return nil, fmt.Errorf("list running research jobs: %w", err)
	}
	return list, nil
}

// Wake enqueues a tenant's tasks that wait because there was nothing to search, and
// returns their number. Call it when there is something.
func Wake(ctx context.Context, pool *pgxpool.Pool, q *Queue, tenant string) (int, error) {
	return wake(ctx, pool, q, tenant, NoSources)
}

// WakeDaily enqueues a tenant's tasks that wait because the daily limit of research
// was used up, and returns their number. Call it when the limit was raised.
func WakeDaily(ctx context.Context, pool *pgxpool.Pool, q *Queue, tenant string) (int, error) {
	return wake(ctx, pool, q, tenant, overBudget)
}

// wake enqueues a tenant's tasks that wait for the reason noted.
func wake(ctx context.Context, pool *pgxpool.Pool, q *Queue, tenant, note string) (int, error) {
	var tasks []Task
	err := postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.TaskWaiting(ctx, tx, &dbsqlc.TaskWaitingParams{TenantID: tenant, Note: &note})
		if err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
			tasks = append(tasks, Task{ID: r.ID, Scope: obligations.Scope{Tenant: tenant}, Order: Order{Priority: int(r.Priority)}})
		}
		if err := queries.TaskUnnote(ctx, tx, &dbsqlc.TaskUnnoteParams{TenantID: tenant, Ids: ids}); err != nil {
			return err
		}
		return Enqueue(ctx, tx, q, tasks)
	})
	if err != nil {
		return 0, fmt.Errorf("wake research tasks: %w", err)
	}
	return len(tasks), nil
}
