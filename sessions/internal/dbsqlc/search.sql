-- name: SearchFor :exec
-- Sets the words of the search for the rest of the transaction; an empty text for none.
SELECT set_config('app.search', @query::text, true);

-- name: SearchPatience :exec
-- Sets the time limit of each statement of a search, in milliseconds.
SELECT set_config('statement_timeout', @milliseconds::text, true);

-- name: SearchDue :many
-- Sessions that changed since they were indexed for search, or whose vectors are of another encoder, latest first.
SELECT s.id, s.version, s.turn_count, coalesce(h.turn, 0)::integer AS turn
FROM elicitation_sessions AS s
LEFT JOIN search_heads AS h ON h.tenant_id = s.tenant_id AND h.session_id = s.id
WHERE s.tenant_id = @tenant_id
    AND (h.session_id IS NULL OR h.version <> s.version OR h.turn <> s.turn_count OR @encoder::text <> '' AND h.encoder <> @encoder)
ORDER BY s.updated_at DESC, s.id
LIMIT @max;

-- name: SearchMessages :many
-- Messages of finished turns after the given one, which are not indexed for search yet.
SELECT m.turn, m.role, (CASE WHEN i.heard IS NULL THEN m.content ELSE left(m.content, i.heard) END)::text AS content, m.created_at
FROM messages AS m
LEFT JOIN message_interruptions AS i ON i.tenant_id = m.tenant_id AND i.session_id = m.session_id AND i.turn = m.turn AND m.role = 'assistant'
WHERE m.tenant_id = @tenant_id AND m.session_id = @session_id AND m.turn > @after AND m.turn <= @until
ORDER BY m.turn, m.role DESC
LIMIT @max;

-- name: SearchRunning :many
-- The running turn of a session, if any.
SELECT number
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND status = 'running';

-- name: SearchSave :exec
-- Inserts or replaces texts of the search index. Texts that are the same are left as they are.
INSERT INTO search_texts AS t (tenant_id, session_id, kind, key, user_id, at, content)
SELECT @tenant_id, @session_id, x.kind, x.key, x.user_id, x.at, x.content
FROM jsonb_to_recordset(@rows::jsonb) AS x (kind text, key text, user_id text, at timestamptz, content text)
WHERE NOT EXISTS (
    SELECT
    FROM search_texts AS o
    WHERE o.tenant_id = @tenant_id AND o.session_id = @session_id AND o.kind = x.kind AND o.key = x.key AND o.digest = md5(x.content))
ON CONFLICT (tenant_id, session_id, kind, key) DO UPDATE
SET content = excluded.content, at = excluded.at;

-- name: SearchUnencoded :many
-- Texts of a session without a vector of an encoder, or with one of an earlier wording.
SELECT t.kind, t.key, t.user_id, t.digest, t.content
FROM search_texts AS t
LEFT JOIN embeddings AS e ON e.tenant_id = t.tenant_id AND e.session_id = t.session_id AND e.kind = t.kind AND e.key = t.key
WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND (e.encoder IS NULL OR e.encoder <> @encoder::text OR e.digest <> t.digest)
ORDER BY t.kind, t.key
LIMIT @max;

-- name: EmbeddingSave :exec
-- Inserts or replaces the vectors of texts.
INSERT INTO embeddings AS e (tenant_id, session_id, kind, key, user_id, encoder, digest, embedding)
SELECT @tenant_id, @session_id, x.kind, x.key, x.user_id, @encoder, x.digest, x.embedding::halfvec
FROM jsonb_to_recordset(@rows::jsonb) AS x (kind text, key text, user_id text, digest text, embedding text)
ON CONFLICT (tenant_id, session_id, kind, key) DO UPDATE
SET encoder = excluded.encoder, digest = excluded.digest, embedding = excluded.embedding;

-- name: SearchHeadSave :exec
-- Records up to which turn a session is indexed for search.
INSERT INTO search_heads AS h (tenant_id, session_id, version, turn, encoder)
VALUES (@tenant_id, @session_id, @version, @turn, @encoder)
ON CONFLICT (tenant_id, session_id) DO UPDATE
SET version = excluded.version, turn = excluded.turn, encoder = excluded.encoder;

