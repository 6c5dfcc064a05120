-- name: ProjectInsert :one
-- Inserts a project.
INSERT INTO warehouse_projects (tenant_id, name, pack_slug, pack_version, category, language, warehouse_id, datasets, filter_column, filter_value, profile, prompts, state,
    created_by, changed_by)
VALUES (@tenant_id, @name, @pack_slug, @pack_version, @category, @language, @warehouse_id, @datasets, @filter_column, @filter_value, @profile, @prompts, @state, @by, @by)
RETURNING *;

-- name: ProjectFind :one
-- One project.
SELECT *
FROM warehouse_projects
WHERE tenant_id = @tenant_id AND id = @id;

-- name: ProjectLock :one
-- One project, locked until the transaction of the caller ends.
SELECT *
FROM warehouse_projects
WHERE tenant_id = @tenant_id AND id = @id
FOR UPDATE;

-- name: ProjectUpdate :one
-- Stores what somebody edited of a project. The caller has locked it.
UPDATE warehouse_projects
SET name = @name, pack_slug = @pack_slug, pack_version = @pack_version, category = @category, language = @language, warehouse_id = @warehouse_id, datasets = @datasets,
    filter_column = @filter_column, filter_value = @filter_value, profile = @profile, prompts = @prompts, version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectSetState :one
-- Sets the state of a project. The caller has locked it.
UPDATE warehouse_projects
SET state = @state, version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectDelete :one
-- Deletes a project and everything that refers to it. The caller has locked it.
DELETE FROM warehouse_projects
WHERE tenant_id = @tenant_id AND id = @id
RETURNING id;

-- name: ProjectPage :many
-- A page of projects after the cursor, newest first.
SELECT *
FROM warehouse_projects
WHERE tenant_id = @tenant_id AND (created_at, id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @most;

-- name: PackPut :exec
-- Stores a version of a pack, unless it is there already.
INSERT INTO warehouse_packs (tenant_id, slug, version, document, imported_by)
VALUES (@tenant_id, @slug, @version, @document, @by)
ON CONFLICT DO NOTHING;

-- name: PackFind :one
-- One version of a pack.
SELECT document
FROM warehouse_packs
WHERE tenant_id = @tenant_id AND slug = @slug AND version = @version;

-- name: PackList :many
-- The stored versions of packs, newest first within each pack.
SELECT slug, version, imported_by, imported_at
FROM warehouse_packs
WHERE tenant_id = @tenant_id
ORDER BY slug, imported_at DESC, version
LIMIT 1000;

-- name: FeedbackInsert :exec
-- Adds the opinion of a person about an item, unless their latest opinion is the same.
INSERT INTO warehouse_feedback (tenant_id, project_id, run_id, target, ref, about, user_id, vote, comment)
SELECT @tenant_id::uuid, @project_id::uuid, @run_id::uuid, @target::text, @ref::text, @about::text, @user_id::text, @vote::text, @comment::text
WHERE NOT EXISTS (
    SELECT
    FROM (
        SELECT f.vote, f.comment
        FROM warehouse_feedback AS f
        WHERE f.tenant_id = @tenant_id::uuid AND f.project_id = @project_id::uuid AND f.target = @target::text AND f.run_id = @run_id::uuid AND f.ref = @ref::text
            AND f.user_id = @user_id::text
        ORDER BY f.id DESC
        LIMIT 1
    ) AS latest
    WHERE latest.vote = @vote::text AND latest.comment = @comment::text
);

-- name: FeedbackLatest :many
-- The latest opinion of each person about each item of a run, or of all runs of the project when none is given, latest first.
SELECT *
FROM (
    SELECT DISTINCT ON (f.target, f.run_id, f.ref, f.user_id) f.*
    FROM warehouse_feedback AS f
    WHERE f.tenant_id = @tenant_id AND f.project_id = @project_id AND (sqlc.narg(run_id)::uuid IS NULL OR f.run_id = sqlc.narg(run_id)::uuid)
    ORDER BY f.target, f.run_id, f.ref, f.user_id, f.id DESC
) AS latest
WHERE vote <> 'none'
ORDER BY id DESC
LIMIT @most;

-- name: FeedbackHistory :many
-- All opinions that were ever given about one item, oldest first.
SELECT *
FROM warehouse_feedback
WHERE tenant_id = @tenant_id AND project_id = @project_id AND run_id = @run_id AND target = @target AND ref = @ref
ORDER BY id
LIMIT 500;

-- name: ProjectSetInterview :one
-- Sets the interview that fills a project's profile. The caller has locked the project.
UPDATE warehouse_projects
SET interview = @interview, version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;
