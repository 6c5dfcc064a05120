-- What the person could not answer, queued for research.

-- +goose Up
CREATE TABLE discovery_research_tasks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    session_id uuid NOT NULL,
    obligation_key text,
    task_type text NOT NULL CONSTRAINT discovery_research_tasks_type CHECK (task_type IN ('competitive_analysis', 'tech_feasibility', 'market_research', 'domain_research', 'integration_research')),
    trigger text NOT NULL CONSTRAINT discovery_research_tasks_trigger CHECK (trigger IN ('low_confidence', 'expertise_required', 'user_request', 'ambiguous')),
    query text NOT NULL CONSTRAINT discovery_research_tasks_query CHECK (length(query) BETWEEN 1 AND 2000),
    status text NOT NULL DEFAULT 'pending' CONSTRAINT discovery_research_tasks_status CHECK (status IN ('pending', 'running', 'completed', 'failed')),
    result jsonb,
    error_message text,
    priority integer NOT NULL DEFAULT 5 CONSTRAINT discovery_research_tasks_priority CHECK (priority BETWEEN 1 AND 10),
    turn integer NOT NULL,
    note text,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT discovery_research_tasks_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE discovery_research_tasks IS 'Doubts on their way to a verified proposal.';
CREATE UNIQUE INDEX discovery_research_tasks_open ON discovery_research_tasks (tenant_id, session_id, obligation_key) WHERE status IN ('pending', 'running') AND obligation_key IS NOT NULL;
CREATE INDEX discovery_research_tasks_session ON discovery_research_tasks (tenant_id, session_id, created_at);
CALL own('discovery_research_tasks', 'SELECT, INSERT, UPDATE');
