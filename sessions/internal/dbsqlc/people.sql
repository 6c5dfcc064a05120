-- name: ParticipantByCredential :one
-- The guest with the given credential of a session.
SELECT *
FROM session_participants
WHERE tenant_id = @tenant_id AND session_id = @session_id AND credential_hash = @credential_hash::bytea AND left_at IS NULL;

-- name: ParticipantList :many
-- Everybody who takes part in a session besides the person who began it, in the order of their arrival.
SELECT *
FROM session_participants
WHERE tenant_id = @tenant_id AND session_id = @session_id AND left_at IS NULL
ORDER BY joined_at, user_id
LIMIT 200;

-- name: ParticipantJoin :one
-- Adds a participant, or one who had left. No row means that they take part already.
INSERT INTO session_participants AS p (tenant_id, session_id, user_id, role, invited_by, credential_hash)
VALUES (@tenant_id, @session_id, @user_id, @role, @invited_by, @credential_hash)
ON CONFLICT (tenant_id, session_id, user_id) DO UPDATE
SET role = excluded.role, invited_by = excluded.invited_by, credential_hash = excluded.credential_hash, joined_at = now(), left_at = NULL
WHERE p.left_at IS NOT NULL
RETURNING *;

-- name: ParticipantLeave :one
-- Records that a participant has left. Their messages stay.
UPDATE session_participants
SET left_at = now(), credential_hash = NULL
WHERE tenant_id = @tenant_id AND session_id = @session_id AND id = @id AND left_at IS NULL
RETURNING *;

-- name: InvitationInsert :one
-- Inserts an invitation. No row means that the session has too many open invitations or too many participants.
INSERT INTO session_invitations (tenant_id, session_id, role, name, token_hash, invited_by, expires_at)
SELECT @tenant_id, @session_id, @role::text, @name::text, @token_hash::bytea, @invited_by::text, now() + make_interval(secs => @lasts_seconds::float8)
WHERE (SELECT count(*) FROM session_invitations AS i
    WHERE i.tenant_id = @tenant_id AND i.session_id = @session_id AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now())
    + (SELECT count(*) FROM session_participants AS p
    WHERE p.tenant_id = @tenant_id AND p.session_id = @session_id AND p.left_at IS NULL) < @most::integer
RETURNING *, false AS expired;

-- name: InvitationList :many
-- The invitations to a session, newest first, without their secrets.
SELECT *, expires_at <= now() AS expired
FROM session_invitations
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY created_at DESC, id
LIMIT 200;

-- name: InvitationByToken :one
-- The invitation of a link.
SELECT *, expires_at <= now() AS expired
FROM session_invitations
WHERE tenant_id = @tenant_id AND token_hash = @token_hash::bytea;

-- name: InvitationAccept :one
-- Accepts an open invitation. Of two concurrent calls, only one gets the row.
UPDATE session_invitations
SET accepted_at = now(), accepted_by = @accepted_by::text
WHERE tenant_id = @tenant_id AND token_hash = @token_hash::bytea AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()
RETURNING *, false AS expired;

-- name: InvitationRevoke :one
-- Revokes an invitation that nobody has accepted.
UPDATE session_invitations
SET revoked_at = now()
WHERE tenant_id = @tenant_id AND session_id = @session_id AND id = @id AND accepted_at IS NULL AND revoked_at IS NULL
RETURNING id;

-- name: SessionFindAs :one
-- One session, and the role of a user in it, which is empty when they neither began it nor take part.
SELECT es.*, CASE WHEN es.user_id = @user_id THEN 'owner' ELSE coalesce((
        SELECT q.role
        FROM session_participants AS q
        WHERE q.tenant_id = @tenant_id AND q.session_id = @session_id AND q.user_id = @user_id AND q.left_at IS NULL), '') END::text AS part
FROM elicitation_sessions AS es
WHERE es.tenant_id = @tenant_id AND es.id = @session_id;
