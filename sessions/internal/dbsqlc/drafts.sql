-- name: DraftInsert :one
-- Begins a draft.
INSERT INTO objective_drafts (tenant_id, base_id, document, made_by, edited_by)
VALUES (@tenant_id, @base_id, @document, @made_by, @made_by)
RETURNING *;

-- name: DraftFind :one
-- One draft.
SELECT *
FROM objective_drafts
WHERE tenant_id = @tenant_id AND id = @id;

-- name: DraftLock :one
-- One draft, locked until the callers transaction ends.
SELECT *
FROM objective_drafts
WHERE tenant_id = @tenant_id AND id = @id
FOR UPDATE;

-- name: DraftList :many
-- A tenants drafts, the one edited last first.
SELECT *
FROM objective_drafts
WHERE tenant_id = @tenant_id
ORDER BY edited_at DESC
LIMIT 200;

-- name: DraftSave :one
-- Writes an edit; the caller holds the lock.
UPDATE objective_drafts
SET document = @document, revision = revision + 1, edited_by = @edited_by, edited_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: DraftDelete :execrows
-- Throws a draft away.
DELETE FROM objective_drafts
WHERE tenant_id = @tenant_id AND id = @id;

-- name: ReleaseInsert :exec
-- Notes who made a version the active one.
INSERT INTO objective_releases (tenant_id, objective_id, act, user_id, note)
VALUES (@tenant_id, @objective_id, @act, @user_id, @note);

-- name: ReleaseList :many
-- What was released of a context, newest first.
SELECT r.objective_id, r.act, r.user_id, r.note, r.at
FROM objective_releases AS r
JOIN discovery_objectives AS o ON o.tenant_id = r.tenant_id AND o.id = r.objective_id
WHERE r.tenant_id = @tenant_id AND o.context_type = @context_type
ORDER BY r.at DESC, r.id DESC
LIMIT 500;

-- name: ObjectiveTally :many
-- How many sessions stand on each version; those of a sessions own version count for the one below it.
SELECT o.context_type, split_part(o.version, '+', 1)::text AS version, count(*) AS total, count(*) FILTER (WHERE s.status = 'active') AS running
FROM elicitation_sessions AS s
JOIN discovery_objectives AS o ON o.tenant_id = s.tenant_id AND o.id = s.objective_id
WHERE s.tenant_id = @tenant_id
GROUP BY o.context_type, split_part(o.version, '+', 1);

-- name: RunningOnOthers :many
-- Running sessions of a context that are not on that version, the ones last used first.
SELECT s.id, s.user_id, o.version, s.updated_at
FROM elicitation_sessions AS s
JOIN discovery_objectives AS o ON o.tenant_id = s.tenant_id AND o.id = s.objective_id
WHERE s.tenant_id = @tenant_id AND s.context_type = @context_type AND s.status = 'active' AND split_part(o.version, '+', 1) <> @version::text
ORDER BY s.updated_at DESC
LIMIT @most;
