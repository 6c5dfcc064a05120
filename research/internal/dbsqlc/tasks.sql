-- name: TaskInsert :one
-- Inserts a task, unless one for the same obligation is open or the same request made one before.
INSERT INTO discovery_research_tasks (tenant_id, id, session_id, obligation_key, task_type, trigger, query, priority, turn, note, user_id, request_id,
    warehouse_id, project_id, asker)
VALUES (@tenant_id, @id, sqlc.narg(session_id)::uuid, @obligation_key, @task_type, @trigger, @query, @priority, @turn, @note, @user_id, @request_id,
    sqlc.narg(warehouse_id)::uuid, sqlc.narg(project_id)::uuid, @asker)
ON CONFLICT DO NOTHING
RETURNING id;

-- name: TaskList :many
-- The tasks of a session, oldest first.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at, id
LIMIT 500;

-- name: TaskPage :many
-- A page of the tasks of a tenant after the cursor, newest first: those of one person, or of everybody when none is given.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND (created_at, id) < (@before_at::timestamptz, @before_id::uuid) AND (@user_id::text = '' OR user_id = @user_id::text)
    AND (@status::text = '' OR status = @status::text)
ORDER BY created_at DESC, id DESC
LIMIT @most;

-- name: TaskBriefs :many
-- What a conversation needs to know of all research of its session, whatever its status.
SELECT id, coalesce(obligation_key, '')::text AS obligation_key, task_type, trigger, query, status, coalesce(note, '')::text AS note, coalesce(outcome, '')::text AS outcome,
    coalesce(summary, '')::text AS summary, coalesce(told, 0)::integer AS told, turn, coalesce(warehouse_id::text, '')::text AS warehouse_id, proposal,
    coalesce(jsonb_path_query_array(steering, '$[*] ? (@.disputes == true)') -> -1 ->> 'text', '')::text AS disputed
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at
LIMIT 500;

-- name: TaskTold :exec
-- Records that the person was told the outcome of these tasks.
UPDATE discovery_research_tasks
SET told = @turn
WHERE tenant_id = @tenant_id AND session_id = @session_id AND id = ANY (@ids::uuid[]) AND told IS NULL;

-- name: TaskDisputed :exec
-- Adds what somebody said against the outcome of a task that is over.
UPDATE discovery_research_tasks
SET steering = steering || @steering::jsonb
WHERE tenant_id = @tenant_id AND session_id = @session_id AND id = @id AND status = 'completed' AND jsonb_array_length(steering) < 20;

-- name: TaskAnsweredBy :exec
-- Records which warehouse answered a task that named none.
UPDATE discovery_research_tasks
SET warehouse_id = @warehouse_id
WHERE tenant_id = @tenant_id AND id = @id AND warehouse_id IS NULL;

-- name: TaskFind :one
-- One task.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskByRequest :one
-- The task that a request of a person made.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND user_id = @user_id AND request_id = @request_id;

-- name: TaskTake :one
-- Gives the caller a task that no worker holds, under the next attempt. No row means that it is held or over.
UPDATE discovery_research_tasks
SET status = 'running', attempt = attempt + 1, lease_until = now() + make_interval(secs => @lease_seconds), started_at = coalesce(started_at, now()), note = NULL
WHERE tenant_id = @tenant_id AND id = @id AND (status = 'pending' OR (status = 'running' AND (lease_until IS NULL OR lease_until < now())))
RETURNING *;

-- name: TaskBeat :one
-- Extends the lease of the worker of an attempt and returns the revision, which tells whether the task was steered. No row means that the task no
-- longer belongs to it.
UPDATE discovery_research_tasks
SET lease_until = now() + make_interval(secs => @lease_seconds)
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running'
RETURNING revision;

-- name: TaskRelease :exec
-- Ends the lease of the worker of an attempt, with a note that gives the reason. The task stays running.
UPDATE discovery_research_tasks
SET lease_until = NULL, note = @note
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running';

-- name: TaskWait :exec
-- Returns a task from the worker of an attempt to the queue, with a note that gives the reason.
UPDATE discovery_research_tasks
SET status = 'pending', lease_until = NULL, note = @note, started_at = CASE WHEN step IS NULL THEN NULL ELSE started_at END
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running';

-- name: TaskFence :one
-- Locks a task for the worker of an attempt. No row means that the task no longer belongs to it.
SELECT revision
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running'
FOR UPDATE;

