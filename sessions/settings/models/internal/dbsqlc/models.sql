-- name: ModelInsert :one
-- Inserts a model behind the others of its tenant.
INSERT INTO tenant_models (tenant_id, id, project_id, place, name, base_url, sealed, role, call_seconds, answer_tokens, daily_calls, created_by)
VALUES (@tenant_id, @id, sqlc.narg('project_id'), (SELECT coalesce(max(m.place), 0) + 1 FROM tenant_models AS m WHERE m.tenant_id = @tenant_id), @name, @base_url, @sealed, @role,
    @call_seconds, @answer_tokens, @daily_calls, @created_by)
RETURNING *;

-- name: ModelFind :one
-- One model.
SELECT * FROM tenant_models WHERE tenant_id = @tenant_id AND id = @id;

-- name: ModelList :many
-- All models of a tenant, in the order in which they are asked, without those of projects.
SELECT * FROM tenant_models WHERE tenant_id = @tenant_id AND project_id IS NULL ORDER BY place, id;

-- name: ModelOfProject :one
-- The model that a project has of its own.
SELECT * FROM tenant_models WHERE tenant_id = @tenant_id AND project_id = @project_id::uuid;

-- name: ModelsOfProjects :many
-- The models that projects have of their own.
SELECT * FROM tenant_models WHERE tenant_id = @tenant_id AND project_id IS NOT NULL ORDER BY id;

-- name: ModelsLock :exec
-- Keeps others from changing which models a tenant has, and their order, until the transaction ends.
SELECT id
FROM tenants
WHERE id = @tenant_id
FOR NO KEY UPDATE;

-- name: ModelUpdate :one
-- Replaces the given version of a model and clears its test. No row means that the version is not the current one.
UPDATE tenant_models
SET name = @name, base_url = @base_url, sealed = @sealed, role = @role, call_seconds = @call_seconds, answer_tokens = @answer_tokens, daily_calls = @daily_calls,
    version = version + 1, changed_at = now(), test = NULL, tested_at = NULL
WHERE tenant_id = @tenant_id AND id = @id AND version = @version
RETURNING *;

-- name: ModelPlace :exec
-- Gives a model another place in the order.
UPDATE tenant_models SET place = @place WHERE tenant_id = @tenant_id AND id = @id;

-- name: ModelReseal :exec
-- Replaces the sealed key of the given version of a model by the same key, sealed again.
UPDATE tenant_models SET sealed = @sealed WHERE tenant_id = @tenant_id AND id = @id AND version = @version;

-- name: ModelTested :exec
-- Stores the result of a test, unless the model was changed in the meantime.
UPDATE tenant_models SET test = @test, tested_at = @tested_at WHERE tenant_id = @tenant_id AND id = @id AND version = @version;

-- name: ModelAdmit :execrows
-- Counts a call, unless the model has had its calls of this day, in UTC.
UPDATE tenant_models
SET calls_made = CASE WHEN called_on = (now() AT TIME ZONE 'UTC')::date THEN calls_made + 1 ELSE 1 END, called_on = (now() AT TIME ZONE 'UTC')::date
WHERE tenant_id = @tenant_id AND id = @id AND (called_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date OR calls_made < daily_calls);

-- name: ModelDelete :execrows
-- Deletes a model.
DELETE FROM tenant_models WHERE tenant_id = @tenant_id AND id = @id;
