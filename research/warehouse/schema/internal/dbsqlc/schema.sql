-- name: SchemaBegin :exec
-- Adds a warehouse whose schema is about to be read, with its mask key, unless it is there already.
INSERT INTO warehouse_schemas (tenant_id, warehouse_id, mask_key)
VALUES (@tenant_id, @warehouse_id, @mask_key)
ON CONFLICT (tenant_id, warehouse_id) DO NOTHING;

-- name: SchemaHead :many
-- The revision of the stored tables, by which a reader tells whether its copy in memory is still current.
SELECT revision, mask_key
FROM warehouse_schemas
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id;

-- name: SchemaTouch :exec
-- Records that tables were written, so that copies in memory are read again.
UPDATE warehouse_schemas
SET revision = revision + 1
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id;

-- name: HoldTake :many
-- Tries to take a lock, which lasts until it is released or the connection ends. The result is false when another connection holds it.
SELECT pg_try_advisory_lock(hashtextextended(@what::text, 0));

-- name: HoldLeave :exec
-- Releases a lock of this connection.
SELECT pg_advisory_unlock(hashtextextended(@what::text, 0));

-- name: TableKnown :many
-- The stored tables of a warehouse, which a new listing is compared with.
SELECT id, schema_name, name, content_hash, approximate_rows, state, (sampled_at IS NOT NULL)::boolean AS sampled, why
FROM warehouse_tables
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id;

-- name: TableColumns :many
-- The stored columns of some tables.
SELECT id, columns
FROM warehouse_tables
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND id = ANY (@ids::uuid[]);

-- name: TableList :many
-- The tables of a warehouse, without those that are gone.
SELECT id, schema_name, name, comment, approximate_rows, columns, keys, samples, categories, content_hash, state, why
FROM warehouse_tables
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND state <> 'gone';

-- name: TableSave :exec
-- Inserts or replaces tables that were just described. Their samples are cleared, because they are out of date.
INSERT INTO warehouse_tables AS t (tenant_id, warehouse_id, id, schema_name, name, comment, approximate_rows, columns, keys, content_hash, seen_at, state, why)
SELECT @tenant_id, @warehouse_id, x.id, x.schema_name, x.name, x.comment, x.approximate_rows, x.columns, x.keys, x.content_hash, @seen_at, x.state, x.why
FROM jsonb_to_recordset(@rows::jsonb) AS x (id uuid, schema_name text, name text, comment text, approximate_rows bigint, columns jsonb, keys jsonb,
    content_hash bytea, state text, why text)
ORDER BY x.id
ON CONFLICT (tenant_id, warehouse_id, id) DO UPDATE
SET comment = excluded.comment, approximate_rows = excluded.approximate_rows, columns = excluded.columns, keys = excluded.keys,
    content_hash = excluded.content_hash, seen_at = excluded.seen_at, state = excluded.state, why = excluded.why, samples = '[]', categories = '{}', sampled_at = NULL;

-- name: TableMark :exec
-- Sets the row count and the state of tables, and leaves everything else that is known of them.
UPDATE warehouse_tables AS t
SET approximate_rows = x.approximate_rows, seen_at = CASE WHEN t.state = x.state THEN t.seen_at ELSE @seen_at END, state = x.state, why = x.why
FROM jsonb_to_recordset(@rows::jsonb) AS x (id uuid, approximate_rows bigint, state text, why text)
WHERE t.tenant_id = @tenant_id AND t.warehouse_id = @warehouse_id AND t.id = x.id;

-- name: TableSampled :exec
-- Stores samples of tables, or the reason why there are none, unless a table changed in the meantime.
UPDATE warehouse_tables AS t
SET samples = x.samples, categories = x.categories, sampled_at = @sampled_at, state = x.state, why = x.why
FROM jsonb_to_recordset(@rows::jsonb) AS x (id uuid, content_hash bytea, samples jsonb, categories jsonb, state text, why text)
WHERE t.tenant_id = @tenant_id AND t.warehouse_id = @warehouse_id AND t.id = x.id AND t.content_hash = x.content_hash AND t.state <> 'gone';

-- name: TextKnown :many
-- The stored texts of a warehouse.
SELECT kind, id
FROM warehouse_texts
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id;

-- name: TextSave :exec
-- Inserts or replaces the texts by which tables and columns are found.
INSERT INTO warehouse_texts AS t (tenant_id, warehouse_id, kind, id, content, words)
SELECT @tenant_id, @warehouse_id, x.kind, x.id, x.content, x.words::tsvector
FROM jsonb_to_recordset(@rows::jsonb) AS x (kind text, id uuid, content text, words text)
ORDER BY x.kind, x.id
ON CONFLICT (tenant_id, warehouse_id, kind, id) DO UPDATE
SET content = excluded.content, words = excluded.words;

-- name: TextDrop :exec
-- Deletes the texts of tables and columns that no longer exist.
DELETE FROM warehouse_texts
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id AND kind = @kind AND id = ANY (@ids::uuid[]);

-- name: TextUnencoded :many
-- A page of the texts of one kind that have no vector of an encoder, by id.
SELECT t.kind, t.id, t.digest, t.content
FROM warehouse_texts AS t
LEFT JOIN warehouse_vectors AS v ON v.tenant_id = t.tenant_id AND v.warehouse_id = t.warehouse_id AND v.kind = t.kind AND v.id = t.id
WHERE t.tenant_id = @tenant_id AND t.warehouse_id = @warehouse_id AND t.kind = @kind AND t.id > @after::uuid
    AND (v.encoder IS NULL OR v.encoder <> @encoder::text OR v.digest <> t.digest)
