-- name: SearchInsert :exec
-- Stores the answer of a search engine.
INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine, hits, failure)
VALUES (@tenant_id, @task_id, @revision, @n, @query, @engine, @hits, @failure)
ON CONFLICT DO NOTHING;

-- name: SearchList :many
-- The searches of a task with their answers, in order.
SELECT *
FROM research_searches
WHERE tenant_id = @tenant_id AND task_id = @task_id
ORDER BY revision, n, engine;

-- name: SourceInsert :exec
-- Adds a page or document that a search found, unless the task knows it already.
INSERT INTO research_sources (tenant_id, task_id, n, revision, url, title, snippet, rank)
SELECT @tenant_id::uuid, @task_id::uuid, coalesce(max(s.n), 0) + 1, @revision::integer, @url::text, @title::text, @snippet::text, @rank::double precision
FROM research_sources AS s
WHERE s.tenant_id = @tenant_id::uuid AND s.task_id = @task_id::uuid
ON CONFLICT ON CONSTRAINT research_sources_address DO UPDATE SET rank = greatest(research_sources.rank, excluded.rank), revision = excluded.revision;

-- name: SourceHeads :many
-- The sources of a task without their contents, best first.
SELECT n, revision, url, title, snippet, rank, state, coalesce(failure, '')::text AS failure, coalesce(reason, '')::text AS reason,
    coalesce(final_url, '')::text AS final_url, coalesce(http_status, 0)::integer AS http_status, coalesce(media_type, '')::text AS media_type,
    coalesce(octet_length(bytes), 0)::integer AS size, coalesce(sha256, '')::text AS sha256, coalesce(published, '')::text AS published, truncated,
    (drafts IS NOT NULL)::boolean AS drafted, read_at
FROM research_sources
WHERE tenant_id = @tenant_id AND task_id = @task_id
ORDER BY rank DESC, n;

-- name: SourceTexts :many
-- The contents that were read of the sources of a task, in order.
SELECT n, coalesce(final_url, url)::text AS url, title, content::text AS content, sha256::text AS sha256, coalesce(published, '')::text AS published, drafts
FROM research_sources
WHERE tenant_id = @tenant_id AND task_id = @task_id AND state = 'read'
ORDER BY n;

-- name: SourceFind :one
-- One source with its content.
SELECT *
FROM research_sources
WHERE tenant_id = @tenant_id AND task_id = @task_id AND n = @n;

-- name: SourceContents :many
-- The contents of the sources that the claims of a task quote.
SELECT s.n, s.content::text AS content
FROM research_sources AS s
WHERE s.tenant_id = @tenant_id AND s.task_id = @task_id AND s.state = 'read'
    AND EXISTS (SELECT 1 FROM research_claims AS c WHERE c.tenant_id = s.tenant_id AND c.task_id = s.task_id AND c.source = s.n);

-- name: SourceReading :exec
-- Records that a page is about to be fetched.
UPDATE research_sources
SET state = 'reading'
WHERE tenant_id = @tenant_id AND task_id = @task_id AND n = @n AND state = 'queued';

-- name: SourceRead :exec
-- Stores a page as it was read.
UPDATE research_sources
SET state = 'read', final_url = @final_url, http_status = @http_status, media_type = @media_type, title = @title, bytes = @bytes, sha256 = @sha256,
    content = @content, published = @published, truncated = @truncated, read_at = @read_at, failure = NULL, reason = NULL
WHERE tenant_id = @tenant_id AND task_id = @task_id AND n = @n;

-- name: SourceFailed :exec
-- Records why a page could not be read.
UPDATE research_sources
SET state = 'failed', failure = @failure, reason = @reason, http_status = @http_status, read_at = now()
WHERE tenant_id = @tenant_id AND task_id = @task_id AND n = @n;

-- name: SourceInterrupted :exec
-- Marks the pages that an earlier worker of the task was reading when it died.
UPDATE research_sources
SET state = 'interrupted'
WHERE tenant_id = @tenant_id AND task_id = @task_id AND state = 'reading';

-- name: SourceDrafted :exec
-- Stores what a model claims that a source states.
UPDATE research_sources
SET drafts = @drafts
WHERE tenant_id = @tenant_id AND task_id = @task_id AND n = @n;

-- name: SourceUndraft :exec
-- Deletes the drafted claims of a task that was steered, because they answer another question.
UPDATE research_sources
SET drafts = NULL
WHERE tenant_id = @tenant_id AND task_id = @task_id AND drafts IS NOT NULL;

-- name: ClaimsClear :exec
-- Deletes the claims of a task that was steered. They are made again.
DELETE FROM research_claims
WHERE tenant_id = @tenant_id AND task_id = @task_id;

-- name: ClaimInsert :exec
-- Inserts a verified claim.
INSERT INTO research_claims (tenant_id, task_id, n, source, claim, quote, span_start, span_end, sha256, figures, rank, made_by, against)
VALUES (@tenant_id, @task_id, @n, @source, @claim, @quote, @span_start, @span_end, @sha256, @figures, @rank, @made_by, @against::integer[]);

-- name: ClaimList :many
-- The claims of a task in order.
SELECT *
FROM research_claims
WHERE tenant_id = @tenant_id AND task_id = @task_id
ORDER BY n;

