-- name: DraftInsert :one
-- Inserts a draft.
INSERT INTO objective_drafts (tenant_id, base_id, document, made_by, edited_by)
VALUES (@tenant_id, @base_id, @document, @made_by, @made_by)
RETURNING *;

-- name: DraftFind :one
-- One draft.
SELECT *
FROM objective_drafts
WHERE tenant_id = @tenant_id AND id = @id;

-- name: DraftLock :one
-- One draft, locked until the transaction of the caller ends.
SELECT *
FROM objective_drafts
WHERE tenant_id = @tenant_id AND id = @id
FOR UPDATE;

-- name: DraftList :many
-- The drafts of a tenant, last edited first.
SELECT *
FROM objective_drafts
WHERE tenant_id = @tenant_id
ORDER BY edited_at DESC
LIMIT 200;

-- name: DraftSave :one
-- Stores an edit. The caller holds the lock of the draft.
UPDATE objective_drafts
SET document = @document, revision = revision + 1, edited_by = @edited_by, edited_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: DraftDelete :execrows
-- Deletes a draft.
DELETE FROM objective_drafts
WHERE tenant_id = @tenant_id AND id = @id;

-- name: ReleaseInsert :exec
-- Records by whom a version was made the active one.
INSERT INTO objective_releases (tenant_id, objective_id, act, user_id, note)
VALUES (@tenant_id, @objective_id, @act, @user_id, @note);

-- name: ReleaseList :many
-- The releases of a context, newest first.
SELECT r.objective_id, r.act, r.user_id, r.note, r.at
FROM objective_releases AS r
JOIN discovery_objectives AS o ON o.tenant_id = r.tenant_id AND o.id = r.objective_id
WHERE r.tenant_id = @tenant_id AND o.context_type = @context_type
ORDER BY r.at DESC, r.id DESC
LIMIT 500;
