-- What a warehouse holds, kept so that nobody waits for the warehouse to say it: its tables, what they and their columns are found by, and how that
-- changed from one look to the next.

-- +goose Up
CREATE DOMAIN schema_state AS text CONSTRAINT schema_state CHECK (VALUE IN ('ok', 'failed', 'gone'));
CREATE DOMAIN schema_kind AS text CONSTRAINT schema_kind CHECK (VALUE IN ('table', 'column'));
CREATE DOMAIN schema_name AS text CONSTRAINT schema_name CHECK (length(VALUE) <= 2000);

CREATE TABLE warehouse_schemas (
    tenant_id uuid NOT NULL,
    warehouse_id uuid NOT NULL,
    revision bigint NOT NULL DEFAULT 0,
    mask_key bytea NOT NULL,
    PRIMARY KEY (tenant_id, warehouse_id),
    CONSTRAINT warehouse_schemas_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_schemas IS 'Warehouses that were looked into.';
COMMENT ON COLUMN warehouse_schemas.revision IS 'Rises with every write to the tables of the warehouse, so that who has them in memory knows that they changed.';
COMMENT ON COLUMN warehouse_schemas.mask_key IS 'The secret by which what identifies people is named in samples.';
CALL own('warehouse_schemas', 'SELECT, INSERT, UPDATE');

CREATE TABLE warehouse_tables (
    tenant_id uuid NOT NULL,
    warehouse_id uuid NOT NULL,
    id uuid NOT NULL,
    schema_name schema_name NOT NULL,
    name schema_name NOT NULL,
    comment text NOT NULL DEFAULT '',
    approximate_rows bigint NOT NULL DEFAULT -1,
    columns jsonb NOT NULL DEFAULT '[]',
    keys jsonb NOT NULL DEFAULT '[]',
    samples jsonb NOT NULL DEFAULT '[]',
    content_hash bytea NOT NULL,
    seen_at timestamptz NOT NULL,
    sampled_at timestamptz,
    state schema_state NOT NULL DEFAULT 'ok',
    why text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant_id, warehouse_id, id),
    CONSTRAINT warehouse_tables_schema_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouse_schemas (tenant_id, warehouse_id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_tables IS 'Tables of a warehouse as it describes them; of one that is gone, as it did last.';
COMMENT ON COLUMN warehouse_tables.id IS 'Made of the schema and the name.';
COMMENT ON COLUMN warehouse_tables.approximate_rows IS 'Of the table, -1 when nobody knows; a small change is not written.';
COMMENT ON COLUMN warehouse_tables.content_hash IS 'Of columns, types, keys and comment.';
COMMENT ON COLUMN warehouse_tables.seen_at IS 'When it was first seen as it is here, or found to be gone.';
COMMENT ON COLUMN warehouse_tables.sampled_at IS 'When its samples were last asked for; null before that.';
COMMENT ON COLUMN warehouse_tables.why IS 'It could not be described or sampled, or is gone: one sentence.';
CALL own('warehouse_tables', 'SELECT, INSERT, UPDATE, DELETE');

-- What searches look for, in the words of no language, as the server split them. Without a search, a query that every text meets.
-- +goose StatementBegin
CREATE FUNCTION current_schema_search() RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN coalesce(current_setting('app.schema_search', true), '') = '' THEN '!''no such word'''::tsquery
        ELSE current_setting('app.schema_search', true)::tsquery
    END
$$;
-- +goose StatementEnd

CREATE TABLE warehouse_texts (
    tenant_id uuid NOT NULL,
    warehouse_id uuid NOT NULL,
    kind schema_kind NOT NULL,
    id uuid NOT NULL,
    content text NOT NULL,
    words tsvector NOT NULL,
    digest text NOT NULL GENERATED ALWAYS AS (md5(content)) STORED,
    PRIMARY KEY (tenant_id, warehouse_id, kind, id),
    CONSTRAINT warehouse_texts_schema_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouse_schemas (tenant_id, warehouse_id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_texts IS 'What tables and columns are found by. Columns of the same name, type and comment share a row, in however many tables they stand.';
COMMENT ON COLUMN warehouse_texts.id IS 'The id of the table; of a column, made of its name, type and comment.';
CREATE INDEX warehouse_texts_words ON warehouse_texts USING gin (words) WITH (fastupdate = off);
CALL own('warehouse_texts', 'SELECT, INSERT, UPDATE, DELETE');

-- As with search_texts: a condition of the policy needs no trust to be looked up in an index.
CREATE POLICY found ON warehouse_texts AS RESTRICTIVE FOR SELECT USING (words @@ (SELECT current_schema_search()));

-- Apart from the texts, because their policy would keep the index of the vectors from being asked.
CREATE TABLE warehouse_vectors (
    tenant_id uuid NOT NULL,
    warehouse_id uuid NOT NULL,
    kind schema_kind NOT NULL,
    id uuid NOT NULL,
    encoder text NOT NULL,
    digest text NOT NULL,
    embedding halfvec(1536),
    PRIMARY KEY (tenant_id, warehouse_id, kind, id) INCLUDE (encoder, digest),
    CONSTRAINT warehouse_vectors_text_fkey FOREIGN KEY (tenant_id, warehouse_id, kind, id) REFERENCES warehouse_texts (tenant_id, warehouse_id, kind, id) ON DELETE CASCADE
);
ALTER TABLE warehouse_vectors ALTER COLUMN embedding SET STORAGE PLAIN;
COMMENT ON TABLE warehouse_vectors IS 'Where texts lie among others of the same encoder; vectors of different encoders are never compared. digest is that of the text it was made of; embedding is null for one without words.';
-- Workers of a parallel build share memory that containers seldom have.
SET LOCAL max_parallel_maintenance_workers = 0;
CREATE INDEX warehouse_vectors_tables ON warehouse_vectors USING hnsw (embedding halfvec_cosine_ops) WHERE kind = 'table';
CREATE INDEX warehouse_vectors_columns ON warehouse_vectors USING hnsw (embedding halfvec_cosine_ops) WHERE kind = 'column';
CALL own('warehouse_vectors', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_refreshes (
    tenant_id uuid NOT NULL,
    warehouse_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    took_ms double precision NOT NULL,
    tables integer NOT NULL,
    added integer NOT NULL,
    removed integer NOT NULL,
    changed integer NOT NULL,
    failed integer NOT NULL,
    why text NOT NULL DEFAULT '',
    detail jsonb NOT NULL,
    PRIMARY KEY (tenant_id, warehouse_id, id),
    CONSTRAINT warehouse_refreshes_schema_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouse_schemas (tenant_id, warehouse_id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_refreshes IS 'Looks into warehouses, and what had changed since the one before.';
COMMENT ON COLUMN warehouse_refreshes.why IS 'It ended before it had seen all: one sentence; empty for one that saw all.';
COMMENT ON COLUMN warehouse_refreshes.detail IS 'The first of what was added, removed, changed and failed.';
CALL own('warehouse_refreshes', 'SELECT, INSERT');
