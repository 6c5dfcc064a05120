-- What reviewers see of a turn beside what was said: each call of a model, written apart from the turn. And what they remark to each other.

-- +goose Up
CREATE TABLE prompt_texts (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    sha256 bytea NOT NULL CONSTRAINT prompt_texts_sha256 CHECK (octet_length(sha256) = 32),
    content text NOT NULL CONSTRAINT prompt_texts_content CHECK (octet_length(content) <= 262144),
    PRIMARY KEY (tenant_id, sha256)
);
COMMENT ON TABLE prompt_texts IS 'The rules that prompts begin with, which are the same for many: each is kept once. They hold nothing that a person said.';
CALL own('prompt_texts', 'SELECT, INSERT, DELETE');

CREATE TABLE turn_calls (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    turn turn_number NOT NULL,
    attempt integer NOT NULL,
    n integer NOT NULL,
    purpose text NOT NULL CONSTRAINT turn_calls_purpose CHECK (length(purpose) BETWEEN 1 AND 40),
    model text NOT NULL CONSTRAINT turn_calls_model CHECK (length(model) BETWEEN 1 AND 200),
    rules bytea,
    prompt json NOT NULL CONSTRAINT turn_calls_prompt CHECK (octet_length(prompt::text) <= 1048576),
    response text NOT NULL CONSTRAINT turn_calls_response CHECK (octet_length(response) <= 262144),
    cut boolean NOT NULL,
    prompt_tokens integer NOT NULL,
    completion_tokens integer NOT NULL,
    money double precision NOT NULL,
    tries integer NOT NULL,
    began_ms integer NOT NULL,
    first_token_ms integer,
    total_ms integer NOT NULL,
    failure text,
    at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, session_id, turn, attempt, n),
    CONSTRAINT turn_calls_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT turn_calls_rules_fkey FOREIGN KEY (tenant_id, rules) REFERENCES prompt_texts (tenant_id, sha256)
);
COMMENT ON TABLE turn_calls IS 'What a model was asked in a turn and what it answered, for reviewers, for as long as prompts are kept.';
COMMENT ON COLUMN turn_calls.attempt IS 'Of the turn: rises when another server had to begin it again.';
COMMENT ON COLUMN turn_calls.rules IS 'The first message of the prompt; null where there is none.';
COMMENT ON COLUMN turn_calls.prompt IS 'The other messages, as role and content.';
COMMENT ON COLUMN turn_calls.cut IS 'Something of it was too long to be kept whole.';
COMMENT ON COLUMN turn_calls.money IS 'By the prices that were set then, in their currency.';
COMMENT ON COLUMN turn_calls.began_ms IS 'After the server had read the turn, by its own clock.';
COMMENT ON COLUMN turn_calls.failure IS 'Class of what went wrong, never the words of the provider; null when nothing did.';
CREATE INDEX turn_calls_age ON turn_calls (tenant_id, at);
CREATE INDEX turn_calls_rules ON turn_calls (tenant_id, rules);
-- lz4 costs a third of the default time; a server built without it keeps that.
-- +goose StatementBegin
DO $$
BEGIN
    ALTER TABLE turn_calls ALTER COLUMN prompt SET COMPRESSION lz4, ALTER COLUMN response SET COMPRESSION lz4;
    ALTER TABLE prompt_texts ALTER COLUMN content SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported THEN NULL;
END
$$;
-- +goose StatementEnd
CALL own('turn_calls', 'SELECT, INSERT, DELETE');

CREATE TABLE review_comments (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    obligation_key text,
    turn integer CONSTRAINT review_comments_turn CHECK (turn > 0),
    author text NOT NULL CONSTRAINT review_comments_author CHECK (length(author) BETWEEN 1 AND 200),
    content text NOT NULL CONSTRAINT review_comments_content CHECK (length(content) BETWEEN 1 AND 2000),
    created_at timestamptz NOT NULL DEFAULT now(),
    resolved_at timestamptz,
    resolved_by text,
    PRIMARY KEY (tenant_id, session_id, id),
    CONSTRAINT review_comments_resolved CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
    CONSTRAINT review_comments_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE review_comments IS 'What reviewers remark about a session, one of its values or one of its turns. The person who was interviewed never sees it.';
CREATE INDEX review_comments_open ON review_comments (tenant_id, session_id) WHERE resolved_at IS NULL;
CALL own('review_comments', 'SELECT, INSERT, UPDATE');
