-- name: CallTicketInsert :exec
-- Stores a ticket, and forgets those of the session that have expired.
WITH expired AS (
    DELETE FROM call_tickets AS old
    WHERE old.tenant_id = @tenant_id AND old.session_id = @session_id AND old.expires_at <= @created_at::timestamptz
)
INSERT INTO call_tickets (tenant_id, session_id, token_hash, user_id, created_at, expires_at)
VALUES (@tenant_id, @session_id, @token_hash::bytea, @user_id::text, @created_at::timestamptz, @expires_at::timestamptz);

-- name: CallTicketUse :one
-- Deletes a ticket that is still good, and returns what it was for.
DELETE FROM call_tickets
WHERE tenant_id = @tenant_id AND token_hash = @token_hash::bytea AND expires_at > @now::timestamptz
RETURNING *;
