-- What an organisation means by the names of its figures, for each of its warehouses, and questions with queries that somebody has verified.

-- +goose Up
CREATE TABLE warehouse_metrics (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    warehouse_id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT warehouse_metrics_kind CHECK (kind IN ('metric', 'dimension')),
    name text NOT NULL CONSTRAINT warehouse_metrics_name CHECK (name ~ '^[a-z][a-z0-9_]*$' AND length(name) <= 63),
    definition jsonb NOT NULL CONSTRAINT warehouse_metrics_definition CHECK (jsonb_typeof(definition) = 'object'),
    version integer NOT NULL DEFAULT 1,
    created_by warehouse_words NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_by warehouse_words NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_metrics_name_key UNIQUE (tenant_id, warehouse_id, name),
    CONSTRAINT warehouse_metrics_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_metrics IS 'Metrics and dimensions that an organisation has defined over a warehouse.';
COMMENT ON COLUMN warehouse_metrics.definition IS 'Expression, table, filters, grain, owner, synonyms and description.';
COMMENT ON COLUMN warehouse_metrics.version IS 'Counts the changes, so that nobody overwrites what they have not seen.';
CALL own('warehouse_metrics', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_examples (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    warehouse_id uuid NOT NULL,
    question text NOT NULL CONSTRAINT warehouse_examples_question CHECK (length(question) BETWEEN 1 AND 500),
    query text NOT NULL CONSTRAINT warehouse_examples_query CHECK (octet_length(query) BETWEEN 1 AND 65536),
    verified_by warehouse_words NOT NULL DEFAULT '',
    verified_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_examples_question_key UNIQUE (tenant_id, warehouse_id, question),
    CONSTRAINT warehouse_examples_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_examples IS 'Questions about a warehouse with a query that somebody has verified.';
CALL own('warehouse_examples', 'SELECT, INSERT, UPDATE, DELETE');
