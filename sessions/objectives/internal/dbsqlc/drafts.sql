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
