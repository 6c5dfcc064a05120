-- What a model was asked, written in a quarter of the bytes: the calls of a turn stand in one row, packed by the server with
-- what its session said before as their dictionary. Rows of before stay where they are until their time is over.

-- +goose Up
CREATE TABLE prompt_rules (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    sha256 bytea NOT NULL CONSTRAINT prompt_rules_sha256 CHECK (octet_length(sha256) = 32),
    used_at timestamptz NOT NULL,
    content json NOT NULL,
    PRIMARY KEY (tenant_id, sha256)
);
COMMENT ON TABLE prompt_rules IS 'The rules that the prompts of a row of turn_prompts begin with, as a list. They are the same for many and are kept once; they hold nothing that a person said.';
COMMENT ON COLUMN prompt_rules.used_at IS 'No call that refers to them began more than an hour later.';
CALL own('prompt_rules', 'SELECT, INSERT, DELETE');
GRANT UPDATE (used_at) ON prompt_rules TO quaestor_app;

CREATE TABLE turn_prompts (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    at timestamptz NOT NULL,
    turn turn_number NOT NULL,
    attempt integer NOT NULL,
    n integer NOT NULL,
    calls integer NOT NULL,
    rules bytea NOT NULL,
    packed bytea NOT NULL,
    PRIMARY KEY (tenant_id, session_id, turn, attempt, n),
    CONSTRAINT turn_prompts_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE turn_prompts IS 'What a model was asked in a turn and what it answered, for reviewers, for as long as prompts are kept. A row holds calls that were written together; sessions/callpack.go says how.';
COMMENT ON COLUMN turn_prompts.at IS 'When the first of the calls began; all of them within an hour.';
COMMENT ON COLUMN turn_prompts.attempt IS 'Of the turn: rises when another server had to begin it again.';
COMMENT ON COLUMN turn_prompts.n IS 'Number of the first of the calls.';
COMMENT ON COLUMN turn_prompts.rules IS 'Names a row of prompt_rules. No foreign key: its index would be a tenth of what a turn writes here.';
CREATE INDEX turn_prompts_age ON turn_prompts (tenant_id, at);
-- Packed already: trying again would cost time and save nothing.
ALTER TABLE turn_prompts ALTER COLUMN packed SET STORAGE EXTERNAL;
CALL own('turn_prompts', 'SELECT, INSERT, DELETE');
