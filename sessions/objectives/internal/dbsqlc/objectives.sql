-- name: ObjectiveActive :one
-- The version of the objective of a context that new sessions use.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND context_type = @context_type AND active;

-- name: ObjectiveFind :one
-- One version.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND id = @id;

-- name: ObjectiveVersion :one
-- One version, by its number.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND context_type = @context_type AND version = @version;

-- name: ObjectiveList :many
-- All versions of all contexts, active ones first, without those made for single sessions.
SELECT *
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND origin_layer <> 'session' AND (NOT @active_only::boolean OR active)
ORDER BY context_type, active DESC, created_at DESC
LIMIT 500;

-- name: ObjectiveVersions :many
-- The published versions of a context, with the people who published them.
SELECT version, origin_layer
FROM discovery_objectives
WHERE tenant_id = @tenant_id AND context_type = @context_type AND origin_layer <> 'session';

-- name: ObjectiveRetire :exec
-- Retires the active version of a context, so that another can become active.
UPDATE discovery_objectives
SET active = false, updated_at = now()
WHERE tenant_id = @tenant_id AND context_type = @context_type AND active;

-- name: ObjectiveActivate :one
-- Makes a published version the one that new sessions use. The caller has retired the others.
UPDATE discovery_objectives
SET active = true, updated_at = now()
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;

-- name: ObjectiveInsert :one
-- Inserts a published version, which is active at once unless it is made for one session.
INSERT INTO discovery_objectives (tenant_id, context_type, version, display_name, origin_layer, config, active, layering)
VALUES (@tenant_id, @context_type, @version, @display_name, @origin_layer, @config, @active, @layering)
RETURNING *;

-- name: ObjectiveOfSession :exec
-- Stores the version that the overlay of a session makes of another. Sessions with the same overlay share it.
INSERT INTO discovery_objectives (tenant_id, context_type, version, display_name, origin_layer, config, active, layering)
VALUES (@tenant_id, @context_type, @version, @display_name, 'session', @config, false, @layering)
ON CONFLICT (tenant_id, context_type, version) DO NOTHING;

-- name: ContextLock :exec
-- Serialises the publishers of a context (tenant and context in one text) until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(@context::text, 0));