-- name: TaskStep :exec
-- Records that a step of a task is done, with its plan if there is a new one, and extends the lease.
UPDATE discovery_research_tasks
SET step = @step, plan = coalesce(sqlc.narg(plan)::jsonb, plan), lease_until = now() + make_interval(secs => @lease_seconds)
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskDone :exec
-- Completes a task with its result.
UPDATE discovery_research_tasks
SET status = 'completed', step = 'propose', outcome = @outcome, summary = @summary, proposal = sqlc.narg(proposal)::jsonb, result = @result, completed_at = now(),
    lease_until = NULL, note = NULL
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskRun :exec
-- Records the run of a discovery.
UPDATE discovery_research_tasks
SET run_id = @run_id
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskFail :exec
-- Marks an open task as failed, with a message for people.
UPDATE discovery_research_tasks
SET status = 'failed', error_message = @error_message, completed_at = now(), lease_until = NULL, note = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'running');

-- name: TaskCancel :one
-- Cancels an open task. No row means that it is over.
UPDATE discovery_research_tasks
SET status = 'cancelled', note = @note, completed_at = now(), lease_until = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'running')
RETURNING id;

-- name: TaskSteer :one
-- Adds steering to an open task, whose plan is then made again. No row means that the task is over or was steered 20 times.
UPDATE discovery_research_tasks
SET steering = steering || @steering::jsonb, revision = revision + 1, step = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'running') AND jsonb_array_length(steering) < 20
RETURNING id;

-- name: TaskLost :one
-- Ends the lease of a running task if it has expired, and returns the task's priority; also that of a
-- task which no worker has taken though it waits for nothing else. No row means that it is neither.
UPDATE discovery_research_tasks
SET lease_until = NULL
WHERE tenant_id = @tenant_id AND id = @id
    AND (status = 'running' AND (lease_until IS NULL OR lease_until < now()) OR status = 'pending' AND coalesce(note, '') NOT LIKE 'waiting:%')
RETURNING priority;

-- name: TaskWaiting :many
-- The pending tasks that wait for the given reason, oldest first. It is called when the reason is over.
SELECT id, priority
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND status = 'pending' AND note = @note
ORDER BY created_at
LIMIT 1000;

-- name: TaskUnnote :exec
-- Clears the reason why pending tasks wait.
UPDATE discovery_research_tasks
SET note = NULL
WHERE tenant_id = @tenant_id AND id = ANY (@ids::uuid[]) AND status = 'pending';

-- name: TasksLock :exec
-- Keeps other tasks of a tenant from being put back until the transaction ends, because whether one may begin depends on all of them.
SELECT id
FROM tenants
WHERE id = @tenant_id
FOR NO KEY UPDATE;

-- name: TaskStarted :one
-- The number of other tasks of a tenant that began recently, and when the oldest of them did.
SELECT count(*)::integer AS begun, coalesce(min(started_at), now())::timestamptz AS oldest
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id <> @id AND started_at > now() - make_interval(secs => @within_seconds);

-- name: TaskCounts :one
-- The numbers of sources that a task has read and of claims that it has made.
SELECT (SELECT count(*) FROM research_sources AS s WHERE s.tenant_id = @tenant_id AND s.task_id = @task_id AND s.state = 'read')::integer AS sources,
    (SELECT count(*) FROM research_claims AS c WHERE c.tenant_id = @tenant_id AND c.task_id = @task_id)::integer AS claims;

-- name: TaskTally :one
-- The numbers of tasks of a tenant by status.
SELECT count(*) FILTER (WHERE status = 'pending')::integer AS pending, count(*) FILTER (WHERE status = 'running')::integer AS running,
    count(*) FILTER (WHERE status = 'completed')::integer AS completed, count(*) FILTER (WHERE status = 'failed')::integer AS failed,
    count(*) FILTER (WHERE status = 'cancelled')::integer AS cancelled
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id;

-- name: TaskWaitingTally :many
-- The pending tasks of a tenant by the reason why they wait, most frequent first.
SELECT note::text AS note, count(*)::integer AS tasks
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND status = 'pending' AND note <> ''
GROUP BY note
ORDER BY count(*) DESC, note
LIMIT 20;

-- name: DocumentTally :many
-- The documents of a tenant by state.
SELECT state, count(*)::integer AS documents
FROM research_documents
WHERE tenant_id = @tenant_id
GROUP BY state;
