-- name: ShareInsert :one
-- Inserts a link to a brief. No row means that the session has as many open links as it may.
INSERT INTO session_shares (tenant_id, session_id, token_hash, extent, created_by, created_at, expires_at)
SELECT @tenant_id, @session_id, @token_hash::bytea, @extent::text, @created_by::text, @now::timestamptz, @expires_at::timestamptz
WHERE (SELECT count(*) FROM session_shares AS s
    WHERE s.tenant_id = @tenant_id AND s.session_id = @session_id AND s.revoked_at IS NULL AND s.expires_at > @now::timestamptz) < @most::integer
RETURNING *;

-- name: ShareList :many
-- The links to the brief of a session, newest first, without their secrets.
SELECT *
FROM session_shares
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at DESC, id
LIMIT 200;

-- name: ShareByToken :one
-- The link with the given secret, unless it is revoked or has expired.
SELECT *
FROM session_shares
WHERE tenant_id = @tenant_id AND token_hash = @token_hash::bytea AND revoked_at IS NULL AND expires_at > @now::timestamptz;

-- name: ShareOpen :one
-- Records that a valid link was followed, and returns it.
UPDATE session_shares
SET views = views + 1, last_seen_at = @now::timestamptz
WHERE tenant_id = @tenant_id AND token_hash = @token_hash::bytea AND revoked_at IS NULL AND expires_at > @now::timestamptz
RETURNING *;

-- name: ShareRevoke :one
-- Revokes a link.
UPDATE session_shares
SET revoked_at = @now::timestamptz
WHERE tenant_id = @tenant_id AND session_id = @session_id AND id = @id AND revoked_at IS NULL
RETURNING *;
