-- name: ConsentPut :exec
-- Records whether somebody agrees to be recorded in a session.
INSERT INTO recording_consents (tenant_id, session_id, user_id, allowed)
VALUES (@tenant_id, @session_id, @user_id, @allowed)
ON CONFLICT (tenant_id, session_id, user_id) DO UPDATE SET allowed = excluded.allowed, decided_at = now();

-- name: ConsentFind :one
-- Whether somebody agreed to be recorded in a session.
SELECT allowed
FROM recording_consents
WHERE tenant_id = @tenant_id AND session_id = @session_id AND user_id = @user_id;

-- name: RecordingInsert :execrows
-- Keeps the sound of a message, if its author still agrees and the session has room for it. The consent is locked: who takes it back meanwhile waits,
-- and deletes this as well.
INSERT INTO message_recordings (tenant_id, session_id, turn, user_id, milliseconds, sound)
SELECT @tenant_id, @session_id, @turn, @user_id, @milliseconds, @sound
FROM recording_consents AS c
WHERE c.tenant_id = @tenant_id AND c.session_id = @session_id AND c.user_id = @user_id AND c.allowed
    AND (SELECT coalesce(sum(octet_length(r.sound)), 0) FROM message_recordings AS r WHERE r.tenant_id = @tenant_id AND r.session_id = @session_id) < @most::bigint
FOR SHARE OF c
ON CONFLICT (tenant_id, session_id, turn) DO NOTHING;

-- name: RecordingFind :one
-- The sound of a message.
SELECT *
FROM message_recordings
WHERE tenant_id = @tenant_id AND session_id = @session_id AND turn = @turn;

-- name: RecordingList :many
-- The turns of a session whose messages can be heard, with how long they are.
SELECT turn, user_id, milliseconds, created_at
FROM message_recordings
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY turn;

-- name: RecordingDeleteOf :execrows
-- Deletes what was recorded of somebody in a session.
DELETE FROM message_recordings
WHERE tenant_id = @tenant_id AND session_id = @session_id AND user_id = @user_id;
