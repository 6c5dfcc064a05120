-- name: SettingsFind :one
-- The settings of a tenant.
SELECT *
FROM tenant_settings
WHERE tenant_id = @tenant_id;

-- name: SettingsSave :one
-- Replaces the settings if their version is still the given one, which is 0 for settings that were never stored. No row means that it is not.
INSERT INTO tenant_settings AS s (tenant_id, session_turns, session_minutes, session_money, research_daily,
    kept_finished_days, kept_idle_days, kept_prompts_days, kept_jobs_days, contact, kept_alerts_days, kept_recordings_days, speech_voice, speech_speed, speech_language, changed_by)
SELECT @tenant_id, sqlc.narg('session_turns'), sqlc.narg('session_minutes'), sqlc.narg('session_money'), sqlc.narg('research_daily'),
    sqlc.narg('kept_finished_days'), sqlc.narg('kept_idle_days'), sqlc.narg('kept_prompts_days'), sqlc.narg('kept_jobs_days'), sqlc.narg('contact'),
    sqlc.narg('kept_alerts_days'), sqlc.narg('kept_recordings_days'), sqlc.narg('speech_voice'), sqlc.narg('speech_speed'), sqlc.narg('speech_language'), @changed_by
ON CONFLICT (tenant_id) DO UPDATE
SET version = s.version + 1, session_turns = excluded.session_turns, session_minutes = excluded.session_minutes, session_money = excluded.session_money,
    research_daily = excluded.research_daily, kept_finished_days = excluded.kept_finished_days, kept_idle_days = excluded.kept_idle_days,
    kept_prompts_days = excluded.kept_prompts_days, kept_jobs_days = excluded.kept_jobs_days, contact = excluded.contact,
    kept_alerts_days = excluded.kept_alerts_days, kept_recordings_days = excluded.kept_recordings_days, speech_voice = excluded.speech_voice, speech_speed = excluded.speech_speed, speech_language = excluded.speech_language, changed_by = excluded.changed_by, changed_at = now()
RETURNING *;

-- name: SettingsLock :exec
-- Keeps others from changing the settings of a tenant until the transaction ends.
SELECT id
FROM tenants
WHERE id = @tenant_id
FOR NO KEY UPDATE;

-- name: JournalWrite :exec
-- Adds an entry to the journal of a tenant.
INSERT INTO tenant_journal (tenant_id, actor, kind, subject, detail)
VALUES (@tenant_id, @actor, @kind, @subject, @detail);

-- name: JournalPage :many
-- A page of the journal before an entry, newest first. 0 begins with the newest.
SELECT *
FROM tenant_journal
WHERE tenant_id = @tenant_id AND (@before::bigint = 0 OR id < @before::bigint)
ORDER BY id DESC
LIMIT @max;

-- name: TestKeep :exec
-- Stores the result of the last test of a part.
INSERT INTO part_tests (tenant_id, part, well, says, remedy, milliseconds, tried_by)
VALUES (@tenant_id, @part, @well, @says, @remedy, @milliseconds, @tried_by)
ON CONFLICT (tenant_id, part) DO UPDATE
SET well = excluded.well, says = excluded.says, remedy = excluded.remedy, milliseconds = excluded.milliseconds, tried_by = excluded.tried_by, tried_at = now();

-- name: TestList :many
-- The results of the last tests, by part.
SELECT *
FROM part_tests
WHERE tenant_id = @tenant_id
ORDER BY part;