ORDER BY t.id
LIMIT @max;

-- name: TextUnencodedCount :many
-- The number of texts that have no vector of an encoder.
SELECT count(*)
FROM warehouse_texts AS t
LEFT JOIN warehouse_vectors AS v ON v.tenant_id = t.tenant_id AND v.warehouse_id = t.warehouse_id AND v.kind = t.kind AND v.id = t.id
WHERE t.tenant_id = @tenant_id AND t.warehouse_id = @warehouse_id AND (v.encoder IS NULL OR v.encoder <> @encoder::text OR v.digest <> t.digest);

-- name: VectorSave :exec
-- Stores the vectors of texts, unless a text changed since it was encoded.
INSERT INTO warehouse_vectors AS v (tenant_id, warehouse_id, kind, id, encoder, digest, embedding)
SELECT t.tenant_id, t.warehouse_id, t.kind, t.id, @encoder, t.digest, x.embedding::halfvec
FROM jsonb_to_recordset(@rows::jsonb) AS x (kind text, id uuid, digest text, embedding text)
JOIN warehouse_texts AS t ON t.tenant_id = @tenant_id AND t.warehouse_id = @warehouse_id AND t.kind = x.kind AND t.id = x.id AND t.digest = x.digest
ORDER BY t.kind, t.id
FOR KEY SHARE OF t
ON CONFLICT (tenant_id, warehouse_id, kind, id) DO UPDATE
SET encoder = excluded.encoder, digest = excluded.digest, embedding = excluded.embedding;

-- name: SearchFor :exec
-- Sets the words of the search, its time limit in milliseconds and the breadth of the vector index for the rest of the transaction. The index has to
-- look far because vectors of other warehouses and encoders lie in it too, and before pgvector 0.8 it cannot resume where it stopped.
SELECT set_config('app.schema_search', @query::text, true), set_config('statement_timeout', @milliseconds::text, true), set_config('hnsw.ef_search', '100', true), set_config('random_page_cost', '1', true),
    (SELECT set_config('hnsw.iterative_scan', 'strict_order', true) FROM pg_catalog.pg_extension WHERE extname = 'vector' AND string_to_array(extversion, '.')::integer[] >= ARRAY[0, 8]);

-- name: TextFound :many
-- Texts that match the words set by SearchFor, which a policy of the table compares. Those that match its main words best come first.
SELECT t.kind, t.id
FROM warehouse_texts AS t
WHERE t.tenant_id = @tenant_id AND t.warehouse_id = @warehouse_id AND t.kind = @kind
ORDER BY ts_rank(t.words, (@main::text)::tsquery, 1) DESC, t.id
LIMIT @max;

-- name: VectorExact :many
-- The exactly nearest texts. OFFSET keeps the planner from using the approximate index. The nested SELECT makes PostgreSQL read the vector once
-- instead of once for each text.
SELECT n.id, (1 - n.distance)::float8 AS similarity
FROM (
    SELECT v.id, v.embedding <=> (SELECT (@vector::text)::halfvec(1536)) AS distance
    FROM warehouse_vectors AS v
    WHERE v.tenant_id = @tenant_id AND v.warehouse_id = @warehouse_id AND v.kind = @kind AND v.encoder = @encoder AND v.embedding IS NOT NULL
    OFFSET 0
) AS n
ORDER BY n.distance, n.id
LIMIT @max;

-- name: VectorNearTables :many
-- The approximately nearest tables, by the index.
SELECT n.id, (1 - n.distance)::float8 AS similarity
FROM (
    SELECT v.id, v.embedding <=> (SELECT (@vector::text)::halfvec(1536)) AS distance
    FROM warehouse_vectors AS v
    WHERE v.tenant_id = @tenant_id AND v.warehouse_id = @warehouse_id AND v.kind = 'table' AND v.encoder = @encoder
    ORDER BY 2
    LIMIT @max
) AS n;

-- name: VectorNearColumns :many
-- The approximately nearest columns, by the index.
SELECT n.id, (1 - n.distance)::float8 AS similarity
FROM (
    SELECT v.id, v.embedding <=> (SELECT (@vector::text)::halfvec(1536)) AS distance
    FROM warehouse_vectors AS v
    WHERE v.tenant_id = @tenant_id AND v.warehouse_id = @warehouse_id AND v.kind = 'column' AND v.encoder = @encoder
    ORDER BY 2
    LIMIT @max
) AS n;

-- name: RefreshSave :exec
-- Stores the report of a refresh.
INSERT INTO warehouse_refreshes (tenant_id, warehouse_id, at, took_ms, tables, added, removed, changed, failed, why, detail)
VALUES (@tenant_id, @warehouse_id, @at, @took_ms, @tables, @added, @removed, @changed, @failed, @why, @detail);

-- name: RefreshList :many
-- The reports of the last refreshes of a warehouse, latest first.
SELECT id, at, took_ms, tables, added, removed, changed, failed, why, detail
FROM warehouse_refreshes
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id
ORDER BY id DESC
LIMIT @max;

-- name: SamplesForget :exec
-- Deletes the samples of all tables of a warehouse, so that the next refresh takes them again.
UPDATE warehouse_tables SET samples = '[]', categories = '{}', sampled_at = NULL
WHERE tenant_id = @tenant_id AND warehouse_id = @warehouse_id;
