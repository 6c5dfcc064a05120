-- name: TenantInsert :one
-- A tenant by name, made when it is not there.
INSERT INTO tenants (name)
VALUES (@name)
ON CONFLICT (name) DO UPDATE SET name = excluded.name
RETURNING *;

-- name: TenantList :many
-- Every tenant.
SELECT *
FROM tenants
ORDER BY created_at, id;

-- name: MemberAdd :exec
-- A person of a tenant, with the role given, unless they are there already.
INSERT INTO members (tenant_id, id, role)
VALUES (@tenant_id, @id, @role)
ON CONFLICT (tenant_id, id) DO NOTHING;

-- name: TokenInsert :one
-- A token, by its hash.
INSERT INTO api_tokens (tenant_id, member_id, role, name, token_hash, expires_at)
VALUES (@tenant_id, @member_id, @role, @name, @token_hash, @expires_at)
RETURNING *;

-- name: TokenByHash :one
-- Who holds a token. The row-level policy shows it to the holder only, before the tenant is known: tenant_id is what this finds out.
SELECT tenant_id, id, member_id, role, (last_used_at IS NULL OR last_used_at < now() - interval '10 minutes')::boolean AS unseen
FROM api_tokens
WHERE token_hash = @token_hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());

-- name: TokenList :many
-- A tenants tokens, newest first, never the secret.
SELECT *
FROM api_tokens
WHERE tenant_id = @tenant_id
ORDER BY created_at DESC
LIMIT 500;

-- name: TokenUsed :exec
-- Notes that a token was used.
UPDATE api_tokens
SET last_used_at = now()
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TokenRotate :one
-- Ends a token that works and returns what its successor needs.
UPDATE api_tokens
SET revoked_at = now()
WHERE tenant_id = @tenant_id AND id = @id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
RETURNING member_id, role, name, created_at, expires_at;

-- name: TokenRevoke :one
-- Ends a token.
UPDATE api_tokens
SET revoked_at = now()
WHERE tenant_id = @tenant_id AND id = @id AND revoked_at IS NULL
RETURNING id;
