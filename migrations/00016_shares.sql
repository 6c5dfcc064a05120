-- Links that show the brief of a session to whoever has them, for a while.

-- +goose Up
CREATE DOMAIN share_extent AS text CONSTRAINT share_extent CHECK (VALUE IN ('brief', 'transcript'));

CREATE TABLE session_shares (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    token_hash bytea NOT NULL CONSTRAINT session_shares_hash_length CHECK (octet_length(token_hash) = 32),
    extent share_extent NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    last_seen_at timestamptz,
    views integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, session_id, id),
    CONSTRAINT session_shares_token_key UNIQUE (tenant_id, token_hash),
    CONSTRAINT session_shares_lasts CHECK (expires_at > created_at AND expires_at <= created_at + interval '90 days 1 hour'),
    CONSTRAINT session_shares_seen CHECK ((last_seen_at IS NULL) = (views = 0)),
    CONSTRAINT session_shares_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_shares IS 'Links that show the brief of a session, read only, to whoever has them; as SHA-256 only.';
COMMENT ON COLUMN session_shares.extent IS 'What the link shows: the brief alone, or with the conversation.';
COMMENT ON COLUMN session_shares.views IS 'How often the page was opened; downloads are not counted.';
CALL own('session_shares', 'SELECT, INSERT, UPDATE');
