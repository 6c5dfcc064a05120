-- What a constraint says of values that clash, who settled it, and up to which
-- state a session was looked at again.

-- +goose Up
ALTER TABLE conflicts ADD COLUMN constraint_name text;
ALTER TABLE conflicts ADD COLUMN message text;
ALTER TABLE conflicts ADD COLUMN resolved_by text;
ALTER TABLE elicitation_sessions ADD COLUMN reassessed_version bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN elicitation_sessions.reassessed_version IS 'The version up to which values were looked at again; nothing indexes it, so that marking a session moves no index.';
