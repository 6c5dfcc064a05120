-- Runs over a warehouse: how far each is, what it did step by step, what that cost, and everything about it that a person may watch.

-- +goose Up
CREATE TABLE warehouse_runs (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    project_id uuid NOT NULL,
    warehouse_id uuid,
    status text NOT NULL DEFAULT 'pending' CONSTRAINT warehouse_runs_status CHECK (status IN ('pending', 'running', 'paused', 'interrupted', 'completed', 'failed', 'cancelled')),
    wish text CONSTRAINT warehouse_runs_wish CHECK (wish IN ('pause')),
    phase text NOT NULL DEFAULT 'initialization' CONSTRAINT warehouse_runs_phase CHECK (phase IN ('initialization', 'context', 'schema', 'exploration', 'analysis', 'validation', 'recommendations', 'saving', 'indexing')),
    phase_detail text NOT NULL DEFAULT '' CONSTRAINT warehouse_runs_phase_detail CHECK (length(phase_detail) <= 2000),
    progress integer NOT NULL DEFAULT 0 CONSTRAINT warehouse_runs_progress CHECK (progress BETWEEN 0 AND 100),
    scope text NOT NULL DEFAULT 'full' CONSTRAINT warehouse_runs_scope CHECK (scope IN ('full', 'selected')),
    areas text[] NOT NULL DEFAULT '{}',
    run_type text CONSTRAINT warehouse_runs_run_type CHECK (run_type IN ('full', 'partial', 'failed')),
    stop_reason text CONSTRAINT warehouse_runs_stop_reason CHECK (stop_reason IN ('complete', 'max_steps', 'repeating', 'budget_usd', 'budget_tokens', 'budget_time', 'unparseable_output', 'model_unavailable', 'warehouse_unavailable')),
    summary text NOT NULL DEFAULT '',
    error text NOT NULL DEFAULT '' CONSTRAINT warehouse_runs_error CHECK (length(error) <= 2000),
    analyst text NOT NULL DEFAULT '',
    pack text NOT NULL DEFAULT '',
    prompt_hash bytea,
    previous json,
    brief json,
    mask_key bytea NOT NULL CONSTRAINT warehouse_runs_mask_key CHECK (octet_length(mask_key) = 32),
    max_steps integer NOT NULL CONSTRAINT warehouse_runs_max_steps CHECK (max_steps BETWEEN 1 AND 1000),
    min_steps integer NOT NULL DEFAULT 0 CONSTRAINT warehouse_runs_min_steps CHECK (min_steps BETWEEN 0 AND max_steps),
    budget_usd numeric(12, 4) CONSTRAINT warehouse_runs_budget_usd CHECK (budget_usd >= 0),
    budget_tokens bigint CONSTRAINT warehouse_runs_budget_tokens CHECK (budget_tokens >= 0),
    budget_seconds bigint CONSTRAINT warehouse_runs_budget_seconds CHECK (budget_seconds >= 0),
    steps integer NOT NULL DEFAULT 0,
    queries_total integer NOT NULL DEFAULT 0,
    queries_successful integer NOT NULL DEFAULT 0,
    queries_failed integer NOT NULL DEFAULT 0,
    schema_lookup_calls integer NOT NULL DEFAULT 0,
    schema_search_calls integer NOT NULL DEFAULT 0,
    step_index_upserts integer NOT NULL DEFAULT 0,
    scanned bigint NOT NULL DEFAULT 0,
    warehouse_ms double precision NOT NULL DEFAULT 0,
    active_ms bigint NOT NULL DEFAULT 0,
    attempt integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    last_seq bigint NOT NULL DEFAULT 0,
    created_by text NOT NULL DEFAULT '' CONSTRAINT warehouse_runs_created_by CHECK (length(created_by) <= 2000),
    request_id text CONSTRAINT warehouse_runs_request_length CHECK (length(request_id) BETWEEN 1 AND 255),
    request_hash bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_runs_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_runs_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE SET NULL (warehouse_id)
);
COMMENT ON TABLE warehouse_runs IS 'Discovery runs: what was asked for, how far each is and what it has cost.';
COMMENT ON COLUMN warehouse_runs.warehouse_id IS 'Null when the warehouse is not connected any more.';
COMMENT ON COLUMN warehouse_runs.wish IS 'What the worker is to do after the step it is in; null for nothing.';
COMMENT ON COLUMN warehouse_runs.phase IS 'The one it is in; those before it are done.';
COMMENT ON COLUMN warehouse_runs.run_type IS 'How much came of it, once it is over: nothing when failed, less than was there to find when partial.';
COMMENT ON COLUMN warehouse_runs.stop_reason IS 'Why exploration ended; null before that.';
COMMENT ON COLUMN warehouse_runs.previous IS 'What it was told of the runs before it.';
COMMENT ON COLUMN warehouse_runs.brief IS 'What it is about, the same for all its steps.';
COMMENT ON COLUMN warehouse_runs.mask_key IS 'The secret by which what identifies people is named in its digests.';
COMMENT ON COLUMN warehouse_runs.active_ms IS 'How long it was worked, waits left out.';
COMMENT ON COLUMN warehouse_runs.attempt IS 'Rises with every worker that takes the run; a worker of an earlier attempt writes nothing.';
COMMENT ON COLUMN warehouse_runs.lease_until IS 'Until when the worker is taken for alive; null when nobody works it.';
COMMENT ON COLUMN warehouse_runs.last_seq IS 'Of its events. Whoever adds one holds the lock of this row, so that they are committed in order.';
COMMENT ON COLUMN warehouse_runs.request_id IS 'The senders own id of the request, which makes it safe to repeat.';
CREATE UNIQUE INDEX warehouse_runs_request ON warehouse_runs (tenant_id, created_by, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX warehouse_runs_page ON warehouse_runs (tenant_id, created_at, id);
CREATE INDEX warehouse_runs_project ON warehouse_runs (tenant_id, project_id, created_at, id);
CREATE INDEX warehouse_runs_warehouse ON warehouse_runs (tenant_id, warehouse_id);
CALL own('warehouse_runs', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_run_steps (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    n integer NOT NULL CONSTRAINT warehouse_run_steps_n CHECK (n > 0),
    state text NOT NULL CONSTRAINT warehouse_run_steps_state CHECK (state IN ('asked', 'done')),
    type text NOT NULL CONSTRAINT warehouse_run_steps_type CHECK (type IN ('query', 'lookup_schema', 'search_tables', 'complete', 'complete_rejected', 'insight', 'analysis', 'validation', 'error')),
    thinking text NOT NULL DEFAULT '',
    purpose text NOT NULL DEFAULT '',
    query text NOT NULL DEFAULT '',
    statement text NOT NULL DEFAULT '',
    tables text[] NOT NULL DEFAULT '{}',
    search text NOT NULL DEFAULT '',
    top_k integer NOT NULL DEFAULT 0,
    row_count bigint NOT NULL DEFAULT 0,
    more boolean NOT NULL DEFAULT false,
    scanned bigint NOT NULL DEFAULT 0,
    took_ns bigint NOT NULL DEFAULT 0,
    digest json,
    answer text NOT NULL DEFAULT '',
    repeats integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT '',
    class text NOT NULL DEFAULT '',
    fixes json NOT NULL DEFAULT '[]' CONSTRAINT warehouse_run_steps_fixes CHECK (json_typeof(fixes) = 'array'),
    reply text NOT NULL DEFAULT '',
    nudges integer NOT NULL DEFAULT 0,
    tokens_in bigint NOT NULL DEFAULT 0,
    tokens_cached bigint NOT NULL DEFAULT 0,
    tokens_out bigint NOT NULL DEFAULT 0,
    calls integer NOT NULL DEFAULT 0,
    attempt integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    encoder text,
    embedding halfvec(1536),
    words tsvector NOT NULL GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', left(purpose, 4000)) || to_tsvector('english', left(purpose, 4000)), 'A') || to_tsvector('simple', left(query, 20000))) STORED,
    PRIMARY KEY (tenant_id, run_id, n),
    CONSTRAINT warehouse_run_steps_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE warehouse_run_steps ALTER COLUMN embedding SET STORAGE PLAIN;
COMMENT ON TABLE warehouse_run_steps IS 'What runs did, one row a step. A step that is done is never done again.';
COMMENT ON COLUMN warehouse_run_steps.state IS 'asked: the analyst has replied, nothing came of it yet.';
COMMENT ON COLUMN warehouse_run_steps.query IS 'As the analyst wrote it; statement is what was sent in its place.';
COMMENT ON COLUMN warehouse_run_steps.row_count IS 'Of the result, of which more says that a limit cut it.';
COMMENT ON COLUMN warehouse_run_steps.digest IS 'Byte by byte as it was made.';
COMMENT ON COLUMN warehouse_run_steps.repeats IS 'The step that was answered before in the same words; 0 for none.';
COMMENT ON COLUMN warehouse_run_steps.nudges IS 'How often the analyst was asked to say it in the right form.';
COMMENT ON COLUMN warehouse_run_steps.embedding IS 'Of purpose and query, among others of the same encoder; null before it was made, and for a step without words.';
CALL own('warehouse_run_steps', 'SELECT, INSERT, UPDATE');

CREATE TABLE warehouse_run_spending (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    purpose text NOT NULL CONSTRAINT warehouse_run_spending_purpose CHECK (purpose IN ('explore', 'fix', 'embed', 'analyse', 'validate', 'recommend')),
    tokens_in bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    tokens_out bigint NOT NULL,
    calls integer NOT NULL,
    usd double precision NOT NULL,
    unpriced integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, run_id, purpose),
    CONSTRAINT warehouse_run_spending_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_run_spending IS 'What runs have cost, by what it was for.';
COMMENT ON COLUMN warehouse_run_spending.unpriced IS 'Calls whose price nobody knows; usd is without them.';
CALL own('warehouse_run_spending', 'SELECT, INSERT, UPDATE');

CREATE TABLE warehouse_run_events (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL CONSTRAINT warehouse_run_events_type CHECK (type IN ('queued', 'started', 'phase', 'step', 'fix', 'counters', 'paused', 'resumed', 'interrupted', 'finished')),
    data json NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, seq),
    CONSTRAINT warehouse_run_events_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_run_events IS 'Every change of a run that a person may watch, append only, until the run is deleted.';
CALL own('warehouse_run_events', 'SELECT, INSERT');
