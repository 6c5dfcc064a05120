-- name: ObjectiveActive :one
-- The version of a contexts objective that new sessions use.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND context_type = @context_type AND active;

-- name: ObjectiveFind :one
-- One version.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND id = @id;

-- name: ObjectiveList :many
-- All versions of all contexts, active ones first.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND (NOT @active_only::boolean OR active)
ORDER BY context_type, active DESC, created_at DESC
LIMIT 500;

-- name: ObjectiveRetire :exec
-- Makes room for a new active version.
UPDATE discovery_objectives
SET active = false, updated_at = now()
WHERE tenant_id = @tenant_id AND context_type = @context_type AND active;

-- name: ObjectiveInsert :one
-- A published version, active at once.
INSERT INTO discovery_objectives (tenant_id, context_type, version, display_name, origin_layer, config)
VALUES (@tenant_id, @context_type, @version, @display_name, @origin_layer, @config)
RETURNING *;
