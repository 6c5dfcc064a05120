-- A reply that is spoken may be interrupted: the person heard only its beginning. The message stays as it was said, and what was heard of it is
-- kept here. The release before shows such messages whole.

-- +goose Up
CREATE TABLE message_interruptions (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    turn integer NOT NULL,
    heard integer NOT NULL CONSTRAINT message_interruptions_heard CHECK (heard >= 0),
    user_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id, turn),
    CONSTRAINT message_interruptions_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE message_interruptions IS 'Spoken replies that the person interrupted.';
COMMENT ON COLUMN message_interruptions.heard IS 'Characters of the reply that were played before.';
CALL own('message_interruptions', 'SELECT, INSERT');
