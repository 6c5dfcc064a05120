-- name: DueCount :one
-- The numbers of sessions and research tasks of a tenant that are past their retention, and of those that are held. DueTake and ResearchForget select
-- the same, without those that are held.
SELECT count(*) FILTER (WHERE d.rule = 'finished' AND NOT d.held)::integer AS finished, count(*) FILTER (WHERE d.rule = 'idle' AND NOT d.held)::integer AS idle,
    count(*) FILTER (WHERE d.held)::integer AS held,
    (SELECT count(*)
    FROM discovery_research_tasks AS r
    WHERE r.tenant_id = @tenant_id AND r.session_id IS NULL AND r.status IN ('completed', 'failed', 'cancelled')
        AND @finished_days::integer > 0 AND r.created_at < now() - make_interval(days => @finished_days::integer))::integer AS research
FROM (
    SELECT retention_rule(s.status, s.stop_reason, s.updated_at, @finished_days::integer, @idle_days::integer) AS rule,
        EXISTS (SELECT FROM session_holds AS h WHERE h.tenant_id = @tenant_id AND h.session_id = s.id) AS held
    FROM elicitation_sessions AS s
    WHERE s.tenant_id = @tenant_id AND NOT EXISTS (SELECT FROM turns AS t WHERE t.tenant_id = @tenant_id AND t.session_id = s.id AND t.status = 'running')
) AS d
WHERE d.rule IS NOT NULL;

-- name: DueTake :many
-- Sessions of a tenant that are past their retention, oldest first, locked until the transaction ends. Sessions that others have locked are left out.
SELECT s.id, retention_rule(s.status, s.stop_reason, s.updated_at, @finished_days::integer, @idle_days::integer)::text AS rule
FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id AND retention_rule(s.status, s.stop_reason, s.updated_at, @finished_days::integer, @idle_days::integer) IS NOT NULL
    AND NOT EXISTS (SELECT FROM session_holds AS h WHERE h.tenant_id = @tenant_id AND h.session_id = s.id)
    AND NOT EXISTS (SELECT FROM turns AS t WHERE t.tenant_id = @tenant_id AND t.session_id = s.id AND t.status = 'running')
ORDER BY s.updated_at, s.id
LIMIT @max
FOR UPDATE OF s SKIP LOCKED;

-- name: SessionsDelete :many
-- Deletes sessions with everything that refers to them, except those with a running turn, and returns which were deleted.
DELETE FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id AND s.id = ANY (@ids::uuid[])
    AND NOT EXISTS (SELECT FROM turns AS t WHERE t.tenant_id = @tenant_id AND t.session_id = s.id AND t.status = 'running')
RETURNING s.id;

-- name: ResearchForget :many
-- Deletes research that was requested outside of interviews and is past its retention.
DELETE FROM discovery_research_tasks AS d
WHERE d.tenant_id = @tenant_id AND d.id IN (
    SELECT r.id
    FROM discovery_research_tasks AS r
    WHERE r.tenant_id = @tenant_id AND r.session_id IS NULL AND r.status IN ('completed', 'failed', 'cancelled')
        AND @finished_days::integer > 0 AND r.created_at < now() - make_interval(days => @finished_days::integer)
    ORDER BY r.created_at, r.id
    LIMIT @max
    FOR UPDATE SKIP LOCKED)
RETURNING d.id;

-- name: RecordingsForget :many
-- Deletes recordings that are past their retention, or all when no recording is to be kept, except those of sessions that are held.
DELETE FROM message_recordings AS d
WHERE d.tenant_id = @tenant_id AND (d.session_id, d.turn) IN (
    SELECT r.session_id, r.turn
    FROM message_recordings AS r
    WHERE r.tenant_id = @tenant_id AND r.created_at < now() - make_interval(days => @days::integer)
        AND NOT EXISTS (SELECT FROM session_holds AS h WHERE h.tenant_id = @tenant_id AND h.session_id = r.session_id)
    ORDER BY r.created_at
    LIMIT @max)
RETURNING d.turn;

-- name: AlertsForget :execrows
-- Deletes alerts that were read longer ago than they are kept.
DELETE FROM warehouse_alerts AS d
WHERE d.tenant_id = @tenant_id AND d.id IN (
    SELECT a.id
    FROM warehouse_alerts AS a
    WHERE a.tenant_id = @tenant_id AND @days::integer > 0 AND a.read_at < now() - make_interval(days => @days::integer)
    ORDER BY a.read_at
    LIMIT @max
    FOR UPDATE SKIP LOCKED);

-- name: HoldPut :exec
-- Exempts a session from deletion.
INSERT INTO session_holds (tenant_id, session_id, reason, held_by)
VALUES (@tenant_id, @session_id, @reason, @held_by)
ON CONFLICT (tenant_id, session_id) DO UPDATE SET reason = excluded.reason, held_by = excluded.held_by, held_at = now();

-- name: HoldEnd :many
-- Ends the exemption of a session from deletion. No row means that it was not held.
DELETE FROM session_holds
WHERE tenant_id = @tenant_id AND session_id = @session_id
RETURNING session_id;

-- name: HoldFind :one
-- The reason why a session is held.
SELECT *
FROM session_holds
WHERE tenant_id = @tenant_id AND session_id = @session_id;

-- name: HoldList :many
-- The sessions that are held, latest first.
SELECT h.*, s.user_id, s.context_type
FROM session_holds AS h
JOIN elicitation_sessions AS s ON s.tenant_id = h.tenant_id AND s.id = h.session_id
WHERE h.tenant_id = @tenant_id
ORDER BY h.held_at DESC, h.session_id
LIMIT 200;
