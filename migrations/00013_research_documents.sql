-- Documents of a tenant's own folder that research may read, and the passages they are found by.

-- +goose Up
CREATE TABLE research_documents (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    path text NOT NULL CONSTRAINT research_documents_path_length CHECK (length(path) BETWEEN 1 AND 1024),
    state text NOT NULL CONSTRAINT research_documents_state CHECK (state IN ('read', 'refused', 'gone')),
    reason text NOT NULL DEFAULT '',
    sha256 text NOT NULL DEFAULT '',
    size bigint NOT NULL DEFAULT 0,
    modified timestamptz NOT NULL,
    media_type text NOT NULL DEFAULT '',
    title text NOT NULL DEFAULT '',
    published text NOT NULL DEFAULT '',
    content text NOT NULL DEFAULT '',
    truncated boolean NOT NULL DEFAULT false,
    bytes bytea,
    read_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT research_documents_path_key UNIQUE (tenant_id, path),
    CONSTRAINT research_documents_read CHECK (state <> 'read' OR (sha256 <> '' AND content <> '')),
    CONSTRAINT research_documents_unread CHECK (state = 'read' OR (content = '' AND bytes IS NULL))
);
ALTER TABLE research_documents ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE research_documents IS 'Files of a tenant''s folder: what was read of each, or why it was not; of one that is gone its name is all that stays.';
COMMENT ON COLUMN research_documents.path IS 'Below the folder, with slashes.';
COMMENT ON COLUMN research_documents.bytes IS 'The file as it was read; null for a large one, whose sha256 is known all the same.';
COMMENT ON COLUMN research_documents.checked_at IS 'When the file was last found to be what is here, by the clock of who looked.';
CALL own('research_documents', 'SELECT, INSERT, UPDATE');

CREATE TABLE research_passages (
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    n integer NOT NULL,
    start_byte integer NOT NULL,
    end_byte integer NOT NULL,
    heading text NOT NULL,
    content text NOT NULL,
    words tsvector NOT NULL GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', heading) || to_tsvector('english', heading), 'B') || to_tsvector('simple', content) || to_tsvector('english', content)) STORED,
    digest text NOT NULL GENERATED ALWAYS AS (md5(heading || E'\n' || content)) STORED,
    PRIMARY KEY (tenant_id, document_id, n),
    CONSTRAINT research_passages_span CHECK (start_byte >= 0 AND end_byte - start_byte = octet_length(content)),
    CONSTRAINT research_passages_document_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES research_documents (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE research_passages IS 'Stretches of documents, which a search finds: content is the document''s between two bytes.';
CREATE INDEX research_passages_words ON research_passages USING gin (words) WITH (fastupdate = off);
CALL own('research_passages', 'SELECT, INSERT, UPDATE, DELETE');

-- As with search_texts: a condition of the policy needs no trust to be looked up in an index. Without a search it is met by every row.
CREATE POLICY found ON research_passages AS RESTRICTIVE FOR SELECT USING (words @@ (SELECT current_search()));

-- Apart from the passages, because their policy would keep the index of the vectors from being asked.
CREATE TABLE research_vectors (
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    n integer NOT NULL,
    encoder text NOT NULL,
    digest text NOT NULL,
    embedding halfvec(1536),
    PRIMARY KEY (tenant_id, document_id, n) INCLUDE (encoder, digest),
    CONSTRAINT research_vectors_passage_fkey FOREIGN KEY (tenant_id, document_id, n) REFERENCES research_passages (tenant_id, document_id, n) ON DELETE CASCADE
);
ALTER TABLE research_vectors ALTER COLUMN embedding SET STORAGE PLAIN;
COMMENT ON TABLE research_vectors IS 'Where passages lie among others of the same encoder. digest is that of the passage it was made of; embedding is null for one without words.';
CREATE INDEX research_vectors_encoder ON research_vectors (tenant_id, encoder);
-- Workers of a parallel build share memory that containers seldom have.
SET LOCAL max_parallel_maintenance_workers = 0;
CREATE INDEX research_vectors_near ON research_vectors USING hnsw (embedding halfvec_cosine_ops);
CALL own('research_vectors', 'SELECT, INSERT, UPDATE, DELETE');
