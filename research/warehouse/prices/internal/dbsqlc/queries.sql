-- name: PriceList :many
-- All prices of a tenant, those of models first.
SELECT *
FROM warehouse_prices
WHERE tenant_id = @tenant_id
ORDER BY model NULLS LAST, warehouse_id
LIMIT 1000;

-- name: PriceOfModel :one
-- Stores the price of a model.
INSERT INTO warehouse_prices (tenant_id, model, million_in, million_cached, million_out, source, changed_by)
VALUES (@tenant_id, @model::text, @million_in, @million_cached, @million_out, @source, @by)
ON CONFLICT (tenant_id, model) DO UPDATE
SET million_in = excluded.million_in, million_cached = excluded.million_cached, million_out = excluded.million_out, source = excluded.source, changed_by = excluded.changed_by, changed_at = now()
RETURNING *;

-- name: PriceOfWarehouse :one
-- Stores the price of a warehouse.
INSERT INTO warehouse_prices (tenant_id, warehouse_id, terabyte, hour, source, changed_by)
VALUES (@tenant_id, @warehouse_id::uuid, @terabyte, @hour, @source, @by)
ON CONFLICT (tenant_id, warehouse_id) DO UPDATE
SET terabyte = excluded.terabyte, hour = excluded.hour, source = excluded.source, changed_by = excluded.changed_by, changed_at = now()
RETURNING *;

-- name: PriceDelete :one
-- Forgets a price.
DELETE FROM warehouse_prices
WHERE tenant_id = @tenant_id AND id = @id
RETURNING *;
