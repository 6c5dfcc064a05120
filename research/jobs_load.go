package research

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
)

// QueueLoad is how much work a queue holds and how long its jobs wait, for all
// tenants together.
type QueueLoad struct {
	Queue    string
	Waiting  int           // due, and not begun
	Running  int           //
	Retrying int           // failed, to be tried again
	Oldest   time.Duration // how long the one that waits longest is due
	Typical  time.Duration // half of the jobs begun in the last hour waited no longer
	Slow     time.Duration // 19 in 20 of them waited no longer
}

// Loads measures all queues, and returns the loads by queue name.
func Loads(ctx context.Context, db postgres.DB, q *Queue) (map[string]QueueLoad, error) {
	list, err := jobRows[struct {
		Queue                      string
		Waiting, Running, Retrying int
		Oldest, Typical, Slow      float64
	}](ctx, db, "measure queues", `SELECT queue, count(*) FILTER (WHERE state = 'available' AND scheduled_at <= now()), count(*) FILTER (WHERE state = 'running'), count(*) FILTER (WHERE state = 'retryable'),
    coalesce(extract(epoch FROM now() - min(scheduled_at) FILTER (WHERE state = 'available' AND scheduled_at <= now())), 0)::float8,
    coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM attempted_at - scheduled_at)) FILTER (WHERE attempted_at > now() - interval '1 hour'), 0)::float8,
    coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM attempted_at - scheduled_at)) FILTER (WHERE attempted_at > now() - interval '1 hour'), 0)::float8
FROM `+jobTable(q)+` GROUP BY queue`)
	out := map[string]QueueLoad{}
	for _, r := range list {
		out[r.Queue] = QueueLoad{r.Queue, r.Waiting, r.Running, r.Retrying, seconds(r.Oldest), seconds(r.Typical), seconds(r.Slow)}
	}
	return out, err
}

// seconds converts a number of seconds. A negative one, which clocks that differ
// can cause, counts as zero.
func seconds(s float64) time.Duration { return time.Duration(max(s, 0) * float64(time.Second)) }

// Hour is the number of jobs that ended within one hour, by how they ended.
type Hour struct {
	At                      time.Time // its beginning
	Done, Failed, Cancelled int
}

// Hours counts the jobs that ended in each of the last 24 hours, oldest first: those
// the tenant may see, or everybody's if the tenant is empty. Completed jobs are
// kept for a day only, so the oldest hour may be incomplete.
func Hours(ctx context.Context, db postgres.DB, q *Queue, tenant string) ([]Hour, error) {
	return jobRows[Hour](ctx, db, "count jobs by hour", `SELECT h.at, count(j.id) FILTER (WHERE j.state = 'completed'), count(j.id) FILTER (WHERE j.state = 'discarded'), count(j.id) FILTER (WHERE j.state = 'cancelled')
FROM generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), interval '1 hour') AS h (at)
LEFT JOIN `+jobTable(q)+` AS j ON j.state IN ('completed', 'discarded', 'cancelled') AND j.finalized_at >= h.at AND j.finalized_at < h.at + interval '1 hour'
    AND ($1 = '' OR j.args ->> 'tenant' = $1 OR NOT j.args ? 'tenant')
GROUP BY h.at
ORDER BY h.at`, tenant)
}

// JobRun is the latest run of a kind of job.
type JobRun struct {
	Kind  string
	At    time.Time // when it ended; of one that runs, when it began
	State JobState
}

// LastRuns returns the latest run of each of the server's own kinds of job, by kind.
func LastRuns(ctx context.Context, db postgres.DB, q *Queue) (map[string]JobRun, error) {
	list, err := jobRows[JobRun](ctx, db, "find last runs", `SELECT DISTINCT ON (kind) kind, coalesce(finalized_at, attempted_at), state::text
FROM `+jobTable(q)+`
WHERE NOT args ? 'tenant' AND attempted_at IS NOT NULL
ORDER BY kind, id DESC`)
	out := map[string]JobRun{}
	for _, r := range list {
		out[r.Kind] = r
	}
	return out, err
}

// LastFailure is a job whose latest attempt failed, with that failure.
type LastFailure struct {
	Job     int64
	Kind    string
	State   JobState
	Attempt int
	At      time.Time
	Error   string
}

// Troubles returns the latest failures of the last day, newest first, at most so
// many: of the tenant's jobs and, if server is set, of the server's own.
func Troubles(ctx context.Context, db postgres.DB, q *Queue, tenant string, server bool, most int) ([]LastFailure, error) {
	return jobRows[LastFailure](ctx, db, "list failures", `SELECT j.id, j.kind, j.state::text, coalesce((e.it ->> 'attempt')::integer, 0), (e.it ->> 'at')::timestamptz, coalesce(e.it ->> 'error', '')
FROM `+jobTable(q)+` AS j, LATERAL (SELECT to_jsonb(j.errors[array_upper(j.errors, 1)]) AS it) AS e
WHERE array_length(j.errors, 1) > 0 AND (j.args ->> 'tenant' = $1 OR $2 AND NOT j.args ? 'tenant') AND (e.it ->> 'at')::timestamptz > now() - interval '1 day'
ORDER BY 5 DESC
LIMIT $3`, tenant, server, most)
}

// jobTable is River's table of jobs, as a quoted identifier.
func jobTable(q *Queue) string { return pgx.Identifier{q.Schema(), "river_job"}.Sanitize() }

// jobRows reads rows of the queue's own tables, which have no tenant column and
// hence no row-level security.
func jobRows[R any](ctx context.Context, db postgres.DB, what, sql string, args ...any) ([]R, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[R])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return list, nil
}
