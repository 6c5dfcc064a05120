-- name: CommentInsert :one
-- Inserts a comment of a reviewer on a session. No row means that the session has as many as it may.
INSERT INTO review_comments (tenant_id, session_id, obligation_key, turn, author, content)
SELECT @tenant_id, @session_id, sqlc.narg('obligation_key'), sqlc.narg('turn'), @author::text, @content::text
WHERE (SELECT count(*) FROM review_comments AS c WHERE c.tenant_id = @tenant_id AND c.session_id = @session_id) < @most::integer
RETURNING *;

-- name: CommentList :many
-- A page of the comments on a session, oldest first.
SELECT *
FROM review_comments
WHERE tenant_id = @tenant_id AND session_id = @session_id AND (created_at, id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY created_at, id
LIMIT @max;

-- name: CommentResolve :one
-- Marks a comment as resolved and returns it. One that was resolved before is left as it is.
WITH dealt AS (
    UPDATE review_comments AS c
    SET resolved_at = now(), resolved_by = @resolved_by::text
    WHERE c.tenant_id = @tenant_id AND c.session_id = @session_id AND c.id = @id AND c.resolved_at IS NULL
    RETURNING c.*
)
SELECT d.*
FROM dealt AS d
UNION ALL
SELECT o.*
FROM review_comments AS o
WHERE o.tenant_id = @tenant_id AND o.session_id = @session_id AND o.id = @id AND NOT EXISTS (SELECT FROM dealt);
