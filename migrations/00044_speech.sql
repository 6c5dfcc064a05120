-- How interviews sound: by organisation, and by session. The release before speaks as the server does.

-- +goose Up
CREATE DOMAIN speech_voice AS text CONSTRAINT speech_voice CHECK (length(VALUE) <= 60);
CREATE DOMAIN speech_speed AS numeric(5, 4) CONSTRAINT speech_speed CHECK (VALUE = 0 OR VALUE BETWEEN 0.5 AND 2);
CREATE DOMAIN speech_language AS text CONSTRAINT speech_language CHECK (length(VALUE) <= 35);

ALTER TABLE tenant_settings ADD COLUMN speech_voice speech_voice, ADD COLUMN speech_speed speech_speed, ADD COLUMN speech_language speech_language;

CREATE TABLE session_speech (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    voice speech_voice NOT NULL DEFAULT '',
    speed speech_speed NOT NULL DEFAULT 0,
    language speech_language NOT NULL DEFAULT '',
    changed_by text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id),
    CONSTRAINT session_speech_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_speech IS 'How one session sounds, beside what the organisation has set. An empty voice or language, and speed 0, leave it to that.';
CALL own('session_speech', 'SELECT, INSERT, UPDATE');
