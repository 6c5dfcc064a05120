-- name: SessionInsert :exec
-- Inserts a session.
INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id, language, language_source)
VALUES (@tenant_id, @id, @objective_id, @context_type, @user_id, @language, @language_source);

-- name: HeadInsert :exec
-- Inserts the head of the log of a new session.
INSERT INTO session_heads (tenant_id, session_id)
VALUES (@tenant_id, @session_id);

-- name: SessionFind :one
-- One session.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND id = @id;

-- name: SessionLock :one
-- The session row, locked until the transaction of the caller ends.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND id = @id
FOR UPDATE;

-- name: SessionActive :one
-- The latest session of a person in a context that still accepts turns.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND user_id = @user_id AND context_type = @context_type AND status = 'active'
ORDER BY created_at DESC
LIMIT 1;

-- name: SessionNone :exec
-- Aborts the transaction if the person has a session of a context that still accepts turns.
SELECT settled(CASE WHEN EXISTS (
    SELECT FROM elicitation_sessions
    WHERE tenant_id = @tenant_id AND user_id = @user_id AND context_type = @context_type AND status = 'active') THEN 0 ELSE 1 END, 1);

-- name: SessionPageOf :many
-- A page of the sessions that a person began or takes part in, after the cursor, newest first.
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
    AND (NOT @handover::boolean OR s.handover_at IS NOT NULL)
    AND (s.created_at, s.id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY s.created_at DESC, s.id DESC
LIMIT @max;

-- name: SessionPage :many
-- A page of the sessions of a tenant after the cursor, newest first.
SELECT *
FROM elicitation_sessions
WHERE tenant_id = @tenant_id
    AND (sqlc.narg('context_type')::text IS NULL OR context_type = sqlc.narg('context_type'))
    AND (sqlc.narg('status')::text IS NULL OR status = sqlc.narg('status'))
    AND (NOT @handover::boolean OR handover_at IS NOT NULL)
    AND created_at <= @before_at::timestamptz AND (created_at, id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @max;

-- name: SessionSave :exec
-- Stores the state of a session after a change other than a turn. The caller holds its lock.
UPDATE elicitation_sessions
SET version = version + 1, updated_at = now(), status = @status::text, session_phase = @session_phase, completeness_score = @completeness_score,
    progress = @progress, stop_reason = @stop_reason, question = @question, working_memory_snapshot = @working_memory_snapshot,
    completed_at = CASE WHEN @status::text = 'completed' THEN coalesce(completed_at, now()) END
WHERE tenant_id = @tenant_id AND id = @id;

-- name: CreateLock :exec
-- Keeps two concurrent first messages of one person (tenant, person, context in one text) from making two sessions.
SELECT pg_advisory_xact_lock(hashtextextended(@who::text, 0));

-- name: HandoverAsk :exec
-- Marks a session whose person asks for a human being in a turn, unless a wish is open already.
UPDATE elicitation_sessions
SET handover_turn = @turn::integer, handover_at = now()
WHERE tenant_id = @tenant_id AND id = @id AND handover_at IS NULL;

-- name: HandoverDone :execrows
-- Clears the mark. No row means that there was none.
UPDATE elicitation_sessions
SET handover_turn = NULL, handover_at = NULL
WHERE tenant_id = @tenant_id AND id = @id AND handover_at IS NOT NULL;
