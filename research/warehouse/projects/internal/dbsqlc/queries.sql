-- name: ProjectInsert :one
-- Inserts a project.
INSERT INTO warehouse_projects (tenant_id, name, pack_slug, pack_version, category, language, warehouse_id, datasets, filter_column, filter_value, profile, prompts, state,
    budget_usd, budget_tokens, budget_bytes, budget_seconds, created_by, changed_by)
VALUES (@tenant_id, @name, @pack_slug, @pack_version, @category, @language, @warehouse_id, @datasets, @filter_column, @filter_value, @profile, @prompts, @state,
    sqlc.narg('budget_usd'), sqlc.narg('budget_tokens'), sqlc.narg('budget_bytes'), sqlc.narg('budget_seconds'), @by, @by)
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
    filter_column = @filter_column, filter_value = @filter_value, profile = @profile, prompts = @prompts, budget_usd = sqlc.narg('budget_usd'),
    budget_tokens = sqlc.narg('budget_tokens'), budget_bytes = sqlc.narg('budget_bytes'), budget_seconds = sqlc.narg('budget_seconds'),
    state = @state::text, version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectGenerate :one
-- Records the work that makes the pack of a project. The caller has locked it.
UPDATE warehouse_projects
SET state = 'pack_generation', generation = @generation::uuid, generation_error = '', generated_slug = NULL, generated_version = NULL, version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectGenerated :one
-- Records the pack that the work under way has made. The caller has locked the project.
UPDATE warehouse_projects
SET state = 'pack_generation_done', generation = NULL, generated_slug = @slug::text, generated_version = @pack_version::text, version = version + 1, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectGenerationFailed :one
-- Records why the work under way has made no pack. The caller has locked the project.
UPDATE warehouse_projects
SET state = 'pack_generation_pending', generation = NULL, generation_error = @why, version = version + 1, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectAccept :one
-- Gives a project the pack that was made for it. The caller has locked it.
UPDATE warehouse_projects
SET state = 'ready', pack_slug = @slug, pack_version = @pack_version, generated_slug = NULL, generated_version = NULL, version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ProjectSetModel :one
-- Sets the model that explores for a project. The caller has locked it.
UPDATE warehouse_projects
SET model_id = sqlc.narg('model_id'), version = version + 1, changed_by = @by, changed_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ConnectionList :many
-- The warehouses of projects beside their default ones.
SELECT project_id, warehouse_id
FROM warehouse_project_connections
WHERE tenant_id = @tenant_id AND project_id = ANY (@projects::uuid[])
ORDER BY project_id, warehouse_id;

-- name: ConnectionsSet :exec
-- Replaces the warehouses of a project beside its default one. The caller has locked it.
WITH gone AS (
    DELETE FROM warehouse_project_connections
    WHERE tenant_id = @tenant_id AND project_id = @project_id AND warehouse_id <> ALL (@warehouses::uuid[])
)
INSERT INTO warehouse_project_connections (tenant_id, project_id, warehouse_id)
SELECT @tenant_id, @project_id, w
FROM unnest(@warehouses::uuid[]) AS w
ON CONFLICT DO NOTHING;

-- name: ScheduleFind :one
-- The schedule of a project.
SELECT *
FROM warehouse_schedules
WHERE tenant_id = @tenant_id AND project_id = @project_id;

-- name: SchedulePut :one
-- Stores the schedule of a project. The caller has locked the project.
INSERT INTO warehouse_schedules AS s (tenant_id, project_id, warehouse_id, cron, zone, max_steps, min_steps, next_at, changed_by)
VALUES (@tenant_id, @project_id, sqlc.narg('warehouse_id'), @cron, @zone, @max_steps, @min_steps, sqlc.narg('next_at'), @by)
ON CONFLICT (tenant_id, project_id) DO UPDATE
SET warehouse_id = excluded.warehouse_id, cron = excluded.cron, zone = excluded.zone, max_steps = excluded.max_steps, min_steps = excluded.min_steps, next_at = excluded.next_at,
    version = s.version + 1, changed_by = excluded.changed_by, changed_at = now()
RETURNING *;

-- name: ScheduleDelete :execrows
-- Removes the schedule of a project.
DELETE FROM warehouse_schedules
WHERE tenant_id = @tenant_id AND project_id = @project_id;

-- name: ScheduleDue :one
-- A schedule that is due, locked until the caller's transaction ends. Those that another server has locked are left to it.
SELECT *
FROM warehouse_schedules
WHERE tenant_id = @tenant_id AND next_at <= @now
ORDER BY next_at
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: ScheduleDone :exec
-- Records what became of the time that was due, and when the next is. The caller has locked the schedule.
UPDATE warehouse_schedules
SET next_at = sqlc.narg('next_at'), last_due = next_at, last_run = coalesce(sqlc.narg('last_run'), last_run), last_note = @last_note
WHERE tenant_id = @tenant_id AND project_id = @project_id;

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
