-- The language that a session is held in, and where that is known from. Sessions from before have none: they are held in their objective's own.

-- +goose Up
CREATE DOMAIN language_source AS text CONSTRAINT language_source CHECK (VALUE IN ('asked', 'accepted', 'detected', 'objective'));
ALTER TABLE elicitation_sessions ADD COLUMN language text, ADD COLUMN language_source language_source;
COMMENT ON COLUMN elicitation_sessions.language IS 'BCP 47 tag of the language of the session, one that its objective speaks; null in sessions from before, which are in the objective''s own.';
COMMENT ON COLUMN elicitation_sessions.language_source IS 'Whether the language was asked for, accepted by the browser, detected in what the person wrote, or is the objective''s own.';
