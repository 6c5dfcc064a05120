-- What people can find, apart from the rows it is made of: a turn writes none of it, so that no index of it slows a turn. A job writes it after
-- the turn. And obligations that were merged into another, or split into several.

-- +goose Up
-- current_search is the query of the running transaction, in the words of no language and in English ones; without one, a query that every
-- text meets.
-- +goose StatementBegin
CREATE FUNCTION current_search() RETURNS tsquery
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN coalesce(current_setting('app.search', true), '') = '' THEN '!''no such word'''::tsquery
        ELSE websearch_to_tsquery('simple', current_setting('app.search', true)) || websearch_to_tsquery('english', current_setting('app.search', true))
    END
$$;
-- +goose StatementEnd

CREATE TABLE search_texts (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT search_texts_kind CHECK (kind IN ('obligation', 'message', 'session')),
    key text NOT NULL,
    user_id text NOT NULL,
    at timestamptz NOT NULL,
    content text NOT NULL,
    digest text NOT NULL GENERATED ALWAYS AS (md5(content)) STORED,
    words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', content) || to_tsvector('english', content)) STORED,
    PRIMARY KEY (tenant_id, session_id, kind, key),
    CONSTRAINT search_texts_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE search_texts IS 'Texts that can be found: key is the obligation''s, the message''s id, or "session"; user_id is whose session it is.';
-- Without a list of what is to be indexed later: every search would read it.
CREATE INDEX search_texts_words ON search_texts USING gin (words) WITH (fastupdate = off);
CALL own('search_texts', 'SELECT, INSERT, UPDATE');

-- A condition that people write is only looked up in an index when it can tell nothing of rows the policies hide, and PostgreSQL does not
-- trust @@ with that. A condition of the policy itself needs no such trust: so the query of a search is set as the tenant is.
CREATE POLICY found ON search_texts AS RESTRICTIVE FOR SELECT USING (words @@ (SELECT current_search()));

CREATE TABLE embeddings (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    user_id text NOT NULL,
    encoder text NOT NULL,
    digest text NOT NULL,
    embedding halfvec(1536),
    PRIMARY KEY (tenant_id, session_id, kind, key),
    CONSTRAINT embeddings_text_fkey FOREIGN KEY (tenant_id, session_id, kind, key) REFERENCES search_texts (tenant_id, session_id, kind, key) ON DELETE CASCADE
);
COMMENT ON TABLE embeddings IS 'Where texts lie among others of the same encoder; vectors of different encoders are never compared. digest is that of the text it was made of; embedding is null for a text without words.';
ALTER TABLE embeddings ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX embeddings_person ON embeddings (tenant_id, user_id, encoder, kind);
-- Workers of a parallel build share memory that containers seldom have.
SET LOCAL max_parallel_maintenance_workers = 0;
CREATE INDEX embeddings_near ON embeddings USING hnsw (embedding halfvec_cosine_ops);
CALL own('embeddings', 'SELECT, INSERT, UPDATE');

CREATE TABLE search_heads (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    version bigint NOT NULL,
    turn integer NOT NULL,
    encoder text NOT NULL,
    PRIMARY KEY (tenant_id, session_id),
    CONSTRAINT search_heads_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE search_heads IS 'Up to which state, which turn and by which encoder a session can be found; an empty encoder stands for full text only.';
CALL own('search_heads', 'SELECT, INSERT, UPDATE');

ALTER TABLE elicitation_obligations ADD COLUMN merged_into text;
ALTER TABLE elicitation_obligations ADD COLUMN split_into jsonb;
ALTER TABLE elicitation_obligations ALTER COLUMN embedding SET STORAGE MAIN;
CREATE INDEX elicitation_obligations_proposed ON elicitation_obligations (tenant_id) WHERE source = 'emergent';
COMMENT ON COLUMN elicitation_obligations.merged_into IS 'Key of the obligation that stands for this one too; null for one that stands for itself.';
COMMENT ON COLUMN elicitation_obligations.split_into IS 'Keys of the obligations this one was split into; null for one that was not.';
COMMENT ON COLUMN elicitation_obligations.embedding IS 'Where the question lies among others of embedding_encoder, for near-duplicates; its answer is no part of it.';
