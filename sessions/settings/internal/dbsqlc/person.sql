-- name: PersonHas :one
-- How much a tenant stores of a person: the interviews they began, how many of those are running or held, the interviews of others that they took
-- part in, and the research they requested outside of interviews.
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
-- Interviews of others in which a person wrote messages.
SELECT DISTINCT m.session_id
FROM messages AS m
JOIN elicitation_sessions AS s ON s.tenant_id = m.tenant_id AND s.id = m.session_id
WHERE m.tenant_id = @tenant_id AND m.user_id = @user_id AND s.user_id <> @user_id
ORDER BY m.session_id
LIMIT 100;

-- name: PersonSessions :many
-- Interviews that a person began, locked until the transaction ends.
SELECT id
FROM elicitation_sessions
WHERE tenant_id = @tenant_id AND user_id = @user_id
ORDER BY id
FOR UPDATE;

-- name: PersonResearchDelete :many
-- Deletes the research that a person requested outside of interviews.
DELETE FROM discovery_research_tasks
WHERE tenant_id = @tenant_id AND user_id = @user_id AND session_id IS NULL
RETURNING id;

-- name: PersonOpinionsDelete :exec
-- Deletes the opinions of a person about steps of runs.
DELETE FROM warehouse_feedback
WHERE tenant_id = @tenant_id AND user_id = @user_id;

-- name: PersonRecordingsDelete :exec
-- Deletes what was recorded of a person in the interviews of others: a voice tells whose it is.
DELETE FROM message_recordings
WHERE tenant_id = @tenant_id AND user_id = @user_id;

-- name: PersonWatchesDelete :exec
-- Deletes which findings of runs a person watches.
DELETE FROM warehouse_watches
WHERE tenant_id = @tenant_id AND user_id = @user_id;

-- name: PersonAlertsDelete :exec
-- Deletes what a person was told of findings that they watch.
DELETE FROM warehouse_alerts
WHERE tenant_id = @tenant_id AND user_id = @user_id;
