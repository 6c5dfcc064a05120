-- name: MemberList :many
-- The people of a tenant by name, each with the number of their valid tokens and the highest role among those.
SELECT m.id, m.role, m.created_at, count(t.id) AS tokens,
    coalesce((array_agg(t.role ORDER BY array_position(ARRAY['owner', 'admin', 'reviewer', 'member', 'viewer'], t.role)) FILTER (WHERE t.id IS NOT NULL))[1], '')::text AS token_role
FROM members AS m
LEFT JOIN api_tokens AS t ON t.tenant_id = m.tenant_id AND t.member_id = m.id AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
WHERE m.tenant_id = @tenant_id
GROUP BY m.tenant_id, m.id
ORDER BY m.id
LIMIT 1000;

-- name: PeopleLock :exec
-- Keeps others from changing the people of a tenant until the transaction ends, because whether somebody is the last owner depends on all of them.
SELECT id
FROM tenants
WHERE id = @tenant_id
FOR NO KEY UPDATE;

-- name: MemberFind :one
-- One person of a tenant.
SELECT *
FROM members
WHERE tenant_id = @tenant_id AND id = @id;

-- name: OwnerList :many
-- The owners of a tenant: people with that role, or with a valid token of it.
SELECT m.id
FROM members AS m
WHERE m.tenant_id = @tenant_id AND (m.role = 'owner' OR EXISTS (
    SELECT FROM api_tokens AS t
    WHERE t.tenant_id = m.tenant_id AND t.member_id = m.id AND t.role = 'owner' AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())));

-- name: MemberSetRole :exec
-- Sets the role of a person.
UPDATE members
SET role = @role
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TokensLower :exec
-- Lowers the tokens of a person that exceed the given role. higher_roles are the roles above it.
UPDATE api_tokens
SET role = @role
WHERE tenant_id = @tenant_id AND member_id = @member_id AND role = ANY (@higher_roles::text[]);

-- name: MemberDelete :exec
-- Deletes a person with their tokens.
DELETE FROM members
WHERE tenant_id = @tenant_id AND id = @id;
