-- What must be learnt in a session, how sure we are, and how we came to be.

-- +goose Up
CREATE DOMAIN obligation_key AS text CONSTRAINT obligation_key CHECK (VALUE ~ '^[a-z][a-z0-9_]{0,62}$');
CREATE DOMAIN collection_type AS text CONSTRAINT collection_type CHECK (VALUE IN ('direct_question', 'inferred', 'research'));
CREATE DOMAIN widget_type AS text CONSTRAINT widget_type CHECK (VALUE IN ('text', 'choice', 'multiselect', 'date', 'number'));
CREATE DOMAIN origin_layer AS text CONSTRAINT origin_layer CHECK (VALUE IN ('shipped', 'tenant', 'session'));
CREATE DOMAIN one_to_ten AS integer CONSTRAINT one_to_ten CHECK (VALUE BETWEEN 1 AND 10);
CREATE DOMAIN obligation_status AS text CONSTRAINT obligation_status CHECK (VALUE IN ('pending', 'in_progress', 'partial', 'satisfied', 'deferred', 'skipped'));
CREATE DOMAIN skip_reason AS text CONSTRAINT skip_reason CHECK (VALUE IN ('not_applicable', 'declined'));
CREATE DOMAIN obligation_event_type AS text CONSTRAINT obligation_event_type CHECK (VALUE IN ('created', 'status_changed', 'confidence_updated', 'value_extracted', 'negotiation', 'dependency_resolved', 'merged', 'split'));

CREATE TABLE elicitation_obligations (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    obligation_key obligation_key NOT NULL,
    position integer NOT NULL,
    field_path varchar(500) NOT NULL,
    collection_type collection_type NOT NULL,
    widget_type widget_type NOT NULL,
    dependencies jsonb NOT NULL DEFAULT '[]',
    source text NOT NULL DEFAULT 'objective',
    origin_layer origin_layer NOT NULL DEFAULT 'shipped',
    origin_source_id uuid,
    pool_id text,
    task_priority one_to_ten NOT NULL,
    max_attempts one_to_ten NOT NULL DEFAULT 3,
    category text,
    agent_notes text,
    follow_up_strategy text,
    satisfied_when text,
    expertise_required text,
    template jsonb,
    status obligation_status NOT NULL DEFAULT 'pending',
    confidence share NOT NULL DEFAULT 0,
    extracted_value jsonb,
    evidence jsonb NOT NULL DEFAULT '[]',
    attempts integer NOT NULL DEFAULT 0,
    last_attempt_turn integer NOT NULL DEFAULT 0,
    satisfied_at_turn integer NOT NULL DEFAULT 0,
    negotiation_state jsonb,
    skip_reason skip_reason,
    dependencies_resolved boolean NOT NULL DEFAULT true,
    updated_at timestamptz NOT NULL DEFAULT now(),
    embedding vector(1536),
    embedding_encoder text,
    PRIMARY KEY (tenant_id, session_id, obligation_key),
    CONSTRAINT elicitation_obligations_evidence CHECK (extracted_value IS NULL OR jsonb_array_length(evidence) > 0),
    CONSTRAINT elicitation_obligations_skipped CHECK (status <> 'skipped' OR skip_reason IS NOT NULL),
    CONSTRAINT elicitation_obligations_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
COMMENT ON TABLE elicitation_obligations IS 'What a session must learn. template holds the whole definition of one that no objective defines (origin_layer session).';
CALL own('elicitation_obligations', 'SELECT, INSERT, UPDATE');

CREATE TABLE obligation_events (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    obligation_key text NOT NULL,
    event_type obligation_event_type NOT NULL,
    old_status text,
    new_status text,
    old_confidence numeric(3, 2),
    new_confidence numeric(3, 2),
    source text NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    turn_number integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id, id),
    CONSTRAINT obligation_events_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE obligation_events IS 'The audit trail, append only: replayed from empty it gives the obligations. metadata.set holds the fields an event sets.';
CALL own('obligation_events', 'SELECT, INSERT');

CREATE TABLE conflicts (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL CONSTRAINT conflicts_kind CHECK (kind IN ('changed', 'constraint', 'document', 'research', 'person')),
    obligation_keys jsonb NOT NULL,
    sides jsonb NOT NULL,
    status text NOT NULL DEFAULT 'open' CONSTRAINT conflicts_status CHECK (status IN ('open', 'resolved')),
    raised_turn integer NOT NULL DEFAULT 0,
    detected_turn integer NOT NULL,
    resolution text,
    created_at timestamptz NOT NULL DEFAULT now(),
    resolved_at timestamptz,
    PRIMARY KEY (tenant_id, session_id, id),
    CONSTRAINT conflicts_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE conflicts IS 'Values that cannot all hold, each side with its evidence; raised in conversation once.';
CALL own('conflicts', 'SELECT, INSERT, UPDATE');
