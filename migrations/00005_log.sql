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
    CONSTRAINT session_events_head_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES session_heads (tenant_id, session_id) ON DELETE CASCADE
);
COMMENT ON TABLE session_events IS 'The log, append only but for pieces of a reply, which go when the reply is whole. A row holds the events that were written together; seq is the number of the last of them. data is json, not jsonb: a replay is the same bytes.';
-- Kept in the row, compressed: what is written together is read together. lz4
-- costs a third of the default's time; a server built without it keeps that.
ALTER TABLE session_events ALTER COLUMN data SET STORAGE MAIN;
-- +goose StatementBegin
DO $$
BEGIN
    ALTER TABLE session_events ALTER COLUMN data SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported THEN NULL;
END
$$;
-- +goose StatementEnd
CALL own('session_events', 'SELECT, INSERT, DELETE');

-- settled stops the transaction that ends a turn unless exactly one session and
-- one turn were moved: QF002 when the session changed since it was read, QF001
-- when the turn is no longer this attempt's.
-- +goose StatementBegin
CREATE FUNCTION settled(moved bigint, ended bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    IF moved <> 1 THEN
        RAISE EXCEPTION 'session changed while the turn ran' USING ERRCODE = 'QF002';
    END IF;
    IF ended <> 1 THEN
        RAISE EXCEPTION 'turn was taken over or is over' USING ERRCODE = 'QF001';
    END IF;
END
$$;
-- +goose StatementEnd
