-- Several people in one session: who takes part, and who was asked to.

-- +goose Up
CREATE TABLE session_participants (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    user_id text NOT NULL CONSTRAINT session_participants_user_length CHECK (length(user_id) BETWEEN 1 AND 200),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    role text NOT NULL CONSTRAINT session_participants_role CHECK (role IN ('owner', 'contributor', 'observer')),
    invited_by text NOT NULL,
    credential_hash bytea,
    joined_at timestamptz NOT NULL DEFAULT now(),
    left_at timestamptz,
    PRIMARY KEY (tenant_id, session_id, user_id),
    CONSTRAINT session_participants_id_key UNIQUE (tenant_id, session_id, id),
    CONSTRAINT session_participants_gone CHECK (left_at IS NULL OR credential_hash IS NULL),
    CONSTRAINT session_participants_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_participants IS 'Who takes part in a session beside the person who began it. credential_hash is the SHA-256 of what a guest, who has no account, comes back with.';
CREATE INDEX session_participants_person ON session_participants (tenant_id, user_id) WHERE left_at IS NULL;
CALL own('session_participants', 'SELECT, INSERT, UPDATE');

CREATE TABLE session_invitations (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    role text NOT NULL CONSTRAINT session_invitations_role CHECK (role IN ('owner', 'contributor', 'observer')),
    name text NOT NULL DEFAULT '' CONSTRAINT session_invitations_name_length CHECK (length(name) <= 100),
    token_hash bytea NOT NULL,
    invited_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    accepted_by text,
    revoked_at timestamptz,
    PRIMARY KEY (tenant_id, session_id, id),
    CONSTRAINT session_invitations_token_key UNIQUE (tenant_id, token_hash),
    CONSTRAINT session_invitations_accepted CHECK ((accepted_at IS NULL) = (accepted_by IS NULL) AND (accepted_at IS NULL OR revoked_at IS NULL)),
    CONSTRAINT session_invitations_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_invitations IS 'Links that let one person each take part in a session, as SHA-256 only.';
CALL own('session_invitations', 'SELECT, INSERT, UPDATE');

ALTER TABLE elicitation_obligations ADD COLUMN stands jsonb;
COMMENT ON COLUMN elicitation_obligations.stands IS 'What each of several people said last, from which the value held is merged; null while one person has spoken.';
