-- name: SessionInsert :exec
-- A new session.
INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id)
VALUES (@tenant_id, @id, @objective_id, @context_type, @user_id);

-- name: HeadInsert :exec
-- The head of a new sessions log.
INSERT INTO session_heads (tenant_id, session_id)
VALUES (@tenant_id, @session_id);

-- name: SessionFind :one
-- One session.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND id = @id;

-- name: SessionLock :one
-- The session row, locked until the callers transaction ends.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND id = @id
FOR UPDATE;

-- name: SessionActive :one
-- The persons latest session of a context that still takes turns.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND user_id = @user_id AND context_type = @context_type AND status = 'active'
ORDER BY created_at DESC
LIMIT 1;

-- name: SessionNone :exec
-- Stops the transaction if the person has a session of a context that still takes turns.
SELECT settled(CASE WHEN EXISTS (
    SELECT FROM elicitation_sessions
    WHERE tenant_id = @tenant_id AND user_id = @user_id AND context_type = @context_type AND status = 'active') THEN 0 ELSE 1 END, 1);

-- name: SessionPageOf :many
-- Sessions a person began or takes part in, newest first, after the cursor.
WITH theirs AS (
    SELECT e.id
    FROM elicitation_sessions AS e
    WHERE e.tenant_id = @tenant_id AND e.user_id = @user_id
    UNION
    SELECT p.session_id
    FROM session_participants AS p
    WHERE p.tenant_id = @tenant_id AND p.user_id = @user_id AND p.left_at IS NULL
)
SELECT s.*
FROM theirs
JOIN elicitation_sessions AS s ON s.tenant_id = @tenant_id AND s.id = theirs.id
WHERE (sqlc.narg('context_type')::text IS NULL OR s.context_type = sqlc.narg('context_type'))
    AND (sqlc.narg('status')::text IS NULL OR s.status = sqlc.narg('status'))
    AND (s.created_at, s.id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY s.created_at DESC, s.id DESC
LIMIT @max;

-- name: SessionPage :many
-- Sessions of a tenant, newest first, after the cursor.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id
    AND (sqlc.narg('context_type')::text IS NULL OR context_type = sqlc.narg('context_type'))
    AND (sqlc.narg('status')::text IS NULL OR status = sqlc.narg('status'))
    AND created_at <= @before_at::timestamptz AND (created_at, id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @max;

-- name: SessionSave :exec
-- A sessions state after a change that was no turn; the caller holds its lock.
UPDATE elicitation_sessions
SET version = version + 1, updated_at = now(), status = @status::text, session_phase = @session_phase, completeness_score = @completeness_score,
    progress = @progress, stop_reason = @stop_reason, question = @question, working_memory_snapshot = @working_memory_snapshot,
    completed_at = CASE WHEN @status::text = 'completed' THEN now() END
WHERE tenant_id = @tenant_id AND id = @id;

-- name: CreateLock :exec
-- Keeps two first messages of one person (tenant, person, context in one text) from making two sessions.
SELECT pg_advisory_xact_lock(hashtextextended(@who::text, 0));
