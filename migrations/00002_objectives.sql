-- What a discovery must learn, one published version a row.

-- +goose Up
CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE discovery_objectives (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    context_type text NOT NULL CONSTRAINT discovery_objectives_context CHECK (context_type ~ '^[a-z][a-z0-9_]{1,62}$'),
    version text NOT NULL DEFAULT '1.0.0',
    display_name text NOT NULL,
    origin_layer text NOT NULL DEFAULT 'tenant' CONSTRAINT discovery_objectives_layer CHECK (origin_layer IN ('shipped', 'tenant', 'session')),
    config jsonb NOT NULL,
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT discovery_objectives_version_key UNIQUE (tenant_id, context_type, version)
);
COMMENT ON TABLE discovery_objectives IS 'Published versions of objectives; a version never changes after it is published.';
CREATE UNIQUE INDEX discovery_objectives_active_context ON discovery_objectives (tenant_id, context_type) WHERE active;
CALL own('discovery_objectives', 'SELECT, INSERT, UPDATE');
