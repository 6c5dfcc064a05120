-- Data warehouses that an organisation has connected, and every statement that was meant for one of them.

-- +goose Up
CREATE DOMAIN warehouse_name AS text CONSTRAINT warehouse_name CHECK (length(VALUE) BETWEEN 1 AND 200);
CREATE DOMAIN warehouse_words AS text CONSTRAINT warehouse_words CHECK (length(VALUE) <= 1000);

CREATE TABLE warehouses (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    name warehouse_name NOT NULL,
    kind text NOT NULL CONSTRAINT warehouses_kind CHECK (kind IN ('duckdb', 'postgresql', 'redshift', 'mysql', 'mariadb', 'clickhouse', 'sqlserver', 'bigquery', 'snowflake')),
    options jsonb NOT NULL DEFAULT '{}',
    sealed bytea,
    schemas text[] NOT NULL DEFAULT '{}',
    filter_column text NOT NULL DEFAULT '',
    filter_value text NOT NULL DEFAULT '',
    limits jsonb NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    tested_at timestamptz,
    test jsonb,
    created_by warehouse_words NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouses_name_key UNIQUE (tenant_id, name)
);
COMMENT ON TABLE warehouses IS 'Data warehouses that an organisation has connected.';
COMMENT ON COLUMN warehouses.sealed IS 'The password or key file, sealed for this organisation and this row; null for none.';
COMMENT ON COLUMN warehouses.schemas IS 'Within which tables are read; empty for those that are usual for the make.';
COMMENT ON COLUMN warehouses.filter_column IS 'Every table that has this column is read through filter_value only; empty for no filter.';
COMMENT ON COLUMN warehouses.test IS 'What the last test of the connection came to.';
COMMENT ON COLUMN warehouses.version IS 'Counts the changes, so that nobody overwrites what they have not seen.';
CALL own('warehouses', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_statements (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    warehouse_id uuid NOT NULL,
    run_id uuid,
    step integer,
    at timestamptz NOT NULL DEFAULT now(),
    sha256 bytea NOT NULL,
    sent text NOT NULL DEFAULT '' CONSTRAINT warehouse_statements_sent CHECK (octet_length(sent) <= 1048576),
    verdict text NOT NULL CONSTRAINT warehouse_statements_verdict CHECK (verdict IN ('passed', 'refused', 'failed')),
    rule text NOT NULL DEFAULT '',
    rows_read bigint NOT NULL DEFAULT 0,
    bytes_read bigint NOT NULL DEFAULT 0,
    scanned bigint NOT NULL DEFAULT 0,
    milliseconds double precision NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id)
);
COMMENT ON TABLE warehouse_statements IS 'Every statement that was meant for a warehouse, also those that were refused; append only, and it outlives the warehouse.';
COMMENT ON COLUMN warehouse_statements.sha256 IS 'Of the statement as it was written.';
COMMENT ON COLUMN warehouse_statements.sent IS 'What was sent in its place; empty when nothing was.';
COMMENT ON COLUMN warehouse_statements.rule IS 'Why it was refused, or the class of the error of one that failed.';
CREATE INDEX warehouse_statements_warehouse ON warehouse_statements (tenant_id, warehouse_id, id);
CALL own('warehouse_statements', 'SELECT, INSERT');
