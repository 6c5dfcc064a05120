package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// Job is an entry of the queue as operators see it.
type Job struct {
	ID          int64
	Kind        string // such as "research_desk"
	Queue       string
	State       JobState
	Priority    int // 1 is the most urgent, 4 the least
	Attempt     int
	MaxAttempts int
	Tenant      string   // whose job it is; empty for one of the server itself
	Task        string   // research task it works on; may be empty
	Session     string   // session it works on; may be empty
	Args        []JobArg // what it was queued with, by name
	Failures    []JobFailure
	Created     time.Time
	Scheduled   time.Time // when it is due, or was
	Attempted   *time.Time
	Ended       *time.Time
	Worker      string // who works it, or did last; may be empty
}

// JobArg is one argument of a job. A value that is not a string is JSON.
type JobArg struct{ Name, Value string }

// Open reports whether the job has not ended yet.
func (j Job) Open() bool {
	return j.State != JobCompleted && j.State != JobCancelled && j.State != JobDiscarded
}

// JobFailure is one failed attempt at a job.
type JobFailure struct {
	Attempt int
	At      time.Time
	Error   string
}

// JobState is the state of a job.
type JobState string

// The states of a job. From pending, scheduled and retryable it becomes available,
// from available running, and from running any of the others.
const (
	JobAvailable JobState = "available"
	JobRunning   JobState = "running"
	JobRetryable JobState = "retryable" // failed, will be tried again
	JobScheduled JobState = "scheduled" // waits for its time
	JobPending   JobState = "pending"   // waits for other jobs
	JobDiscarded JobState = "discarded" // failed as often as it may
	JobCancelled JobState = "cancelled"
	JobCompleted JobState = "completed" // kept for a day
)

// JobStates lists the states, those that need attention first.
func JobStates() []JobState {
	return []JobState{JobRunning, JobAvailable, JobScheduled, JobRetryable, JobPending, JobDiscarded, JobCancelled, JobCompleted}
}

// JobsOf selects jobs by their owner.
type JobsOf string

// The owners to select by.
const (
	OfBoth   JobsOf = ""       // the tenant's and the server's own
	OfTenant JobsOf = "tenant" // the tenant's
	OfServer JobsOf = "server" // those that are nobody's
)

// JobFilter selects jobs. The tenant sees its own jobs and those of the server
// itself, which belong to nobody.
type JobFilter struct {
	Tenant string
	Of     JobsOf
	State  JobState // empty for any
	Kind   string   // empty for any
	Cursor string   // where the page before ended; empty for the newest
	Max    int      // zero means 50
	Ended  bool     // only those that are over, the one that ended last first; State must be empty or such a state
}

// seen is the condition for each choice of owner. Every condition mentions @tenant,
// since River refuses a named argument that is not used.
var seen = map[JobsOf]string{
	OfBoth:   `(args ->> 'tenant' = @tenant OR NOT args ? 'tenant')`,
	OfTenant: `args ->> 'tenant' = @tenant`,
	OfServer: `(@tenant::text IS NOT NULL AND NOT args ? 'tenant')`,
}

// Jobs returns a page of the jobs the tenant may see, newest first unless f asks
// for ended jobs, and the cursor of the next page, which is empty on the last. A
// malformed cursor is Invalid, and so is an unknown owner.
func Jobs(ctx context.Context, q *Queue, f JobFilter) (list []Job, next string, err error) {
	if seen[f.Of] == "" {
		return nil, "", fault.New(fault.Invalid, "must be tenant, server or empty, not %q", f.Of).At("of")
	}
	if f.Max == 0 {
		f.Max = 50
	}
	p := river.NewJobListParams().OrderBy(river.JobListOrderByID, river.SortOrderDesc).First(f.Max+1).Where(seen[f.Of], river.NamedArgs{"tenant": f.Tenant})
	if f.Ended {
		p = p.OrderBy(river.JobListOrderByFinalizedAt, river.SortOrderDesc).States(rivertype.JobStateCompleted, rivertype.JobStateDiscarded, rivertype.JobStateCancelled)
	}
	if f.State != "" {
		p = p.States(rivertype.JobState(f.State))
	}
	if f.Kind != "" {
		p = p.Kinds(f.Kind)
	}
	if f.Cursor != "" {
		var at river.JobListCursor
		if err := at.UnmarshalText([]byte(f.Cursor)); err != nil {
			return nil, "", fault.New(fault.Invalid, "is not a cursor of this list").At("cursor")
		}
		p = p.After(&at)
	}
	found, err := q.JobList(ctx, p)
	if err != nil {
		return nil, "", fmt.Errorf("list jobs: %w", err)
	}
	for _, row := range found.Jobs[:min(len(found.Jobs), f.Max)] {
		list = append(list, toJob(row))
	}
	if len(found.Jobs) > f.Max {
		next, err = cursorAfter(ctx, q, p.First(f.Max))
	}
	return list, next, err
}

// cursorAfter returns the cursor of the page that follows the one p selects.
func cursorAfter(ctx context.Context, q *Queue, p *river.JobListParams) (string, error) {
	page, err := q.JobList(ctx, p)
	if err != nil || page.LastCursor == nil {
		return "", err
	}
	text, err := page.LastCursor.MarshalText()
	return string(text), err
}

// FindJob returns a job the tenant may see; any other is NotFound.
func FindJob(ctx context.Context, q *Queue, tenant string, id int64) (Job, error) {
	row, err := q.JobGet(ctx, id)
	if err != nil && !errors.Is(err, rivertype.ErrNotFound) {
		return Job{}, fmt.Errorf("find job %d: %w", id, err)
	}
	if err == nil {
		if j := toJob(row); j.Tenant == "" || j.Tenant == tenant {
			return j, nil
		}
	}
	return Job{}, fault.New(fault.NotFound, "there is no such job").Coded("job_not_found")
}

