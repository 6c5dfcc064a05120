-- name: TenantInsert :one
-- A tenant by name, inserted when it is not there.
INSERT INTO tenants (name)
VALUES (@name)
ON CONFLICT (name) DO UPDATE SET name = excluded.name
RETURNING *;

-- name: TenantList :many
-- All tenants but those that are being erased.
SELECT *
FROM tenants
WHERE erasing_at IS NULL
ORDER BY created_at, id;

-- name: MemberAdd :exec
-- Adds a person to a tenant with the given role, unless they belong to it already.
INSERT INTO members (tenant_id, id, role)
VALUES (@tenant_id, @id, @role)
ON CONFLICT (tenant_id, id) DO NOTHING;

-- name: TokenInsert :one
-- Inserts a token, of which only the hash is stored.
INSERT INTO api_tokens (tenant_id, member_id, role, name, token_hash, expires_at)
VALUES (@tenant_id, @member_id, @role, @name, @token_hash, @expires_at)
RETURNING *;

-- name: TokenByHash :one
-- The holder of a token. The tenant is not known yet, so a row-level policy shows a row only to a caller with its hash.
SELECT tenant_id, id, member_id, role, (last_used_at IS NULL OR last_used_at < now() - interval '10 minutes')::boolean AS unseen
FROM api_tokens
WHERE token_hash = @token_hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());

-- name: TokenList :many
-- The tokens of a tenant, newest first, without their secrets.
SELECT *
FROM api_tokens
WHERE tenant_id = @tenant_id
ORDER BY created_at DESC
LIMIT 500;

-- name: TokenUsed :exec
-- Records that a token was used.
UPDATE api_tokens
SET last_used_at = now()
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TokenRotate :one
-- Revokes a valid token and returns what its successor needs.
UPDATE api_tokens
SET revoked_at = now()
WHERE tenant_id = @tenant_id AND id = @id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
RETURNING member_id, role, name, created_at, expires_at;

-- name: TokenRevoke :one
-- Revokes a token.
UPDATE api_tokens
SET revoked_at = now()
WHERE tenant_id = @tenant_id AND id = @id AND revoked_at IS NULL
RETURNING id;

-- name: TokenRoles :many
-- The roles of a person's valid tokens.
SELECT DISTINCT role
FROM api_tokens
WHERE tenant_id = @tenant_id AND member_id = @member_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());
