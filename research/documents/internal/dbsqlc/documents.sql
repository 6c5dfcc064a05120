-- name: DocumentKnown :many
-- The stored files of a folder, without those that are gone.
SELECT path, state, reason, sha256, size, modified, checked_at
FROM research_documents
WHERE tenant_id = @tenant_id AND state <> 'gone'
ORDER BY path;

-- name: DocumentSave :exec
-- Inserts or replaces a file that was just read or refused.
INSERT INTO research_documents AS d (tenant_id, path, state, reason, sha256, size, modified, media_type, title, published, content, truncated, bytes, read_at, checked_at)
VALUES (@tenant_id, @path, @state, @reason, @sha256, @size, @modified, @media_type, @title, @published, @content, @truncated, @bytes, @read_at, @read_at)
ON CONFLICT (tenant_id, path) DO UPDATE
SET state = excluded.state, reason = excluded.reason, sha256 = excluded.sha256, size = excluded.size, modified = excluded.modified,
    media_type = excluded.media_type, title = excluded.title, published = excluded.published, content = excluded.content,
    truncated = excluded.truncated, bytes = excluded.bytes, read_at = excluded.read_at, checked_at = excluded.checked_at;

-- name: DocumentTouch :exec
-- Records that the content of a file is unchanged, even if its date is not.
UPDATE research_documents
SET size = @size, modified = @modified, checked_at = @checked_at
WHERE tenant_id = @tenant_id AND path = @path AND sha256 = @sha256 AND state <> 'gone';

-- name: DocumentGone :exec
-- Marks a file that no longer exists, and deletes its content.
UPDATE research_documents
SET state = 'gone', reason = '', sha256 = '', size = 0, title = '', published = '', content = '', truncated = false, bytes = NULL, checked_at = @checked_at
WHERE tenant_id = @tenant_id AND path = @path AND state <> 'gone';

-- name: DocumentFind :many
-- One document with its content.
SELECT id, path, state, reason, sha256, size, modified, media_type, title, published, content, truncated, bytes, read_at
FROM research_documents
WHERE tenant_id = @tenant_id AND id = @id;

-- name: DocumentList :many
-- A page of documents after a path, without their contents.
SELECT id, path, state, reason, sha256, size, modified, media_type, title, published, truncated, read_at
FROM research_documents
WHERE tenant_id = @tenant_id AND path > @after::text
ORDER BY path
LIMIT @max;

-- name: PassageClear :exec
-- Deletes the passages of a file.
DELETE FROM research_passages AS p
USING research_documents AS d
WHERE d.tenant_id = @tenant_id AND d.path = @path AND p.tenant_id = d.tenant_id AND p.document_id = d.id;

-- name: PassageSave :exec
-- Inserts the passages of a file that has none.
INSERT INTO research_passages (tenant_id, document_id, n, start_byte, end_byte, heading, content)
SELECT d.tenant_id, d.id, x.n, x.start_byte, x.end_byte, x.heading, x.content
FROM research_documents AS d
CROSS JOIN jsonb_to_recordset(@rows::jsonb) AS x (n integer, start_byte integer, end_byte integer, heading text, content text)
WHERE d.tenant_id = @tenant_id AND d.path = @path;

-- name: PassageUnencoded :many
-- A page of the passages that have no vector of an encoder, by key.
SELECT p.document_id, p.n, p.digest, p.heading, p.content
FROM research_passages AS p
LEFT JOIN research_vectors AS v ON v.tenant_id = p.tenant_id AND v.document_id = p.document_id AND v.n = p.n
WHERE p.tenant_id = @tenant_id AND (v.encoder IS NULL OR v.encoder <> @encoder::text OR v.digest <> p.digest)
    AND (p.document_id, p.n) > (@after_document::uuid, @after_n::integer)
ORDER BY p.document_id, p.n
LIMIT @max;

-- name: PassageUnencodedCount :many
-- The number of passages that have no vector of an encoder.
SELECT count(*)
FROM research_passages AS p
LEFT JOIN research_vectors AS v ON v.tenant_id = p.tenant_id AND v.document_id = p.document_id AND v.n = p.n
WHERE p.tenant_id = @tenant_id AND (v.encoder IS NULL OR v.encoder <> @encoder::text OR v.digest <> p.digest);

