-- name: TaskInsert :one
-- A task, unless one for the same obligation is open already or the same request was made before.
INSERT INTO discovery_research_tasks (tenant_id, id, session_id, obligation_key, task_type, trigger, query, priority, turn, note, user_id, request_id)
VALUES (@tenant_id, @id, sqlc.narg(session_id)::uuid, @obligation_key, @task_type, @trigger, @query, @priority, @turn, @note, @user_id, @request_id)
ON CONFLICT DO NOTHING
RETURNING id;

-- name: TaskList :many
-- A sessions tasks, oldest first.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at, id
LIMIT 500;

-- name: TaskPage :many
-- A tenants tasks, newest first, after the cursor; those of one person, or everybodys when none is named.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND (created_at, id) < (@before_at::timestamptz, @before_id::uuid) AND (@user_id::text = '' OR user_id = @user_id::text)
    AND (@status::text = '' OR status = @status::text)
ORDER BY created_at DESC, id DESC
LIMIT @most;

-- name: TaskBriefs :many
-- What a conversation needs to know of the research its session has had, whatever came of it.
SELECT id, coalesce(obligation_key, '')::text AS obligation_key, task_type, trigger, query, status, coalesce(note, '')::text AS note, coalesce(outcome, '')::text AS outcome,
    coalesce(summary, '')::text AS summary, coalesce(told, 0)::integer AS told, turn
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at
LIMIT 500;

-- name: TaskTold :exec
-- The person was told what came of these tasks.
UPDATE discovery_research_tasks
SET told = @turn
WHERE tenant_id = @tenant_id AND session_id = @session_id AND id = ANY (@ids::uuid[]) AND told IS NULL;

-- name: TaskFind :one
-- One task.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskByRequest :one
-- The task that a persons request made.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND user_id = @user_id AND request_id = @request_id;

-- name: TaskTake :one
-- Makes a task that nobody works the callers, under the next attempt.
UPDATE discovery_research_tasks
SET status = 'running', attempt = attempt + 1, lease_until = now() + make_interval(secs => @lease_seconds), started_at = coalesce(started_at, now()), note = NULL
WHERE tenant_id = @tenant_id AND id = @id AND (status = 'pending' OR (status = 'running' AND (lease_until IS NULL OR lease_until < now())))
RETURNING *;

-- name: TaskBeat :one
-- The worker of an attempt is alive; its answer tells whether the task was steered meanwhile. No row means that it is not that workers any more.
UPDATE discovery_research_tasks
SET lease_until = now() + make_interval(secs => @lease_seconds)
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running'
RETURNING revision;

-- name: TaskRelease :exec
-- The worker of an attempt gives the task back, with a word why.
UPDATE discovery_research_tasks
SET lease_until = NULL, note = @note
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running';

-- name: TaskWait :exec
-- The worker of an attempt puts the task back where it was, with a word why.
UPDATE discovery_research_tasks
SET status = 'pending', lease_until = NULL, note = @note, started_at = CASE WHEN step IS NULL THEN NULL ELSE started_at END
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running';

-- name: TaskFence :one
-- Locks a task for the worker of an attempt; no row when it is not that workers any more.
SELECT revision
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running'
FOR UPDATE;

-- name: TaskStep :exec
-- A step is done.
UPDATE discovery_research_tasks
SET step = @step, plan = coalesce(sqlc.narg(plan)::jsonb, plan), lease_until = now() + make_interval(secs => @lease_seconds)
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskDone :exec
-- What came of a task.
UPDATE discovery_research_tasks
SET status = 'completed', step = 'propose', outcome = @outcome, summary = @summary, proposal = sqlc.narg(proposal)::jsonb, result = @result, completed_at = now(),
    lease_until = NULL, note = NULL
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskFail :exec
-- A task that cannot be done, in words.
UPDATE discovery_research_tasks
SET status = 'failed', error_message = @error_message, completed_at = now(), lease_until = NULL, note = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'running');

-- name: TaskCancel :one
-- Nobody wants it any more.
UPDATE discovery_research_tasks
SET status = 'cancelled', note = @note, completed_at = now(), lease_until = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'running')
RETURNING id;

-- name: TaskSteer :one
-- Where to look, said while a task is open. What was planned before is planned again.
UPDATE discovery_research_tasks
SET steering = steering || @steering::jsonb, revision = revision + 1, step = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'running') AND jsonb_array_length(steering) < 20
RETURNING id;

-- name: TaskLost :one
-- Marks a task whose worker was not heard of in time as nobodys; no row when it is not lost.
UPDATE discovery_research_tasks
SET lease_until = NULL
WHERE tenant_id = @tenant_id AND id = @id AND status = 'running' AND lease_until < now()
RETURNING priority;

-- name: TaskWaiting :many
-- Tasks that wait for a reason that is over.
SELECT id, priority
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND status = 'pending' AND note = @note
ORDER BY created_at
LIMIT 1000;

-- name: TaskUnnote :exec
-- They wait no longer.
UPDATE discovery_research_tasks
SET note = NULL
WHERE tenant_id = @tenant_id AND id = ANY (@ids::uuid[]) AND status = 'pending';

-- name: TaskStarted :one
-- How many of a tenants tasks were begun lately, this one not counted, and when the oldest of them was.
SELECT count(*)::integer AS begun, coalesce(min(started_at), now())::timestamptz AS oldest
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id <> @id AND started_at > now() - make_interval(secs => @within_seconds);

-- name: TaskCounts :one
-- How much a task has read and found.
SELECT (SELECT count(*) FROM research_sources AS s WHERE s.tenant_id = @tenant_id AND s.task_id = @task_id AND s.state = 'read')::integer AS sources,
    (SELECT count(*) FROM research_claims AS c WHERE c.tenant_id = @tenant_id AND c.task_id = @task_id)::integer AS claims;

-- name: TaskTally :one
-- A tenants tasks by where they stand.
SELECT count(*) FILTER (WHERE status = 'pending')::integer AS pending, count(*) FILTER (WHERE status = 'running')::integer AS running,
    count(*) FILTER (WHERE status = 'completed')::integer AS completed, count(*) FILTER (WHERE status = 'failed')::integer AS failed,
    count(*) FILTER (WHERE status = 'cancelled')::integer AS cancelled
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id;

-- name: TaskWaitingTally :many
-- A tenants queued tasks by why they wait, the most frequent reasons first.
SELECT note::text AS note, count(*)::integer AS tasks
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND status = 'pending' AND note <> ''
GROUP BY note
ORDER BY count(*) DESC, note
LIMIT 20;

-- name: DocumentTally :many
-- A tenants documents by state.
SELECT state, count(*)::integer AS documents
FROM research_documents
WHERE tenant_id = @tenant_id
GROUP BY state;
