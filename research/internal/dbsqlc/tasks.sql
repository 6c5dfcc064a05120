-- name: TaskInsert :one
-- A task, unless one for the same obligation is open already.
INSERT INTO discovery_research_tasks (tenant_id, id, session_id, obligation_key, task_type, trigger, query, priority, turn, note)
VALUES (@tenant_id, @id, @session_id, @obligation_key, @task_type, @trigger, @query, @priority, @turn, @note)
ON CONFLICT DO NOTHING
RETURNING id;

-- name: TaskList :many
-- A sessions tasks, oldest first.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at, id
LIMIT 500;

-- name: TaskKeys :many
-- What a session has had researched, whatever came of it, so that nothing is queued twice.
SELECT coalesce(obligation_key, '')::text AS obligation_key, trigger
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at
LIMIT 500;

-- name: TaskFind :one
-- One task.
SELECT *
FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TaskNote :exec
-- Says why a task waits.
UPDATE discovery_research_tasks
SET note = @note
WHERE tenant_id = @tenant_id AND id = @id AND status = 'pending';
