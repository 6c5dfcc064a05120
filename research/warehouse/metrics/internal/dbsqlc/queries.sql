-- name: MetricList :many
-- The definitions over a warehouse, metrics first, by name.
SELECT *
FROM warehouse_metrics
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id
ORDER BY kind DESC, name
LIMIT @most;

-- name: MetricPut :one
-- Stores a definition: a new one if version is 0, else what that version is changed to. No row comes back for one that is changed or gone by now.
INSERT INTO warehouse_metrics AS m (tenant_id, warehouse_id, kind, name, definition, created_by, changed_by)
VALUES (@tenant_id, @warehouse_id, @kind, @name, @definition, @by, @by)
ON CONFLICT ON CONSTRAINT warehouse_metrics_name_key DO UPDATE
SET kind = excluded.kind, definition = excluded.definition, version = m.version + 1, changed_by = excluded.changed_by, changed_at = now()
WHERE m.version = @version
RETURNING *;

-- name: MetricSettle :exec
-- Writes what the check of a definition came to, unless it was changed meanwhile.
UPDATE warehouse_metrics
SET definition = @definition
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND name = @name AND version = @version;

-- name: MetricDelete :one
-- Deletes a definition.
DELETE FROM warehouse_metrics
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND name = @name
RETURNING id;

-- name: ExampleList :many
-- The verified questions of a warehouse, the latest first.
SELECT *
FROM warehouse_examples
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id
ORDER BY verified_at DESC, id
LIMIT @most;

-- name: ExamplePut :one
-- Stores a verified question, in the place of an earlier query for the same.
INSERT INTO warehouse_examples (tenant_id, warehouse_id, question, query, verified_by)
VALUES (@tenant_id, @warehouse_id, @question, @query, @by)
ON CONFLICT ON CONSTRAINT warehouse_examples_question_key DO UPDATE
SET query = excluded.query, verified_by = excluded.verified_by, verified_at = now()
RETURNING *;

-- name: ExampleDelete :one
-- Deletes a verified question.
DELETE FROM warehouse_examples
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND id = @id
RETURNING id;
