-- name: SpeechFind :one
-- How a session sounds.
SELECT *
FROM session_speech
WHERE tenant_id = @tenant_id AND session_id = @session_id;

-- name: SpeechPut :exec
-- Changes how a session sounds.
INSERT INTO session_speech (tenant_id, session_id, voice, speed, language, changed_by)
VALUES (@tenant_id, @session_id, @voice, @speed, @language, @changed_by)
ON CONFLICT (tenant_id, session_id) DO UPDATE
SET voice = excluded.voice, speed = excluded.speed, language = excluded.language, changed_by = excluded.changed_by, changed_at = now();
