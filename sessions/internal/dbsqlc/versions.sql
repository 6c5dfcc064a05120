-- name: SessionRebase :exec
-- Moves a session to another version of its objective. The caller holds its lock and saves its state.
UPDATE elicitation_sessions
SET objective_id = @objective_id
WHERE tenant_id = @tenant_id AND id = @id;

-- name: SessionTally :many
-- The number of sessions on each version. Those on a version of their own count for the one it was made from.
SELECT o.context_type, split_part(o.version, '+', 1)::text AS version, count(*) AS total, count(*) FILTER (WHERE s.status = 'active') AS running
FROM elicitation_sessions AS s
JOIN discovery_objectives AS o ON o.tenant_id = s.tenant_id AND o.id = s.objective_id
WHERE s.tenant_id = @tenant_id
GROUP BY o.context_type, split_part(o.version, '+', 1);

-- name: RunningOnOthers :many
-- Running sessions of a context that are on another version, last used first.
SELECT s.id, s.user_id, o.version, s.updated_at
FROM elicitation_sessions AS s
JOIN discovery_objectives AS o ON o.tenant_id = s.tenant_id AND o.id = s.objective_id
WHERE s.tenant_id = @tenant_id AND s.context_type = @context_type AND s.status = 'active' AND split_part(o.version, '+', 1) <> @version::text
ORDER BY s.updated_at DESC
LIMIT @most;
