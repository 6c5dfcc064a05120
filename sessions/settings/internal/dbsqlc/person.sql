-- name: PersonHas :one
-- What a tenant keeps of a person: interviews they began, how many of those run or are held, interviews of others they took part in, and research they asked for outside of interviews.
SELECT
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id)::integer AS own,
    (SELECT count(*) FROM elicitation_sessions AS s JOIN turns AS t ON t.tenant_id = s.tenant_id AND t.session_id = s.id AND t.status = 'running'
        WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id)::integer AS running,
    (SELECT count(*) FROM elicitation_sessions AS s JOIN session_holds AS h ON h.tenant_id = s.tenant_id AND h.session_id = s.id
        WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id)::integer AS held,
    (SELECT count(DISTINCT m.session_id) FROM messages AS m JOIN elicitation_sessions AS s ON s.tenant_id = m.tenant_id AND s.id = m.session_id
        WHERE m.tenant_id = @tenant_id AND m.user_id = @user_id AND s.user_id <> @user_id)::integer AS elsewhere,
    (SELECT count(*) FROM discovery_research_tasks AS r WHERE r.tenant_id = @tenant_id AND r.user_id = @user_id AND r.session_id IS NULL)::integer AS research,
    EXISTS (SELECT FROM members AS p WHERE p.tenant_id = @tenant_id AND p.id = @user_id) AS member;

-- name: PersonElsewhere :many
-- Interviews of others that a person spoke in.
SELECT DISTINCT m.session_id
FROM messages AS m
JOIN elicitation_sessions AS s ON s.tenant_id = m.tenant_id AND s.id = m.session_id
WHERE m.tenant_id = @tenant_id AND m.user_id = @user_id AND s.user_id <> @user_id
ORDER BY m.session_id
LIMIT 100;

-- name: PersonSessions :many
-- Interviews a person began, locked until the transaction ends.
SELECT id
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND user_id = @user_id
ORDER BY id
FOR UPDATE;

-- name: PersonResearchDelete :many
-- Deletes research a person asked for outside of interviews.
DELETE FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND user_id = @user_id AND session_id IS NULL
RETURNING id;

-- name: PersonOpinionsDelete :exec
-- Deletes what a person thought of steps of runs over warehouses.
DELETE FROM warehouse_feedback
WHERE tenant_id = @tenant_id AND user_id = @user_id;