-- name: DocumentHold :exec
-- Locks documents against being read again or deleted until the transaction ends.
SELECT id
FROM research_documents
WHERE tenant_id = @tenant_id AND id = ANY (@ids::uuid[])
ORDER BY id
FOR SHARE;

-- name: VectorSave :many
-- Stores the vectors of passages that have not changed since they were encoded, and returns which those are. The caller holds their documents.
INSERT INTO research_vectors AS v (tenant_id, document_id, n, encoder, digest, embedding)
SELECT p.tenant_id, p.document_id, p.n, @encoder, p.digest, x.embedding::halfvec
FROM jsonb_to_recordset(@rows::jsonb) AS x (document_id uuid, n integer, digest text, embedding text)
JOIN research_passages AS p ON p.tenant_id = @tenant_id AND p.document_id = x.document_id AND p.n = x.n AND p.digest = x.digest
ORDER BY p.document_id, p.n
ON CONFLICT (tenant_id, document_id, n) DO UPDATE
SET encoder = excluded.encoder, digest = excluded.digest, embedding = excluded.embedding
RETURNING v.n;

-- name: SearchFor :exec
-- Sets the words of the search for the rest of the transaction; an empty text for none.
SELECT set_config('app.search', @query::text, true);

-- name: SearchPatience :exec
-- Sets the time limit of each statement of a search, in milliseconds.
SELECT set_config('statement_timeout', @milliseconds::text, true);

-- name: PassageByText :many
-- Passages that match the words set by SearchFor, which a policy of the table compares. The best come first.
SELECT p.document_id, p.n
FROM research_passages AS p
WHERE p.tenant_id = @tenant_id
ORDER BY ts_rank(p.words, (SELECT current_search()), 1) DESC, p.document_id, p.n
LIMIT @max;

-- name: VectorCount :many
-- The number of vectors of an encoder that an exact search would compare, counted up to a limit.
SELECT count(*)
FROM (
    SELECT
    FROM research_vectors AS v
    WHERE v.tenant_id = @tenant_id AND v.encoder = @encoder
    LIMIT @max) AS found;

-- name: VectorExact :many
-- The exactly nearest passages. The sum in ORDER BY keeps the planner from using the approximate index.
SELECT v.document_id, v.n, (1 - (v.embedding <=> (@vector::text)::halfvec(1536)))::float8 AS similarity
FROM research_vectors AS v
WHERE v.tenant_id = @tenant_id AND v.encoder = @encoder AND v.embedding IS NOT NULL
ORDER BY 0 + (v.embedding <=> (@vector::text)::halfvec(1536)), v.document_id, v.n
LIMIT @max;

-- name: VectorNear :many
-- The approximately nearest passages, by the index.
SELECT v.document_id, v.n, (1 - (v.embedding <=> (@vector::text)::halfvec(1536)))::float8 AS similarity
FROM research_vectors AS v
WHERE v.tenant_id = @tenant_id AND v.encoder = @encoder
ORDER BY v.embedding <=> (@vector::text)::halfvec(1536)
LIMIT @max;

-- name: SearchWidely :exec
-- Makes the vector index look at enough neighbours for the rest of the transaction. Vectors of other tenants and encoders lie in it too, and before
-- pgvector 0.8 it cannot resume where it stopped.
SELECT set_config('hnsw.ef_search', '200', true),
    (SELECT set_config('hnsw.iterative_scan', 'strict_order', true) FROM pg_catalog.pg_extension WHERE extname = 'vector' AND string_to_array(extversion, '.')::integer[] >= ARRAY[0, 8]);

-- name: PassageRead :many
-- The passages that were found, with their documents.
SELECT p.document_id, p.n, p.start_byte, p.end_byte, p.heading, p.content, d.path, d.title, d.media_type, d.published, d.sha256, d.read_at
FROM research_passages AS p
JOIN research_documents AS d ON d.tenant_id = p.tenant_id AND d.id = p.document_id
WHERE p.tenant_id = @tenant_id AND (p.document_id, p.n) IN (SELECT unnest(@documents::uuid[]), unnest(@ns::integer[]));
