-- A person who asks for a human being waits for somebody to get in touch. The release before never writes or reads the mark.

-- +goose Up
ALTER TABLE elicitation_sessions ADD COLUMN handover_turn turn_number, ADD COLUMN handover_at timestamptz;
COMMENT ON COLUMN elicitation_sessions.handover_turn IS 'The turn in which the person asked for a human being; null when they did not, or a reviewer has got in touch since.';
COMMENT ON COLUMN elicitation_sessions.handover_at IS 'When they asked; null with handover_turn.';
CREATE INDEX elicitation_sessions_handover ON elicitation_sessions (tenant_id, created_at DESC, id DESC) WHERE handover_at IS NOT NULL;

-- What the organisation says to those who ask for a human being.
CREATE DOMAIN contact_words AS text CONSTRAINT contact_words CHECK (length(VALUE) BETWEEN 1 AND 300);
ALTER TABLE tenant_settings ADD COLUMN contact contact_words;
COMMENT ON COLUMN tenant_settings.contact IS 'Whom people can reach who ask for a human being; null for nobody.';