// toJob converts a row of the queue.
func toJob(r *rivertype.JobRow) Job {
	j := Job{ID: r.ID, Kind: r.Kind, Queue: r.Queue, State: JobState(r.State), Priority: r.Priority, Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		Created: r.CreatedAt, Scheduled: r.ScheduledAt, Attempted: r.AttemptedAt, Ended: r.FinalizedAt}
	var args struct{ Tenant, Task, Session string }
	if json.Unmarshal(r.EncodedArgs, &args) == nil { // other kinds of arguments name nobody
		j.Tenant, j.Task, j.Session = args.Tenant, args.Task, args.Session
	}
	j.Args = argsOf(r.EncodedArgs)
	for _, e := range r.Errors {
		j.Failures = append(j.Failures, JobFailure{e.Attempt, e.At, e.Error})
	}
	if n := len(r.AttemptedBy); n > 0 {
		j.Worker = r.AttemptedBy[n-1]
	}
	return j
}

// argsOf lists the arguments of a job by name; none if they are not a JSON object.
func argsOf(raw []byte) []JobArg {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return nil
	}
	var out []JobArg
	for _, name := range slices.Sorted(maps.Keys(args)) {
		var text string
		if json.Unmarshal(args[name], &text) != nil {
			text = string(args[name])
		}
		out = append(out, JobArg{name, text})
	}
	return out
}

// RetryJob makes a job due now, whatever its state; a running job continues. A
// research task that is over stays over.
func RetryJob(ctx context.Context, q *Queue, id int64) error {
	_, err := q.JobRetry(ctx, id)
	return noJob(err, "retry", id)
}

// CancelJob ends a job: immediately if it is waiting; a running one is told to
// stop. The research task it was for ends with it, as no other job would take
// that task up.
func (o Commands) CancelJob(ctx context.Context, j Job, by string) error {
	if j.Kind == (TaskArgs{}).Kind() && j.Open() {
		_, err := o.Cancel(ctx, j.Tenant, j.Task, by)
		if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	_, err := o.Queue.JobCancel(ctx, j.ID)
	return noJob(err, "cancel", j.ID)
}

// noJob wraps an error of the queue about a job; a missing job is NotFound.
func noJob(err error, did string, id int64) error {
	switch {
	case errors.Is(err, rivertype.ErrNotFound):
		return fault.New(fault.NotFound, "there is no such job").Coded("job_not_found")
	case err != nil:
		return fmt.Errorf("%s job %d: %w", did, id, err)
	}
	return nil
}

// QueueState is a queue and whether it is paused.
type QueueState struct {
	Name   string
	Paused *time.Time // since when nothing of it is begun; nil when it runs
	Seen   time.Time  // when a worker last said that it works it
}

// maxLanes bounds the number of queues listed.
const maxLanes = 100

// Lanes lists the queues by name. The exported functions call a queue a lane,
// because [Queue] is the client of all of them.
func Lanes(ctx context.Context, q *Queue) ([]QueueState, error) {
	found, err := q.QueueList(ctx, river.NewQueueListParams().First(maxLanes))
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	var out []QueueState
	for _, r := range found.Queues {
		out = append(out, QueueState{r.Name, r.PausedAt, r.UpdatedAt})
	}
	return out, nil
}

// Pause keeps the jobs of a queue from starting, on all servers and for all
// tenants, until [Resume]. Running jobs continue.
func Pause(ctx context.Context, q *Queue, lane string) error {
	return noLane(q.QueuePause(ctx, lane, nil), "pause", lane)
}

// Resume lets the jobs of a queue start again.
func Resume(ctx context.Context, q *Queue, lane string) error {
	return noLane(q.QueueResume(ctx, lane, nil), "resume", lane)
}

// noLane wraps an error about a queue; a missing queue is NotFound.
func noLane(err error, did, lane string) error {
	switch {
	case errors.Is(err, rivertype.ErrNotFound):
		return fault.New(fault.NotFound, "there is no such queue").Coded("queue_not_found")
	case err != nil:
		return fmt.Errorf("%s queue %q: %w", did, lane, err)
	}
	return nil
}

// JobTally is the number of jobs of one kind in one state.
type JobTally struct {
	Kind  string
	State JobState
	Count int
}

// TallyJobs counts jobs by kind and state: those the tenant may see, or everybody's
// if the tenant is empty.
func TallyJobs(ctx context.Context, db postgres.DB, q *Queue, tenant string) ([]JobTally, error) {
	rows, err := db.Query(ctx, `SELECT kind, state::text, count(*) FROM `+jobTable(q)+
		` WHERE $1 = '' OR args ->> 'tenant' = $1 OR NOT args ? 'tenant' GROUP BY kind, state ORDER BY kind, state`, tenant)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[JobTally])
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return list, nil
}

// Leader is the worker elected to do what is done once for all servers, such as
// queueing periodic jobs.
type Leader struct {
	ID      string
	Since   time.Time
	Expires time.Time // unless it says again that it is there
}

// FindLeader returns the current leader, or nil when there is none.
func FindLeader(ctx context.Context, db postgres.DB, q *Queue) (*Leader, error) {
	rows, err := db.Query(ctx, `SELECT leader_id, elected_at, expires_at FROM `+pgx.Identifier{q.Schema(), "river_leader"}.Sanitize()+` WHERE expires_at > now()`)
	if err != nil {
		return nil, fmt.Errorf("find leader: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[Leader])
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}
