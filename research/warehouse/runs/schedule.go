package runs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/internal/lease"
	"quaestor/research/warehouse/projects"
)

// ScheduleEvery is how often schedules are looked at. A run begins at most so much later than it is
// due.
const ScheduleEvery = 20 * time.Second

// ScheduledBy stands for the person who orders a run that a schedule begins.
const ScheduledBy = "schedule"

// ScheduleArgs is the job that begins the runs that are due.
type ScheduleArgs struct{}

// Kind names the job.
func (ScheduleArgs) Kind() string { return "warehouse_schedule" }

// SchedulePeriodically returns the schedule of [ScheduleArgs]: one job a round, however many servers run.
func SchedulePeriodically() *river.PeriodicJob {
	return lease.Periodically[ScheduleArgs](ScheduleEvery)
}

// Scheduler begins the runs that the schedules of projects ask for. The row of a schedule is locked
// while its run is ordered, and the next time is stored with it, so that a time that is due makes one
// run whichever server looks, and several times that have passed make one run as well.
type Scheduler struct {
	Pool     *pgxpool.Pool
	Hub      *Hub
	Projects projects.Store
	Tenants  func(ctx context.Context) ([]string, error)
	Log      *slog.Logger
	Now      func() time.Time // nil means time.Now
}

// Workers registers the worker of [ScheduleArgs].
func (s *Scheduler) Workers(w *river.Workers) error {
	return river.AddWorkerSafely(w, river.WorkFunc(func(ctx context.Context, _ *river.Job[ScheduleArgs]) error {
		return s.Begin(ctx, river.ClientFromContext[pgx.Tx](ctx))
	}))
}

// Begin begins all runs that are due, tenant by tenant. A tenant whose schedules cannot be read does not
// keep the others from theirs.
func (s *Scheduler) Begin(ctx context.Context, q *river.Client[pgx.Tx]) error {
	tenants, err := s.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("tenants with schedules: %w", err)
	}
	var failed error
	for _, tenant := range tenants {
		for more := true; more && ctx.Err() == nil; {
			more, err = s.next(ctx, q, tenant)
			if err != nil {
				failed, more = errors.Join(failed, err), false
			}
		}
	}
	return failed
}

// next begins a run of a tenant that is due, and reports whether there was one.
func (s *Scheduler) next(ctx context.Context, q *river.Client[pgx.Tx], tenant string) (bool, error) {
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	made := ""
	found, err := s.Projects.Due(ctx, tenant, now(), func(tx pgx.Tx, d projects.Schedule) (run, why string, err error) {
		made, why, err = s.order(ctx, tx, q, tenant, d)
		return made, why, err
	})
	if err == nil && made != "" {
		s.Hub.publish(made, 1)
		s.Log.InfoContext(ctx, "a scheduled run begins", "tenant", tenant, "run", made)
	}
	return found, err
}

// order orders the run of a schedule. Without one it says why there is none.
func (s *Scheduler) order(ctx context.Context, tx pgx.Tx, q *river.Client[pgx.Tx], tenant string, d projects.Schedule) (run, why string, err error) {
	if _, err := s.Projects.Explorable(ctx, tenant, d.Project, nil); err != nil {
		var f *fault.Error
		if errors.As(err, &f) {
			return "", "No run was begun: " + f.Message + ".", nil
		}
		return "", "", err
	}
	before, err := List(ctx, s.Pool, tenant, Filter{Project: d.Project, Statuses: []Status{Pending, Running, Paused, Interrupted}, Max: 1})
	if err != nil {
		return "", "", err
	}
	if len(before) > 0 {
		return "", "No run was begun, because the one before was not over.", nil
	}
	o, err := Order{Project: d.Project, Warehouse: d.Warehouse, MaxSteps: d.MaxSteps, MinSteps: d.MinSteps, By: ScheduledBy, Request: d.Project + " " + d.Next.UTC().Format(time.RFC3339)}.tidy()
	if err != nil {
		return "", "", err
	}
	id, err := o.begin(ctx, tx, q, tenant)
	if errors.Is(err, pgx.ErrNoRows) {
		if d.Warehouse == "" {
			return "", "No run was begun, because it was begun before.", nil
		}
		return "", "No run was begun: the project does not explore the warehouse of the schedule any more.", nil
	}
	return id, "", err
}
