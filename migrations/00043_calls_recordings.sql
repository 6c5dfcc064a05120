-- One call speaks in a session at a time, whichever server it is held on; and what people say may be kept as sound where the organisation wants that and
-- they agree. The release before knows one talker a server, and keeps no sound.

-- +goose Up
CREATE TABLE session_calls (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    call text NOT NULL CONSTRAINT session_calls_call_length CHECK (length(call) BETWEEN 1 AND 100),
    connection uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, session_id),
    CONSTRAINT session_calls_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_calls IS 'The call that speaks in a session. It is renewed while it lasts and deleted at its end.';
COMMENT ON COLUMN session_calls.call IS 'The name that the client chose.';
COMMENT ON COLUMN session_calls.connection IS 'The connection that holds it; the same call may come back over another.';
CALL own('session_calls', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE recording_consents (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    user_id text NOT NULL,
    allowed boolean NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id, user_id),
    CONSTRAINT recording_consents_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE recording_consents IS 'Who agreed to be recorded in a session, and who declined.';
CALL own('recording_consents', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE message_recordings (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    turn integer NOT NULL,
    user_id text NOT NULL,
    milliseconds integer NOT NULL CONSTRAINT message_recordings_milliseconds CHECK (milliseconds > 0),
    sound bytea NOT NULL CONSTRAINT message_recordings_sound_size CHECK (octet_length(sound) BETWEEN 2 AND 4194304),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id, turn),
    CONSTRAINT message_recordings_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE message_recordings IS 'The sound of what a person said in a turn, with their consent: PCM16, little-endian, one channel, 16000 samples a second.';
COMMENT ON COLUMN message_recordings.milliseconds IS 'How long they spoke. The sound is shorter when that was longer than about two minutes.';
CREATE INDEX message_recordings_age_idx ON message_recordings (tenant_id, created_at);
CALL own('message_recordings', 'SELECT, INSERT, DELETE');

ALTER TABLE tenant_settings ADD COLUMN kept_recordings_days kept_days;
COMMENT ON COLUMN tenant_settings.kept_recordings_days IS 'Days that the sound of what people say is kept; 0 records nothing, and so does null where the server does not say otherwise.';
