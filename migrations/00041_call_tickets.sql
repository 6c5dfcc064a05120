-- A ticket opens one call of a session, once: telephones and browsers of other sites cannot send a token. The release before knows no calls.

-- +goose Up
CREATE TABLE call_tickets (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    token_hash bytea NOT NULL CONSTRAINT call_tickets_hash_length CHECK (octet_length(token_hash) = 32),
    user_id text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, token_hash),
    CONSTRAINT call_tickets_lasts CHECK (expires_at > created_at AND expires_at <= created_at + interval '1 hour'),
    CONSTRAINT call_tickets_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE call_tickets IS 'Tickets that were not used yet, as SHA-256 only. Using one deletes it, and so does the next one of the session once it has expired.';
COMMENT ON COLUMN call_tickets.user_id IS 'Who speaks in the call.';
CREATE INDEX call_tickets_session_idx ON call_tickets (tenant_id, session_id);
CALL own('call_tickets', 'SELECT, INSERT, DELETE');