-- name: SearchByText :many
-- Texts that match the words set by SearchFor, which a policy of the table compares. The best come first.
SELECT t.session_id, t.kind, t.key
FROM search_texts AS t
WHERE t.tenant_id = @tenant_id AND (sqlc.narg('user_id')::text IS NULL OR t.user_id = sqlc.narg('user_id'))
    AND (sqlc.narg('kind')::text IS NULL OR t.kind = sqlc.narg('kind'))
    AND (sqlc.narg('session_id')::uuid IS NULL OR t.session_id = sqlc.narg('session_id'))
ORDER BY ts_rank_cd(t.words, (SELECT current_search())) DESC, t.at DESC, t.session_id, t.kind, t.key
LIMIT @max;

-- name: EmbeddingCount :many
-- The number of vectors of an encoder that an exact search would compare, counted up to a limit.
SELECT count(*)
FROM (
    SELECT
    FROM embeddings AS e
    WHERE e.tenant_id = @tenant_id AND e.encoder = @encoder AND e.embedding IS NOT NULL
        AND (sqlc.narg('user_id')::text IS NULL OR e.user_id = sqlc.narg('user_id'))
        AND (sqlc.narg('kind')::text IS NULL OR e.kind = sqlc.narg('kind'))
        AND (sqlc.narg('session_id')::uuid IS NULL OR e.session_id = sqlc.narg('session_id'))
    LIMIT @max) AS found;

-- name: SearchExact :many
-- The exactly nearest texts. The sum in ORDER BY keeps the planner from using the approximate index.
SELECT e.session_id, e.kind, e.key, (1 - (e.embedding <=> (@vector::text)::halfvec(1536)))::float8 AS similarity
FROM embeddings AS e
WHERE e.tenant_id = @tenant_id AND e.encoder = @encoder AND e.embedding IS NOT NULL
    AND (sqlc.narg('user_id')::text IS NULL OR e.user_id = sqlc.narg('user_id'))
    AND (sqlc.narg('kind')::text IS NULL OR e.kind = sqlc.narg('kind'))
    AND (sqlc.narg('session_id')::uuid IS NULL OR e.session_id = sqlc.narg('session_id'))
ORDER BY 0 + (e.embedding <=> (@vector::text)::halfvec(1536)), e.session_id, e.kind, e.key
LIMIT @max;

-- name: SearchNear :many
-- The approximately nearest texts, by the index.
SELECT e.session_id, e.kind, e.key, (1 - (e.embedding <=> (@vector::text)::halfvec(1536)))::float8 AS similarity
FROM embeddings AS e
WHERE e.tenant_id = @tenant_id AND e.encoder = @encoder
    AND (sqlc.narg('user_id')::text IS NULL OR e.user_id = sqlc.narg('user_id'))
    AND (sqlc.narg('kind')::text IS NULL OR e.kind = sqlc.narg('kind'))
ORDER BY e.embedding <=> (@vector::text)::halfvec(1536)
LIMIT @max;

-- name: SearchWidely :exec
-- Makes the vector index look at enough neighbours for the rest of the transaction. Vectors of other tenants and encoders lie in it too, and before
-- pgvector 0.8 it cannot resume where it stopped.
SELECT set_config('hnsw.ef_search', '200', true),
    (SELECT set_config('hnsw.iterative_scan', 'strict_order', true) FROM pg_catalog.pg_extension WHERE extname = 'vector' AND string_to_array(extversion, '.')::integer[] >= ARRAY[0, 8]);

-- name: SearchRead :many
-- The texts that were found, with the matching words marked.
SELECT t.session_id, t.kind, t.key, t.user_id, t.at, s.context_type,
    ts_headline('english', t.content, websearch_to_tsquery('simple', @query::text) || websearch_to_tsquery('english', @query::text), @options::text)::text AS snippet
FROM search_texts AS t
JOIN elicitation_sessions AS s ON s.tenant_id = t.tenant_id AND s.id = t.session_id
WHERE t.tenant_id = @tenant_id
    AND (t.session_id, t.kind, t.key) IN (SELECT unnest(@sessions::uuid[]), unnest(@kinds::text[]), unnest(@keys::text[]));
