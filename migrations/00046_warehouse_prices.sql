-- What an organisation pays for its models and its warehouses.

-- +goose Up
CREATE DOMAIN price AS numeric(16, 6) CONSTRAINT price CHECK (VALUE >= 0);

CREATE TABLE warehouse_prices (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    model text CONSTRAINT warehouse_prices_model CHECK (length(model) BETWEEN 1 AND 200),
    warehouse_id uuid,
    million_in price NOT NULL DEFAULT 0,
    million_cached price NOT NULL DEFAULT 0,
    million_out price NOT NULL DEFAULT 0,
    terabyte price NOT NULL DEFAULT 0,
    hour price NOT NULL DEFAULT 0,
    source text NOT NULL DEFAULT '' CONSTRAINT warehouse_prices_source CHECK (length(source) <= 500),
    changed_by warehouse_words NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_prices_of CHECK (num_nonnulls(model, warehouse_id) = 1),
    CONSTRAINT warehouse_prices_model_key UNIQUE (tenant_id, model),
    CONSTRAINT warehouse_prices_warehouse_key UNIQUE (tenant_id, warehouse_id),
    CONSTRAINT warehouse_prices_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_prices IS 'What an organisation pays, in US dollars, for a model or for a warehouse. What has no row has no known price.';
COMMENT ON COLUMN warehouse_prices.million_in IS 'Of a million tokens of prompts; million_cached of those that the provider had cached, million_out of answers.';
COMMENT ON COLUMN warehouse_prices.terabyte IS 'Of 10^12 bytes that a query scans; hour is of an hour in which one runs.';
COMMENT ON COLUMN warehouse_prices.source IS 'Where the price is from, in the words of whoever set it.';
CALL own('warehouse_prices', 'SELECT, INSERT, UPDATE, DELETE');
