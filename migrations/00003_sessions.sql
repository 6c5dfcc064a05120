-- A conversation: where it stands, its turns and what was said.

-- +goose Up
-- Domains, not CHECKs: PostgreSQL reads every CHECK of a table anew at each statement, a domain's once a connection.
CREATE DOMAIN session_status AS text CONSTRAINT session_status CHECK (VALUE IN ('active', 'completed'));
CREATE DOMAIN session_phase AS text CONSTRAINT session_phase CHECK (VALUE IN ('opening', 'exploration', 'validation', 'closing'));
CREATE DOMAIN share AS numeric(3, 2) CONSTRAINT share CHECK (VALUE BETWEEN 0 AND 1);
CREATE DOMAIN stop_reason AS text CONSTRAINT stop_reason CHECK (VALUE IN ('completed', 'left', 'budget', 'refused', 'handed_over', 'error'));
CREATE DOMAIN turn_number AS integer CONSTRAINT turn_number CHECK (VALUE > 0);
CREATE DOMAIN client_message_id AS text CONSTRAINT client_message_id CHECK (length(VALUE) BETWEEN 1 AND 255);
CREATE DOMAIN turn_status AS text CONSTRAINT turn_status CHECK (VALUE IN ('running', 'done', 'stopped', 'failed'));
CREATE DOMAIN message_role AS text CONSTRAINT message_role CHECK (VALUE IN ('user', 'assistant'));
CREATE DOMAIN message_content AS text CONSTRAINT message_content CHECK (octet_length(VALUE) <= 262144);

CREATE TABLE elicitation_sessions (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    objective_id uuid NOT NULL,
    context_type text NOT NULL,
    user_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    status session_status NOT NULL DEFAULT 'active',
    session_phase session_phase NOT NULL DEFAULT 'opening',
    completeness_score share NOT NULL DEFAULT 0,
    progress share NOT NULL DEFAULT 0,
    turn_count integer NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    stop_reason stop_reason,
    question jsonb,
    working_memory_snapshot jsonb,
    completed_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT elicitation_sessions_objective_fkey FOREIGN KEY (tenant_id, objective_id) REFERENCES discovery_objectives (tenant_id, id)
) WITH (fillfactor = 70);
COMMENT ON TABLE elicitation_sessions IS 'Conversations. version counts every change of state and fences writers that read an older one; question is what the person was asked last. What changes at each beginning of a turn stands together before the documents: an update logs what lies between the first and the last byte that differ.';
CREATE INDEX elicitation_sessions_person ON elicitation_sessions (tenant_id, user_id, context_type, created_at DESC);
CREATE INDEX elicitation_sessions_recent ON elicitation_sessions (tenant_id, created_at DESC, id DESC);
CALL own('elicitation_sessions', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE turns (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    number turn_number NOT NULL,
    user_id text NOT NULL,
    client_message_id client_message_id,
    body_hash bytea NOT NULL,
    answers jsonb,
    first_seq bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    status turn_status NOT NULL DEFAULT 'running',
    attempt integer NOT NULL DEFAULT 1,
    instance_id uuid NOT NULL,
    stop_requested boolean NOT NULL DEFAULT false,
    interviewer text,
    degraded text,
    usage jsonb,
    finished_at timestamptz,
    PRIMARY KEY (tenant_id, session_id, number),
    CONSTRAINT turns_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
COMMENT ON TABLE turns IS 'One exchange: the person says something, Quaestor answers. attempt fences an instance whose turn another has taken over; answers are the widgets the person filled in.';
CREATE UNIQUE INDEX turns_one_running ON turns (tenant_id, session_id) WHERE status = 'running';
CREATE UNIQUE INDEX turns_client_message ON turns (tenant_id, session_id, client_message_id) WHERE client_message_id IS NOT NULL;
CALL own('turns', 'SELECT, INSERT, UPDATE');

CREATE TABLE messages (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    turn integer NOT NULL,
    role message_role NOT NULL,
    user_id text,
    complete boolean NOT NULL DEFAULT true,
    content message_content NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id, turn, role),
    CONSTRAINT messages_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE messages IS 'The transcript: at most one message of the person and one of Quaestor a turn. complete is false for a reply the person stopped.';
CALL own('messages', 'SELECT, INSERT');

CREATE TABLE discovery_session_summaries (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    session_id uuid NOT NULL,
    summary_text text NOT NULL,
    obligation_snapshot jsonb NOT NULL DEFAULT '{}',
    research_summary jsonb NOT NULL DEFAULT '[]',
    turn_range_start integer NOT NULL,
    turn_range_end integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT discovery_session_summaries_range CHECK (turn_range_start BETWEEN 1 AND turn_range_end),
    CONSTRAINT discovery_session_summaries_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE discovery_session_summaries IS 'Stretches of a transcript folded into a few sentences, with what was known at their end.';
CREATE INDEX discovery_session_summaries_session ON discovery_session_summaries (tenant_id, session_id, turn_range_end);
CALL own('discovery_session_summaries', 'SELECT, INSERT');
