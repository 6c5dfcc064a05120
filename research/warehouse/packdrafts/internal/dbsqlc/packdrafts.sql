-- name: DraftInsert :one
-- Inserts a draft.
INSERT INTO pack_drafts (tenant_id, name, slug, warehouse_id, slice, created_by)
VALUES (@tenant_id, @name, @slug, @warehouse_id, @slice, @by)
RETURNING *;

-- name: DraftsLock :exec
-- Keeps others from making drafts of a tenant until the transaction ends, because how many are drafted at a time depends on all of them.
SELECT id
FROM tenants
WHERE id = @tenant_id
FOR NO KEY UPDATE;

-- name: DraftingCount :one
-- How many drafts of a tenant are being drafted.
SELECT count(*)
FROM pack_drafts
WHERE tenant_id = @tenant_id AND state = 'drafting';

-- name: SourceInsert :exec
-- Adds a source to a draft.
INSERT INTO pack_draft_sources (tenant_id, draft_id, place, kind, name, content, state)
VALUES (@tenant_id, @draft_id, @place, @kind, @name, @content, @state);

-- name: SectionInsert :exec
-- Adds a section to a draft, unless it has it.
INSERT INTO pack_draft_sections (tenant_id, draft_id, key, place, content)
VALUES (@tenant_id, @draft_id, @key, @place, @content)
ON CONFLICT DO NOTHING;

-- name: DraftFind :one
-- One draft.
SELECT * FROM pack_drafts WHERE tenant_id = @tenant_id AND id = @id;

-- name: DraftLock :one
-- One draft, locked until the transaction of the caller ends.
SELECT * FROM pack_drafts WHERE tenant_id = @tenant_id AND id = @id FOR UPDATE;

-- name: DraftList :many
-- The latest drafts.
SELECT * FROM pack_drafts WHERE tenant_id = @tenant_id ORDER BY created_at DESC, id LIMIT 200;

-- name: SourceList :many
-- The sources of a draft, in order.
SELECT * FROM pack_draft_sources WHERE tenant_id = @tenant_id AND draft_id = @draft_id ORDER BY place;

-- name: SectionList :many
-- The sections of a draft, in order.
SELECT * FROM pack_draft_sections WHERE tenant_id = @tenant_id AND draft_id = @draft_id ORDER BY place, key;

-- name: DraftSetState :exec
-- Sets the state of a draft, with why it failed and the version it was accepted as.
UPDATE pack_drafts SET state = @state, failure = @failure, accepted_version = @accepted_version, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id;

-- name: SourceRead :exec
-- Stores what a source says, or why it could not be read.
UPDATE pack_draft_sources SET content = @content, state = @state, why = @why
WHERE tenant_id = @tenant_id AND draft_id = @draft_id AND place = @place AND state = 'waiting';

-- name: SectionDrafted :execrows
-- Stores what was drafted for a section, unless somebody changed it meanwhile.
UPDATE pack_draft_sections SET content = @content, state = 'drafted', made_by = @made_by, version = version + 1, changed_at = now()
WHERE tenant_id = @tenant_id AND draft_id = @draft_id AND key = @key AND version = @version AND state = 'waiting';

-- name: SectionUpdate :execrows
-- Replaces the given version of a section.
UPDATE pack_draft_sections SET content = @content, state = @state, made_by = @made_by, feedback = @feedback, version = version + 1, changed_at = now()
WHERE tenant_id = @tenant_id AND draft_id = @draft_id AND key = @key AND version = @version;

-- name: SectionDelete :execrows
-- Deletes a section.
DELETE FROM pack_draft_sections WHERE tenant_id = @tenant_id AND draft_id = @draft_id AND key = @key AND version = @version;

-- name: DraftDelete :execrows
-- Deletes a draft with its sources and sections.
DELETE FROM pack_drafts WHERE tenant_id = @tenant_id AND id = @id;

-- name: DraftTouch :exec
-- Records that something of a draft was stored, so that nobody takes it for abandoned.
UPDATE pack_drafts SET changed_at = now() WHERE tenant_id = @tenant_id AND id = @id;
