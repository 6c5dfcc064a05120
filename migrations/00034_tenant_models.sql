-- Language models that an organisation has set for itself, in the order in which they are asked.

-- +goose Up
CREATE TABLE tenant_models (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    place integer NOT NULL,
    name text NOT NULL CONSTRAINT tenant_models_name CHECK (length(name) BETWEEN 1 AND 200),
    base_url text NOT NULL CONSTRAINT tenant_models_base_url CHECK (length(base_url) BETWEEN 1 AND 2000),
    sealed bytea,
    role text NOT NULL CONSTRAINT tenant_models_role CHECK (role IN ('both', 'talking', 'reading')),
    call_seconds integer NOT NULL DEFAULT 0 CONSTRAINT tenant_models_seconds CHECK (call_seconds BETWEEN 0 AND 600),
    answer_tokens integer NOT NULL DEFAULT 0 CONSTRAINT tenant_models_tokens CHECK (answer_tokens BETWEEN 0 AND 1000000),
    daily_calls integer NOT NULL DEFAULT 0 CONSTRAINT tenant_models_calls CHECK (daily_calls BETWEEN 0 AND 10000000),
    called_on date,
    calls_made integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    tested_at timestamptz,
    test jsonb,
    created_by text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);
COMMENT ON TABLE tenant_models IS 'Language models that an organisation has set for itself.';
COMMENT ON COLUMN tenant_models.place IS 'In the order in which models are asked; of two alike the one with the smaller id comes first.';
COMMENT ON COLUMN tenant_models.sealed IS 'The key, sealed for this organisation and this row; null for none.';
COMMENT ON COLUMN tenant_models.role IS 'What it is used for: to word replies, to read messages, or both.';
COMMENT ON COLUMN tenant_models.call_seconds IS 'Bounds of a call in seconds, of an answer in tokens, and of calls in a day; 0 leaves each to the server.';
COMMENT ON COLUMN tenant_models.called_on IS 'The day in UTC that calls_made counts; counted only where daily_calls bounds it.';
COMMENT ON COLUMN tenant_models.version IS 'Counts the changes, so that nobody overwrites what they have not seen.';
COMMENT ON COLUMN tenant_models.test IS 'What the last test came to, with what the model can do; null since the last change.';
CALL own('tenant_models', 'SELECT, INSERT, UPDATE, DELETE');

-- Changes of models stand in the journal. The release before never writes the kind, and
-- shows who and when of one that it does not know.
ALTER DOMAIN journal_kind DROP CONSTRAINT journal_kind;
ALTER DOMAIN journal_kind ADD CONSTRAINT journal_kind
    CHECK (VALUE IN ('settings', 'deleted', 'held', 'released', 'exported', 'person', 'token', 'model'));
