-- name: WarehouseInsert :one
-- Inserts a warehouse.
INSERT INTO warehouses (tenant_id, id, name, kind, options, sealed, schemas, filter_column, filter_value, opened, limits, created_by, interviews)
VALUES (@tenant_id, @id, @name, @kind, @options, @sealed, @schemas, @filter_column, @filter_value, @opened, @limits, @created_by, @interviews)
RETURNING *;

-- name: WarehouseFind :one
-- One warehouse.
SELECT * FROM warehouses WHERE tenant_id = @tenant_id AND id = @id;

-- name: WarehouseList :many
-- All warehouses of a tenant, by name.
SELECT * FROM warehouses WHERE tenant_id = @tenant_id ORDER BY lower(name), id;

-- name: WarehouseUpdate :one
-- Replaces the given version of a warehouse and clears its test result. No row means that the version is not the current one.
UPDATE warehouses
SET name = @name, options = @options, sealed = @sealed, schemas = @schemas, filter_column = @filter_column, filter_value = @filter_value, opened = @opened, limits = @limits, interviews = @interviews,
    version = version + 1, changed_at = now(), test = NULL, tested_at = NULL
WHERE tenant_id = @tenant_id AND id = @id AND version = @version
RETURNING *;

-- name: WarehouseReseal :execrows
-- Replaces the sealed secret of the given version of a warehouse by the same secret, sealed again.
UPDATE warehouses SET sealed = @sealed WHERE tenant_id = @tenant_id AND id = @id AND version = @version;

-- name: WarehouseTested :exec
-- Stores the result of a test, unless the warehouse was changed in the meantime.
UPDATE warehouses SET test = @test, tested_at = @tested_at WHERE tenant_id = @tenant_id AND id = @id AND version = @version;

-- name: WarehouseDelete :execrows
-- Deletes a warehouse.
DELETE FROM warehouses WHERE tenant_id = @tenant_id AND id = @id;

-- name: StatementInsert :exec
-- Adds a statement to the audit.
INSERT INTO warehouse_statements (tenant_id, warehouse_id, run_id, step, sha256, sent, verdict, rule, rows_read, bytes_read, scanned, milliseconds)
VALUES (@tenant_id, @warehouse_id, @run_id, @step, @sha256, @sent, @verdict, @rule, @rows_read, @bytes_read, @scanned, @milliseconds);

-- name: StatementList :many
-- A page of the audit, newest first.
SELECT * FROM warehouse_statements
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND id < @before::bigint
ORDER BY id DESC
LIMIT @most;
