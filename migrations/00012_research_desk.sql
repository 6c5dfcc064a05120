-- What the research desk works with: who asked, how far a task is, who works it, what it searched, read and found. A claim that does not stand
-- in the source it names cannot be stored.

-- +goose Up
ALTER TABLE discovery_research_tasks
    ALTER COLUMN session_id DROP NOT NULL,
    DROP CONSTRAINT discovery_research_tasks_status,
    ADD CONSTRAINT discovery_research_tasks_status CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
    ADD COLUMN user_id text,
    ADD COLUMN request_id text CONSTRAINT discovery_research_tasks_request_length CHECK (length(request_id) BETWEEN 1 AND 255),
    ADD COLUMN step text CONSTRAINT discovery_research_tasks_step CHECK (step IN ('plan', 'search', 'read', 'claims', 'verify', 'propose')),
    ADD COLUMN plan jsonb,
    ADD COLUMN steering jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN revision integer NOT NULL DEFAULT 0,
    ADD COLUMN outcome text CONSTRAINT discovery_research_tasks_outcome CHECK (outcome IN ('found', 'contradicting', 'no_evidence')),
    ADD COLUMN summary text,
    ADD COLUMN proposal jsonb,
    ADD COLUMN told integer,
    ADD COLUMN attempt integer NOT NULL DEFAULT 0,
    ADD COLUMN lease_until timestamptz;
COMMENT ON COLUMN discovery_research_tasks.user_id IS 'Who asked; null for a task that nobody asked for.';
COMMENT ON COLUMN discovery_research_tasks.request_id IS 'The senders own id of the request, which makes it safe to repeat.';
COMMENT ON COLUMN discovery_research_tasks.step IS 'The last step that is done; null before the first.';
COMMENT ON COLUMN discovery_research_tasks.revision IS 'How often it was steered; a plan of an earlier revision is made again.';
COMMENT ON COLUMN discovery_research_tasks.told IS 'Turn in which the person was told what came of it; null before that.';
COMMENT ON COLUMN discovery_research_tasks.attempt IS 'Rises with every worker that takes the task; a worker of an earlier attempt writes nothing.';
COMMENT ON COLUMN discovery_research_tasks.lease_until IS 'Until when the worker is taken for alive; null when nobody works it.';
CREATE UNIQUE INDEX discovery_research_tasks_request ON discovery_research_tasks (tenant_id, user_id, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX discovery_research_tasks_recent ON discovery_research_tasks (tenant_id, started_at) WHERE started_at IS NOT NULL;
CREATE INDEX discovery_research_tasks_page ON discovery_research_tasks (tenant_id, created_at, id);

CREATE TABLE research_searches (
    tenant_id uuid NOT NULL,
    task_id uuid NOT NULL,
    revision integer NOT NULL,
    n integer NOT NULL,
    query text NOT NULL CONSTRAINT research_searches_query CHECK (length(query) BETWEEN 1 AND 2000),
    engine text NOT NULL,
    hits jsonb NOT NULL DEFAULT '[]',
    failure text,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, task_id, revision, n, engine),
    CONSTRAINT research_searches_task_fkey FOREIGN KEY (tenant_id, task_id) REFERENCES discovery_research_tasks (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE research_searches IS 'What was asked of a search engine, and its answer.';
CALL own('research_searches', 'SELECT, INSERT');

CREATE TABLE research_sources (
    tenant_id uuid NOT NULL,
    task_id uuid NOT NULL,
    n integer NOT NULL,
    revision integer NOT NULL,
    url text NOT NULL CONSTRAINT research_sources_url CHECK (length(url) BETWEEN 1 AND 4000),
    title text NOT NULL DEFAULT '',
    snippet text NOT NULL DEFAULT '',
    rank double precision NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'queued' CONSTRAINT research_sources_state CHECK (state IN ('queued', 'reading', 'read', 'failed', 'interrupted')),
    failure text,
    reason text,
    final_url text,
    http_status integer,
    media_type text,
    bytes bytea,
    sha256 text,
    content text,
    published text,
    truncated boolean NOT NULL DEFAULT false,
    drafts jsonb,
    read_at timestamptz,
    PRIMARY KEY (tenant_id, task_id, n),
    CONSTRAINT research_sources_address UNIQUE (tenant_id, task_id, url),
    CONSTRAINT research_sources_read CHECK (state <> 'read' OR (bytes IS NOT NULL AND sha256 IS NOT NULL AND content IS NOT NULL AND read_at IS NOT NULL)),
    CONSTRAINT research_sources_task_fkey FOREIGN KEY (tenant_id, task_id) REFERENCES discovery_research_tasks (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE research_sources ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE research_sources IS 'Pages and documents a task found: bytes as they were received, and the text that people would read in them.';
COMMENT ON COLUMN research_sources.state IS 'reading is written before a page is asked for, so that none is asked for twice; interrupted is one whose worker died meanwhile.';
COMMENT ON COLUMN research_sources.drafts IS 'What a model claims the source says, not verified yet; null before it was asked.';
CALL own('research_sources', 'SELECT, INSERT, UPDATE');

CREATE TABLE research_claims (
    tenant_id uuid NOT NULL,
    task_id uuid NOT NULL,
    n integer NOT NULL,
    source integer NOT NULL,
    claim text NOT NULL CONSTRAINT research_claims_claim CHECK (length(claim) BETWEEN 1 AND 1000),
    quote text NOT NULL CONSTRAINT research_claims_quote CHECK (length(quote) BETWEEN 1 AND 2000),
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    sha256 text NOT NULL,
    figures jsonb NOT NULL DEFAULT '[]',
    rank double precision NOT NULL,
    made_by text NOT NULL,
    against integer[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, task_id, n),
    CONSTRAINT research_claims_span CHECK (span_start >= 0 AND span_end > span_start),
    CONSTRAINT research_claims_source_fkey FOREIGN KEY (tenant_id, task_id, source) REFERENCES research_sources (tenant_id, task_id, n) ON DELETE CASCADE
);
COMMENT ON TABLE research_claims IS 'What sources say, each with the words that say so: span_start and span_end count UTF-16 units of the sources content, sha256 is that of its bytes.';
CALL own('research_claims', 'SELECT, INSERT, DELETE');

-- +goose StatementBegin
CREATE FUNCTION claim_is_in_its_source() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM 1
    FROM research_sources AS s
    WHERE s.tenant_id = NEW.tenant_id AND s.task_id = NEW.task_id AND s.n = NEW.source AND s.state = 'read' AND s.sha256 = NEW.sha256
        AND strpos(s.content, NEW.quote) > 0;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'claim % of task % quotes words that are not in source %', NEW.n, NEW.task_id, NEW.source USING ERRCODE = 'QF003';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER research_claims_evidence AFTER INSERT OR UPDATE ON research_claims FOR EACH ROW EXECUTE FUNCTION claim_is_in_its_source();
