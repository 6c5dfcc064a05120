-- The event log of a session: what every stream, tab and protocol replays.

-- +goose Up
CREATE TABLE session_heads (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    last_seq bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, session_id),
    CONSTRAINT session_heads_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50);
COMMENT ON TABLE session_heads IS 'The last sequence number of each log. Its row lock makes commit order the order of sequence numbers.';
CALL own('session_heads', 'SELECT, INSERT, UPDATE');

CREATE TABLE session_events (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    turn integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    kinds text[] NOT NULL,
    data json[] NOT NULL,
    PRIMARY KEY (tenant_id, session_id, seq),
    CONSTRAINT session_events_whole CHECK (cardinality(kinds) > 0 AND cardinality(kinds) = cardinality(data)),
    CONSTRAINT session_events_head_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES session_heads (tenant_id, session_id) ON DELETE CASCADE
);
COMMENT ON TABLE session_events IS 'The log, append only but for pieces of a reply, which go when the reply is whole. A row holds the events that were written together; seq is the number of the last of them. data is json, not jsonb: a replay is the same bytes.';
-- Kept in the row, compressed: what is written together is read together.
ALTER TABLE session_events ALTER COLUMN data SET STORAGE MAIN;
CALL own('session_events', 'SELECT, INSERT, DELETE');

-- turn_fence ends a running turn on behalf of the attempt that worked it and
-- moves the session to the state in p_state, or stops the whole transaction:
-- QF001 when the turn is no longer this attempt's, QF002 when the session changed
-- since it was read.
-- +goose StatementBegin
CREATE FUNCTION turn_fence(
    p_tenant uuid, p_session uuid, p_turn integer, p_attempt integer, p_version bigint,
    p_status text, p_interviewer text, p_degraded text, p_usage jsonb, p_state jsonb
) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE elicitation_sessions SET
        version = version + 1, updated_at = now(),
        status = p_state ->> 'status',
        session_phase = p_state ->> 'phase',
        completeness_score = (p_state ->> 'score')::numeric,
        progress = (p_state ->> 'progress')::numeric,
        stop_reason = p_state ->> 'stopReason',
        question = p_state -> 'question',
        working_memory_snapshot = p_state -> 'memory',
        completed_at = CASE WHEN p_state ->> 'status' = 'completed' THEN now() END
    WHERE tenant_id = p_tenant AND id = p_session AND version = p_version AND status = 'active';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'session changed while the turn ran' USING ERRCODE = 'QF002';
    END IF;
    UPDATE turns SET status = p_status, interviewer = p_interviewer, degraded = p_degraded, usage = p_usage, finished_at = now()
    WHERE tenant_id = p_tenant AND session_id = p_session AND number = p_turn AND attempt = p_attempt AND status = 'running';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'turn was taken over or is over' USING ERRCODE = 'QF001';
    END IF;
END
$$;
-- +goose StatementEnd
