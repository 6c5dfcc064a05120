-- name: PersonHas :one
-- How much a tenant stores of a person: the interviews they began, how many of those are running or held, the interviews of others that they took
-- part in, the research they requested outside of interviews, and what else bears their name.
SELECT
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id)::integer AS own,
    (SELECT count(*) FROM elicitation_sessions AS s JOIN turns AS t ON t.tenant_id = s.tenant_id AND t.session_id = s.id AND t.status = 'running'
        WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id)::integer AS running,
    (SELECT count(*) FROM elicitation_sessions AS s JOIN session_holds AS h ON h.tenant_id = s.tenant_id AND h.session_id = s.id
        WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id)::integer AS held,
    (SELECT count(DISTINCT m.session_id) FROM messages AS m JOIN elicitation_sessions AS s ON s.tenant_id = m.tenant_id AND s.id = m.session_id
        WHERE m.tenant_id = @tenant_id AND m.user_id = @user_id AND s.user_id <> @user_id)::integer AS elsewhere,
    (SELECT count(*) FROM discovery_research_tasks AS r WHERE r.tenant_id = @tenant_id AND r.user_id = @user_id AND r.session_id IS NULL)::integer AS research,
    ((SELECT count(*) FROM warehouse_feedback AS f WHERE f.tenant_id = @tenant_id AND f.user_id = @user_id)
        + (SELECT count(*) FROM warehouse_watches AS w WHERE w.tenant_id = @tenant_id AND w.user_id = @user_id)
        + (SELECT count(*) FROM warehouse_alerts AS a WHERE a.tenant_id = @tenant_id AND a.user_id = @user_id)
        + (SELECT count(*) FROM message_recordings AS v JOIN elicitation_sessions AS s ON s.tenant_id = v.tenant_id AND s.id = v.session_id
            WHERE v.tenant_id = @tenant_id AND v.user_id = @user_id AND s.user_id <> @user_id)
        + (SELECT count(*) FROM recording_consents AS c JOIN elicitation_sessions AS s ON s.tenant_id = c.tenant_id AND s.id = c.session_id
            WHERE c.tenant_id = @tenant_id AND c.user_id = @user_id AND s.user_id <> @user_id))::integer AS traces,
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

-- name: PersonConsentsDelete :exec
-- Deletes whether a person agreed to be recorded in the interviews of others, so that nothing more of them is.
DELETE FROM recording_consents
WHERE tenant_id = @tenant_id AND user_id = @user_id;

-- name: PersonTicketsDelete :exec
-- Deletes tickets that open calls in the name of a person.
DELETE FROM call_tickets
WHERE tenant_id = @tenant_id AND user_id = @user_id;
