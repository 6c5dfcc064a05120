-- name: MemberList :many
-- The people of a tenant by name, with the number of their tokens that work and the highest role among those.
SELECT m.id, m.role, m.created_at, count(t.id) AS tokens,
    coalesce((array_agg(t.role ORDER BY array_position(ARRAY['owner', 'admin', 'reviewer', 'member', 'viewer'], t.role)) FILTER (WHERE t.id IS NOT NULL))[1], '')::text AS token_role
FROM members AS m
LEFT JOIN api_tokens AS t ON t.tenant_id = m.tenant_id AND t.member_id = m.id AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
WHERE m.tenant_id = @tenant_id
GROUP BY m.tenant_id, m.id
ORDER BY m.id
LIMIT 1000;

-- name: PeopleLock :exec
-- Keeps other changes of a tenants people out until the transaction ends: whether somebody is its last owner is asked of all of them.
SELECT id
FROM tenants
WHERE id = @tenant_id
FOR NO KEY UPDATE;

-- name: MemberFind :one
-- A person of a tenant.
SELECT *
FROM members
WHERE tenant_id = @tenant_id AND id = @id;

-- name: OwnerList :many
-- The owners of a tenant: people of that role, and who holds a token of it that works.
SELECT m.id
FROM members AS m
WHERE m.tenant_id = @tenant_id AND (m.role = 'owner' OR EXISTS (
    SELECT FROM api_tokens AS t
    WHERE t.tenant_id = m.tenant_id AND t.member_id = m.id AND t.role = 'owner' AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())));

-- name: MemberSetRole :exec
-- The role of a person.
UPDATE members
SET role = @role
WHERE tenant_id = @tenant_id AND id = @id;

-- name: TokensLower :exec
-- Lowers a persons tokens that may more than the role given; higher_roles are those above it.
UPDATE api_tokens
SET role = @role
WHERE tenant_id = @tenant_id AND member_id = @member_id AND role = ANY (@higher_roles::text[]);

-- name: MemberDelete :exec
-- A person no more; their tokens go with them.
DELETE FROM members
WHERE tenant_id = @tenant_id AND id = @id;
