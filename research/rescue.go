package research

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/lease"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// RescueArgs is the job that finds tasks whose worker died.
type RescueArgs struct{}

// Kind names the job.
func (RescueArgs) Kind() string { return "research_rescue" }

// rescuer returns the worker of [RescueArgs], which enqueues a task again when its
// job has been running for a while and its lease has expired.
func rescuer(pool *pgxpool.Pool, schema string, leased time.Duration) *lease.Rescuer[RescueArgs, TaskArgs] {
	return &lease.Rescuer[RescueArgs, TaskArgs]{Pool: pool, Schema: schema, After: leased / 4, Rescue: func(ctx context.Context, q *Queue, job TaskArgs) error {
		return postgres.InTx(ctx, pool, job.Tenant, func(tx pgx.Tx) error {
			priority, err := queries.TaskLost(ctx, tx, &dbsqlc.TaskLostParams{TenantID: job.Tenant, ID: job.Task})
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			return Enqueue(ctx, tx, q, []Task{{ID: job.Task, Scope: obligations.Scope{Tenant: job.Tenant}, Order: Order{Priority: int(priority)}}})
		})
	}}
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
